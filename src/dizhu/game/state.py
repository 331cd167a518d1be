"""All there is to know of a hand at one moment, as one immutable value; undo is keeping the old one.

Each field says who may know it: `public` ones may be shown to everybody, `secret` ones leave the engine only
through the rules of `sight.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dizhu.game.deal import Deal
from dizhu.game.physical import Card
from dizhu.game.variant import Variant
from dizhu.game.view import Answer, Factor, Move, Result
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Combo

Seat = int


def public(default: Any = None) -> Any:
    """Mark a field that everybody at the table may know."""
    return field(default=default, metadata={"public": True})


def secret(default: Any = None) -> Any:
    """Mark a field that nobody may see as it is."""
    return field(default=default, metadata={"public": False})


@dataclass(frozen=True, slots=True)
class Stakes:
    """Beans at stake, for doubling in `happy` (rules.md §3.4): each seat's beans and the room's threshold."""

    beans: tuple[int, ...]
    threshold: int


@dataclass(frozen=True, slots=True)
class Trick:
    """What lies on the table: who played it, the cards and their reading."""

    seat: Seat
    cards: tuple[Card, ...]
    combo: Combo


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a hand.

    phase: index into the variant's phases. local: that phase's own value.
    dealt: cards of each seat that are dealt so far, None when all are.
    words: each hand by rank, kept in step with `hands`.
    pairwise: whether a doubling counts between landlord and farmer only. partner: the hidden landlord.
    plays: by seat, how often it put cards down. out: the seat that ended the hand.
    """

    variant: Variant = public()
    deal: Deal = secret()
    stakes: Stakes | None = public()
    phase: int = public(0)
    local: Any = secret()
    ended: str | None = public()

    hands: tuple[tuple[Card, ...], ...] = secret(())
    words: tuple[Cards, ...] = secret(())
    dealt: int | None = public()
    first: Seat = public(0)
    bottom_known: str = public("nobody")
    landlords: tuple[Seat, ...] = public(())
    partner: Seat | None = secret()
    revealed: bool = public(False)

    base: int = public(1)
    factors: tuple[Factor, ...] = public(())
    doubled: tuple[Seat, ...] = public(())
    pairwise: bool = public(False)
    opened: tuple[Seat, ...] = public(())
    let: int = public(0)
    answers: tuple[Answer, ...] = public(())

    trick: Trick | None = public()
    last: tuple[Move | None, ...] = public(())
    history: tuple[Move, ...] = public(())
    plays: tuple[int, ...] = public(())
    out: Seat | None = public()
    reason: str = public("out")
    result: Result | None = public()

    @property
    def multiplier(self) -> int:
        """The product of all factors so far, an exact integer."""
        product = 1
        for factor in self.factors:
            product *= factor.times
        return product

    @property
    def all_landlords(self) -> tuple[Seat, ...]:
        """Every landlord, the hidden one included, ascending."""
        hidden = () if self.partner is None else (self.partner,)
        return tuple(sorted({*self.landlords, *hidden}))

    def after(self, seat: Seat, steps: int = 1) -> Seat:
        """Name the seat that many places further round the table."""
        return (seat + steps) % self.variant.seats
