"""Measuring: contestants take turns, round after round, so that whatever else the machine does meets all alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

Work = Callable[[], float]
"""A piece of work to repeat; returns how many units of it were done, or the value that it measured."""

OURS = "dizhu"
PEERS = ("open_spiel", "rlcard")


@dataclass(frozen=True)
class Row:
    """One question: what is counted, and who can answer it. A contestant prepares its work when it is first asked.

    A row of `lower` values (milliseconds, megabytes) is better when smaller; its work returns the value itself.
    """

    name: str
    title: str
    unit: str
    contestants: dict[str, Callable[[], Work]]
    lower: bool = False


@dataclass(frozen=True)
class Measured:
    """What a contestant reached: the median of the rounds, and the lowest and the highest of them."""

    middle: float
    low: float
    high: float


def measure(row: Row, rounds: int, seconds: float, tick: Callable[[], None]) -> dict[str, Measured]:
    """Let all contestants of a row work in turn; `tick` is called after each turn."""
    works = {name: prepare() for name, prepare in row.contestants.items()}
    reached: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            reached[name].append(work() if row.lower else rate(work, seconds))
            tick()
    return {name: Measured(median(values), min(values), max(values)) for name, values in reached.items()}


def rate(work: Work, seconds: float) -> float:
    """Repeat a piece of work for that long; returns units a second."""
    done, begin = 0.0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds:
        done += work()
    return done / passed


def turns(rows: list[Row], rounds: int) -> int:
    """Count the turns of a whole run."""
    return sum(len(row.contestants) for row in rows) * rounds


def ratios(reached: dict[str, Measured], *, lower: bool) -> Iterator[tuple[str, float]]:
    """Yield for each peer how many times better we are."""
    ours = reached[OURS].middle
    for peer in PEERS:
        if peer in reached:
            theirs = reached[peer].middle
            yield peer, theirs / ours if lower else ours / theirs
