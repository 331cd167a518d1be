"""What a seat may know: a view is put together from permitted parts, never by deleting from the whole."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.physical import Card, in_order
from dizhu.game.state import Seat, State
from dizhu.game.view import Table, View


@dataclass(frozen=True, slots=True)
class Asked:
    """The open question as the engine knows it: its name and moment, who is asked, and what this seat may do."""

    phase: str
    moment: str | None
    turn: tuple[Seat, ...]
    legal: tuple[str, ...]
    may_leave: bool


def sight(state: State, seat: Seat | None, asked: Asked) -> View:
    """Build the view of a seat (None: a spectator): the public fields, and what it may see of the secret ones."""
    return View(
        variant=state.variant.name,
        seat=seat,
        phase=asked.phase,
        moment=asked.moment,
        turn=asked.turn,
        first=state.first,
        hands=tuple(
            in_order(_dealt(state, other)) if _sees(state, seat, other) else None
            for other in range(state.variant.seats)
        ),
        counts=tuple(len(_dealt(state, other)) for other in range(state.variant.seats)),
        bottom=in_order(state.deal.bottom) if _sees_bottom(state, seat) else None,
        aside=in_order(state.deal.aside) if state.ended == "over" else None,
        marked=state.deal.marked,
        landlords=_landlords(state, seat),
        revealed=state.revealed or (bool(state.landlords) and state.deal.marked is None),
        base=state.base,
        multiplier=state.multiplier,
        factors=state.factors,
        doubled=state.doubled,
        opened=tuple(sorted(state.opened)),
        let=state.let,
        answers=state.answers,
        table=_table(state),
        last=state.last,
        history=state.history,
        legal=asked.legal,
        may_leave=asked.may_leave,
        result=state.result,
        cap=state.variant.cap,
    )


def _dealt(state: State, seat: Seat) -> tuple[Card, ...]:
    """The cards of a hand that are dealt so far."""
    return state.hands[seat] if state.dealt is None else state.hands[seat][: state.dealt]


def _sees(state: State, seat: Seat | None, other: Seat) -> bool:
    """Own cards, open hands, and after the end all; landlords see each other's once both are known."""
    return (
        seat == other
        or other in state.opened
        or state.ended == "over"
        or (state.revealed and seat in state.landlords and other in state.landlords)
    )


def _sees_bottom(state: State, seat: Seat | None) -> bool:
    return state.bottom_known == "everybody" or (state.bottom_known == "landlord" and seat == state.taker)


def _landlords(state: State, seat: Seat | None) -> tuple[Seat, ...]:
    """The landlords that this seat knows of: the hidden one knows himself."""
    if state.partner is not None and seat == state.partner:
        return state.all_landlords
    return state.landlords


def _table(state: State) -> Table | None:
    trick = state.trick
    if trick is None:
        return None
    return Table(trick.seat, trick.cards, trick.combo.kind, trick.combo.length, trick.combo.rank)
