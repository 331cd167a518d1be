"""A hand told in plain text, for people: who held what, what was bid and played, how it was settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dizhu.game.engine import Game
from dizhu.game.physical import Card, in_order
from dizhu.game.record import Record
from dizhu.game.replay import start
from dizhu.game.variant import Variant
from dizhu.game.view import Event, Factor, Result


def narrate(record: Record, find: Callable[[str], Variant]) -> Iterator[str]:
    """Tell a record line by line; raises as `replay` does, at the place where the record is damaged."""
    hand, steps = start(record, find)
    yield from _opening(hand)
    seen = _phase_title(hand)
    if seen:
        yield seen
    for _, action, events in steps:
        yield from (f"  {line}" for event in events if (line := _told(hand, event, action)))
        title = _phase_title(hand)
        if title and title != seen:
            yield title
        seen = title or seen
    if hand.result:
        yield from _settlement(hand.result, hand.variant.cap)
    elif hand.phase != "redeal":
        seats = " and ".join(map(str, hand.turn))
        yield f"Unfinished: seat {seats} to answer"


def _opening(hand: Game) -> Iterator[str]:
    deal = hand.deal
    yield f"{hand.variant.title}, first asked: seat {deal.first}"
    if changed := hand.variant.changed:
        yield "Options: " + ", ".join(f"{name} {value}" for name, value in changed.items())
    if deal.commitment:
        yield f"Shuffled from a seed with commitment {deal.commitment}"
    if deal.marked:
        yield f"Marked card: {deal.marked}"
    for seat, cards in enumerate(deal.hands):
        yield f"  seat {seat}  {_cards(cards)}"
    if deal.bottom:
        yield f"  bottom  {_cards(deal.bottom)}"
    if deal.aside:
        yield f"  aside   {_cards(deal.aside)}"
    yield from (f"  {line}" for event in hand.opening if (line := _told(hand, event, "")))


def _phase_title(hand: Game) -> str | None:
    titles = {
        "open": "Opening hands",
        "bid": "Bidding",
        "call": "Calling",
        "rob": "Calling",
        "declare": "Declarations",
        "double": "Doubling",
        "play": "Play",
    }
    return titles.get(hand.phase)


_TOLD = {
    "pass": "{who}  pass",
    "bid": "{who} bids {value}",
    "call": "{who} calls",
    "rob": "{who} robs{times}",
    "open": "{who} plays with an open hand{times}",
    "declare": "{who} declares{times}",
    "double": "{who} doubles{times}",
    "no": "{who} declines",
    "leave": "{who} leaves the hand",
    "landlord": "{who} is landlord",
    "bottom": "{who} takes the bottom cards",
    "redeal": "nobody wants to be landlord: the cards are dealt again",
}
"""How events are told; answers held back (`answered`) are told when they are published, the end by its result."""


def _told(hand: Game, event: Event, action: str) -> str | None:
    who = f"seat {event.seat}"
    times = f"  ×{event.value}" if event.value else ""
    if event.kind == "play" and event.seat is not None:
        return f"{who}  {action.removeprefix('play '):<24}{len(hand.state.hands[event.seat]):>3} left{times}"
    if event.kind == "reveal":
        return "the open landlord plays alone" if event.seat is None else f"{who} is the hidden landlord"
    form = _TOLD.get(event.kind)
    return form and form.format(who=who, value=event.value, times=times)


def _settlement(result: Result, cap: int | None) -> Iterator[str]:
    seats = ", ".join(map(str, result.winners)) or "nobody"
    yield f"Winners: {seats} (landlord: {', '.join(map(str, result.landlords)) or 'none'})"
    yield f"  {result.base} base × {result.multiplier}{_parts(result.factors)}"
    if result.doubled:
        yield f"  doubled by seats {', '.join(map(str, result.doubled))}"
    if cap is not None:
        yield f"  at most × {cap}"
    points = "  ".join(f"seat {seat} {points:+}" for seat, points in enumerate(result.points))
    house = f"  house {result.house:+}" if result.house else ""
    yield f"  points: {points}{house}"


def _parts(factors: tuple[Factor, ...]) -> str:
    parts = " × ".join(f"{factor.name.replace('_', '-')} {factor.times}" for factor in factors)
    return f" ({parts})" if parts else ""


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(in_order(cards))
