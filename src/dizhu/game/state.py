"""All there is to know of a hand at one moment, as one immutable value; undo is keeping the old one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from dizhu.game.deal import Deal
    from dizhu.game.physical import Card
    from dizhu.game.variant import Variant
    from dizhu.game.view import Answer, Factor, Move, Result
    from dizhu.rules.cards import Cards
    from dizhu.rules.combos import Combo

Seat = int


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


@dataclass(frozen=True)
class State:
    """One moment of a hand.

    phase: index into the variant's phases. local: that phase's own value.
    dealt: cards of each seat that are dealt so far, None when all are.
    words: each hand by rank, kept in step with `hands`.
    taker: the landlord who took the bottom cards; he leads (a hidden landlord may have a lower seat).
    pairwise: whether a doubling counts between landlord and farmer only. partner: the hidden landlord.
    plays: by seat, how often it put cards down. out: the seat that ended the hand.
    """

    # Secret: these leave the engine only through the rules of `sight.py`.
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    words: tuple[Cards, ...]
    local: Any = None
    partner: Seat | None = None

    # Public: everybody at the table may know these.
    variant: Variant = field(kw_only=True)
    stakes: Stakes | None = None
    phase: int = 0
    ended: str | None = None
    dealt: int | None = None
    first: Seat = field(kw_only=True)
    bottom_known: Literal["nobody", "landlord", "everybody"] = "nobody"
    taker: Seat | None = None
    landlords: tuple[Seat, ...] = ()
    revealed: bool = False

    base: int = 1
    factors: tuple[Factor, ...] = ()
    doubled: tuple[Seat, ...] = ()
    pairwise: bool = False
    opened: tuple[Seat, ...] = ()
    let: int = 0
    answers: tuple[Answer, ...] = ()

    trick: Trick | None = None
    last: tuple[Move | None, ...] = ()
    history: tuple[Move, ...] = ()
    plays: tuple[int, ...] = ()
    out: Seat | None = None
    reason: str = "out"
    result: Result | None = None

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
