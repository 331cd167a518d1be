"""Counts of courses: the engine's, the simple engine's, and those on file are the same.

`python tests/game/test_perft.py` writes the file's counts anew, from the simple engine alone.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from dizhu import Game
from game import simulator
from game.table import fork, start
from rules import oracle

FILE = Path(__file__).with_name("perft.txt")
BUDGET_S = 4.0


@dataclass(frozen=True)
class Entry:
    name: str
    variant: str
    hands: tuple[str, ...]
    script: tuple[str, ...]
    let: int
    counts: tuple[int, ...]

    def begin(self) -> Game:
        """The hand at the first lead."""
        return start(self.variant, self.hands, self.script)

    def simple(self) -> simulator.Table:
        """The same for the simple engine."""
        ranks = ["".join(rank for rank in hand if rank not in "shcd ") for hand in self.hands]
        limits = tuple(self.let if seat else 0 for seat in range(len(ranks)))
        return simulator.Table(oracle.HOUSES[self.variant], tuple(map(oracle.counts, ranks)), limits, turn=0)


def entries() -> list[Entry]:
    found: list[Entry] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, game, hands, script, let, counts = (field.strip() for field in line.split("|"))
            found.append(
                Entry(name, game, tuple(hands.split(", ")), (script,), int(let), tuple(map(int, counts.split())))
            )
    return found


def perft(hand: Game, depth: int) -> int:
    """Count the courses of exactly `depth` actions."""
    if not hand.turn:
        return 0
    (seat,) = hand.turn
    legal = hand.legal(seat)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = fork(hand)
        after.act(seat, action)
        total += perft(after, depth - 1)
    return total


def division(hand: Game) -> str:
    """The first action's share of each count, to find where two engines part."""
    (seat,) = hand.turn
    return " ".join(hand.legal(seat))


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_engine_counts_what_is_on_file(entry: Entry):
    hand = entry.begin()
    assert hand.turn == (0,)
    assert entry.counts
    for depth, count in enumerate(entry.counts, 1):
        assert perft(hand, depth) == count, f"depth {depth}; the first actions are {division(hand)}"


# Each hand of a full deal is compared with every combination there is.
@pytest.mark.parametrize(
    "entry",
    [pytest.param(entry, marks=pytest.mark.slow if entry.name == "full deal" else ()) for entry in entries()],
    ids=lambda entry: entry.name,
)
def test_simple_engine_counts_what_is_on_file(entry: Entry):
    for depth, count in enumerate(entry.counts, 1):
        assert simulator.perft(entry.simple(), depth) == count


def record() -> None:
    """Count as deep as the budget goes and write the file."""
    lines: list[str] = []
    by_name = {entry.name: entry for entry in entries()}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            lines.append(line)
            continue
        fields = [field.strip() for field in line.split("|")]
        table = by_name[fields[0]].simple()
        counts, begin = [simulator.perft(table, 1)], time.perf_counter()
        while len(counts) < 6 and time.perf_counter() - begin < BUDGET_S and max(counts, default=0) < 20_000:
            counts.append(simulator.perft(table, len(counts) + 1))
        lines.append(" | ".join([*fields[:-1], " ".join(map(str, counts))]))
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(record())
