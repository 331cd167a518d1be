"""Bots measured against each other on the same deals with the seats swapped: the command `dizhu arena`.

Each deal is played several times, once for each line-up of the two bots, so that luck of the cards cancels out:

- Where the cards decide who is landlord (`five_player`), twice: the first bot plays all landlords, then all farmers.
- Else once for every seat that the first bot holds alone against the second on all other seats, and once for every
  seat that the second holds alone: six times with three seats, twice with two. Roles come out of the bidding.

Of each game we note `won`, the mean of the part of the first bot's seats that won and the part of the second bot's
seats that lost (1 or 0 where each bot plays one side; equal bots reach 0.5 together), and the points that the first
bot's seats took from the second's. `wp` and `adp` are their means. Intervals are for 95 %; their unit is the deal with
all its games.

A deal that nobody wants to be landlord of is replaced by the next shuffle of the same deal's chain of seeds.
Results depend on the seed alone, not on the number of processes.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from multiprocessing import active_children, get_context
from statistics import fmean, stdev
from typing import TextIO

from dizhu.bots import Bot, create
from dizhu.errors import DizhuError
from dizhu.game.deal import Deal, shuffled
from dizhu.game.engine import Game
from dizhu.game.variant import Variant
from dizhu.game.view import Result
from dizhu.variants import variant

_SHUFFLES = 1000
_CHUNKS_PER_PROCESS = 20
_NORMAL_95 = 1.96
_BAR = 40
_TENTHS = 10


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays whom at what: the names of two bots and of a variant, and the seed of all cards and bots."""

    first: str
    second: str
    variant: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand as a seat of the first bot saw it."""

    landlord: bool
    won: bool
    points: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game of a deal: see the module for `won` and `points`."""

    won: float
    points: int
    hands: tuple[Hand, ...]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its 95 % interval (None: a single deal says nothing about the spread)."""

    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a match came to. `deals` has the games of each deal, in order."""

    match: Match
    deals: tuple[tuple[Outcome, ...], ...]

    @property
    def won(self) -> Mean:
        """The share won by the first bot."""
        return _mean(fmean(game.won for game in games) for games in self.deals)

    @property
    def points(self) -> Mean:
        """The points a game that the first bot took from the second."""
        return _mean(fmean(game.points for game in games) for games in self.deals)

    def hands(self, *, landlord: bool) -> list[Hand]:
        """All hands that the first bot's seats played in a role."""
        hands = (hand for games in self.deals for game in games for hand in game.hands)
        return [hand for hand in hands if hand.landlord == landlord]

    def as_json(self) -> dict[str, object]:
        """Give the figures as the command prints them with `--json`."""
        return {
            "wp": self.won.value,
            "wp_ci": self.won.interval or (None, None),
            "adp": self.points.value,
            "adp_ci": self.points.interval or (None, None),
            "deals": len(self.deals),
            "games": sum(map(len, self.deals)),
            "landlord": _role(self.hands(landlord=True)),
            "farmer": _role(self.hands(landlord=False)),
        }

    def as_text(self) -> str:
        """Give the figures as the command prints them for people."""
        match, won, points = self.match, self.won, self.points
        played = f"{len(self.deals):,} deals, {sum(map(len, self.deals)):,} games"
        lines = [
            f"{match.first} against {match.second} at {match.variant}: {played}",
            f"won          {won.value:6.3f}   {_interval(won, '.3f')}   (0.5: equal)",
            f"points       {points.value:+6.2f}   {_interval(points, '+.2f')}   a game",
        ]
        for name, landlord in (("as landlord", True), ("as farmer", False)):
            role = _role(self.hands(landlord=landlord))
            if role["hands"]:
                points_a_hand = f"{role['adp']:+.2f} points a hand, {role['hands']:,} hands"
                lines.append(f"{name:<12} {role['wp']:6.3f}   {points_a_hand}")
        return "\n".join(lines)


Progress = Callable[[int], None]


def run(match: Match, deals: int, processes: int | None = None, progress: Progress | None = None) -> Report:
    """Play a match; `progress` is told the number of deals done. Raises UnknownName, or DizhuError `bad_number`."""
    if deals < 1:
        raise DizhuError("bad_number", f"the number of deals must be at least 1, not {deals}")
    variant(match.variant)
    for name in (match.first, match.second):
        create(name, seed=0)
    processes = min(processes or os.cpu_count() or 1, deals)
    done: dict[int, tuple[Outcome, ...]] = {}
    for results in _spread(match, _chunks(deals, processes), processes):
        done.update(results)
        if progress:
            progress(len(done))
    return Report(match, tuple(done[number] for number in range(deals)))


