"""What a hand in a room is worth to each seat (rules.md §4.2). Pure arithmetic in whole numbers.

For points a seat gains or loses what the hand's result says. For beans, with X the result, N the room's coefficient and
a its fee, a loser pays X·N + a and a winner gets X·N − a, as long as everybody has enough. Where he has not:

1. a loser pays the winners first, with all that he has;
2. the winners share what the losers paid in proportion to what they are due, fractions go to the house;
3. the house comes last: it takes what a penalty leaves beyond the winners' due, and its fee from what is there then
   (from a winner's gain, too).

So nobody goes below zero, and a richer loser never makes a winner get less. Bots have no limit, for the house stands
behind them. When a hand ends before there is a landlord, only who has left it pays, and only he the fee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from dizhu.game.view import Result


class Stakes(Protocol):
    """What a room plays for; `Room` is one."""

    @property
    def coefficient(self) -> int:
        """Beans for a point."""
        ...

    @property
    def fee(self) -> int:
        """Beans that every player pays for a hand."""
        ...


@dataclass(frozen=True, slots=True)
class Settlement:
    """What each seat gains (or loses, below zero), and what the house does: it all sums to zero."""

    changes: tuple[int, ...]
    house: int


def settle_points(result: Result) -> Settlement:
    """Settle for points."""
    return Settlement(result.points, result.house)


def settle_beans(result: Result, stakes: Stakes, owned: Sequence[int | None]) -> Settlement:
    """Settle for beans; `owned`: what each seat has, None for a bot."""
    owed = [max(-points, 0) * stakes.coefficient for points in result.points]
    due = [max(points, 0) * stakes.coefficient for points in result.points]
    paid = [_at_most(owes, has) for owes, has in zip(owed, owned, strict=True)]
    pot = min(sum(paid), sum(due))
    got = [pot * part // sum(due) if part else 0 for part in due]
    changes: list[int] = []
    for seat, has in enumerate(owned):
        change = got[seat] - paid[seat]
        plays = bool(result.landlords) or result.points[seat] != 0
        fee = _at_most(stakes.fee, None if has is None else has + change) if plays else 0
        changes.append(change - fee)
    return Settlement(tuple(changes), -sum(changes))


def _at_most(amount: int, owned: int | None) -> int:
    return amount if owned is None else min(amount, owned)
