"""Open-hand endings (残局): who wins when all play as well as can be and see every card, and how.

The C core searches; without it the plain layer gives the same verdict, much slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.sim import plain

if TYPE_CHECKING:
    from dizhu.sim import Table

MOST = 50_000_000
"""Positions that are looked at before a search is given up: about half a minute with the core."""

_MOST_PLAIN = 200_000


@dataclass(frozen=True, slots=True)
class Solution:
    """What came of a search.

    won: whether the side of the seat in turn wins; None: it was given up. positions: how many were looked at.
    line: the moves of both sides to the end, 0 a pass, the winners' each a winning one; empty if it was given up.
    """

    won: bool | None
    positions: int
    line: tuple[Cards, ...]


def solve(table: Table, most: int = MOST) -> Solution:
    """Solve a position of the simulator. Raises ValueError if the hand is over."""
    if table.over:
        raise ValueError("the hand is over")
    if not isinstance(table, plain.Table):
        won, positions, line = table.solve(most)
        return Solution(None if won < 0 else bool(won), positions, tuple(line))
    search = _Search(min(most, _MOST_PLAIN))
    try:
        won = search.wins(table)
        return Solution(won, search.positions, tuple(search.line(table)))
    except _GivenUpError:
        return Solution(None, search.positions, ())


class _GivenUpError(Exception):
    """Too many positions."""


_Position = tuple[tuple[Cards, ...], int, int, int]


class _Search:
    """The plain search, which remembers for each position the best move and whether it wins."""

    def __init__(self, most: int) -> None:
        self.positions = 0
        self._most = most
        self._found: dict[_Position, tuple[bool, Cards]] = {}

    def wins(self, table: Table) -> bool:
        return self._best(table)[0]

    def line(self, table: Table) -> list[Cards]:
        line: list[Cards] = []
        while not table.over:
            move = self._best(table)[1]
            line.append(move)
            table = _after(table, move)
        return line

    def _best(self, table: Table) -> tuple[bool, Cards]:
        position = (table.hands, table.turn, table.leader, table.key)
        if position not in self._found:
            self._found[position] = self._search(table)
        return self._found[position]

    def _search(self, table: Table) -> tuple[bool, Cards]:
        self.positions += 1
        if self.positions > self._most:
            raise _GivenUpError
        side = table.landlords >> table.turn & 1
        # Those that shed most cards first, a pass last.
        moves = sorted(table.moves(), key=c.size, reverse=True)
        for move in moves:
            after = _after(table, move)
            if after.over or self.wins(after) == (after.landlords >> after.turn & 1 == side):
                return True, move
        return False, moves[0]


def _after(table: Table, move: Cards) -> Table:
    after = table.copy()
    after.play(move)
    return after