def _chunks(deals: int, processes: int) -> list[range]:
    size = max(1, deals // (processes * _CHUNKS_PER_PROCESS))
    return [range(at, min(at + size, deals)) for at in range(0, deals, size)]


def _spread(match: Match, chunks: list[range], processes: int) -> Iterator[dict[int, tuple[Outcome, ...]]]:
    if processes == 1:
        for chunk in chunks:
            yield play_deals(match, chunk)
        return
    others = active_children()
    with ProcessPoolExecutor(processes, get_context("spawn"), _end_when_interrupted) as pool:
        try:
            for future in as_completed([pool.submit(play_deals, match, chunk) for chunk in chunks]):
                yield future.result()
        except BaseException:
            # The chunks that are still to come would be waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                if worker not in others:
                    worker.terminate()
            raise


def _end_when_interrupted() -> None:
    """Let Ctrl+C end a worker at once and without a word; by default it would go on with its next chunk."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def play_deals(match: Match, numbers: Iterable[int]) -> dict[int, tuple[Outcome, ...]]:
    """Play the deals of these numbers with every line-up."""
    return {number: play_deal(match, number) for number in numbers}


def play_deal(match: Match, number: int) -> tuple[Outcome, ...]:
    """Play one deal with every line-up."""
    game = variant(match.variant)
    line_ups = _line_ups(game, _shuffle(match, number, 0))
    return tuple(_play(match, number, seats) for seats in line_ups)


def _line_ups(game: Variant, deal: Deal) -> list[frozenset[int]]:
    """List the sets of seats that the first bot holds."""
    seats = frozenset(range(game.seats))
    if game.marked:
        landlords = frozenset(Game(game, deal).state.all_landlords)
        return [landlords, seats - landlords]
    alone = [frozenset({seat}) for seat in sorted(seats)]
    return list(dict.fromkeys([*alone, *(seats - one for one in alone)]))


def _play(match: Match, number: int, seats: frozenset[int]) -> Outcome:
    """Play one game, with new shuffles until somebody is landlord."""
    game = variant(match.variant)
    bots = [
        create(match.first if seat in seats else match.second, _seed(match, number, f"seat {seat}"))
        for seat in range(game.seats)
    ]
    for attempt in range(_SHUFFLES):
        result = _play_hand(Game(game, _shuffle(match, number, attempt)), bots)
        if result is not None:
            return _outcome(result, seats)
    message = f"{match.first} and {match.second} declined {_SHUFFLES} shuffles in a row to be landlord"
    raise DizhuError("no_landlord", message)


def _play_hand(game: Game, bots: list[Bot]) -> Result | None:
    while game.turn:
        seat = game.turn[0]
        game.act(seat, bots[seat].act(game.view(seat)))
    return game.result


def _shuffle(match: Match, number: int, attempt: int) -> Deal:
    return shuffled(variant(match.variant), _seed(match, number, f"shuffle {attempt}"))


def _seed(match: Match, number: int, what: str) -> bytes:
    return sha256(f"arena {match.seed}, deal {number}, {what}".encode()).digest()


def _outcome(result: Result, seats: frozenset[int]) -> Outcome:
    others = frozenset(range(len(result.points))) - seats
    winners = frozenset(result.winners)
    return Outcome(
        won=(len(seats & winners) / len(seats) + len(others - winners) / len(others)) / 2,
        points=sum(result.points[seat] for seat in seats),
        hands=tuple(
            Hand(seat in result.landlords, seat in result.winners, result.points[seat]) for seat in sorted(seats)
        ),
    )


def _mean(values: Iterable[float]) -> Mean:
    values = list(values)
    mean = fmean(values)
    if len(values) < 2:
        return Mean(mean, None)
    half = _NORMAL_95 * stdev(values) / sqrt(len(values))
    return Mean(mean, (mean - half, mean + half))


def _role(hands: list[Hand]) -> dict[str, float | int | None]:
    return {
        "hands": len(hands),
        "wp": fmean(hand.won for hand in hands) if hands else None,
        "adp": fmean(hand.points for hand in hands) if hands else None,
    }


def _interval(mean: Mean, form: str) -> str:
    return f"[{mean.interval[0]:{form}}, {mean.interval[1]:{form}}]" if mean.interval else "[one deal: no interval]"


def command(match: Match, deals: int, processes: int | None, *, as_json: bool) -> int:
    """Play a match for the terminal: figures on standard output, progress on standard error."""
    report = run(match, deals, processes, _progress(deals, sys.stderr))
    sys.stdout.write((json.dumps(report.as_json()) if as_json else report.as_text()) + "\n")
    return 0


def _progress(deals: int, out: TextIO) -> Progress:
    """Draw a bar on a terminal, else write a line for every tenth part."""
    told = 0

    def draw(done: int) -> None:
        filled = _BAR * done // deals
        out.write(f"\r[{'#' * filled}{'.' * (_BAR - filled)}] {done:,} of {deals:,} deals")
        out.write("\n" if done == deals else "")
        out.flush()

    def tell(done: int) -> None:
        nonlocal told
        if done * _TENTHS // deals > told:
            told = done * _TENTHS // deals
            out.write(f"{done:,} of {deals:,} deals\n")
            out.flush()

    return draw if out.isatty() else tell
