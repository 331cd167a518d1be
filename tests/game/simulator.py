"""A second, simple engine for the play alone, over the oracle's combinations; it shares no code with dizhu.

It knows whose turn it is, what lies on the table, who is out, and the let cards: enough to count courses of the play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules import oracle
from rules.oracle import Counts, House, Reading


@dataclass(frozen=True)
class Table:
    """A moment of the play; `top` is who played what has to be beaten. `limits`: cards left with which a seat wins."""

    house: House
    hands: tuple[Counts, ...]
    limits: tuple[int, ...]
    turn: int
    top: tuple[int, Reading] | None = None
    over: bool = False

    def successors(self) -> Iterator[Table]:
        """Every moment that one action leads to."""
        if self.over:
            return
        seats = len(self.hands)
        following = (self.turn + 1) % seats
        if self.top:
            top = None if following == self.top[0] else self.top
            yield Table(self.house, self.hands, self.limits, following, top)
        hand = self.hands[self.turn]
        for cards, reading in combinations(hand, self.house).items():
            if self.top is None or oracle.beats(reading, self.top[1]):
                left = tuple(map(int.__sub__, hand, cards))
                hands = tuple(left if seat == self.turn else other for seat, other in enumerate(self.hands))
                over = sum(left) <= self.limits[self.turn]
                yield Table(self.house, hands, self.limits, following, (self.turn, reading), over)


CACHE: dict[tuple[Counts, House], dict[Counts, Reading]] = {}


def combinations(hand: Counts, house: House) -> dict[Counts, Reading]:
    """All combinations in a hand; a big one is compared with the whole universe, a small one taken apart."""
    if (hand, house) not in CACHE:
        if sum(hand) > 12:
            CACHE[hand, house] = {
                cards: reading for cards, reading in oracle.universe(house).items() if all(map(int.__le__, cards, hand))
            }
        else:
            readings = ((cards, oracle.readings(cards, house)) for cards in oracle.subsets(hand))
            CACHE[hand, house] = {cards: several[0] for cards, several in readings if several}
    return CACHE[hand, house]


def perft(table: Table, depth: int) -> int:
    """Count the courses of exactly `depth` actions."""
    if depth == 0:
        return 1
    return sum(perft(following, depth - 1) for following in table.successors())
