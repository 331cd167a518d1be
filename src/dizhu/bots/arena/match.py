"""The games of a match: who sits where, what is dealt, how each game came out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from dizhu.bots import Bot, create
from dizhu.bots.program import ProgramBot, check_program, is_program, running
from dizhu.errors import DizhuError
from dizhu.game.change import replace
from dizhu.game.deal import shuffled
from dizhu.game.engine import Game
from dizhu.game.phases.call_rob import CallRob
from dizhu.game.phases.settle import Settle
from dizhu.game.play_only import play_only
from dizhu.game.shuffle import Stream
from dizhu.game.variant import Variant
from dizhu.game.view import Result
from dizhu.variants import variant

_SHUFFLES = 1000
TIME_LIMIT = 10.0


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays whom at what: the names of two bots and of a variant, and the seed of all cards and bots.

    fixed_landlord: whether the play alone is played, with landlords that are given. time_limit: seconds that a program
    has for an answer.
    """

    first: str
    second: str
    variant: str
    seed: int = 0
    fixed_landlord: bool = False
    time_limit: float = TIME_LIMIT

    @property
    def game(self) -> str:
        """Name what is played."""
        return f"{self.variant}, landlord fixed" if self.fixed_landlord else self.variant

    def check(self) -> None:
        """Raise UnknownName unless there are these bots and this variant."""
        variant(self.variant)
        for name in (self.first, self.second):
            if is_program(name):
                check_program(name)
            else:
                create(name, seed=0)


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand as a seat of the first bot saw it."""

    landlord: bool
    won: bool
    points: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game of a deal: see the package for `won` and `points`."""

    won: float
    points: int
    hands: tuple[Hand, ...]


def play_deals(match: Match, numbers: Iterable[int]) -> dict[int, tuple[Outcome, ...]]:
    """Play the deals of these numbers with every line-up."""
    return {number: play_deal(match, number) for number in numbers}


def play_deal(match: Match, number: int) -> tuple[Outcome, ...]:
    """Play one deal with every line-up."""
    return tuple(_play(match, number, seats) for seats in _line_ups(match, number))


def _line_ups(match: Match, number: int) -> list[frozenset[int]]:
    """List the sets of seats that the first bot holds."""
    game = variant(match.variant)
    seats = frozenset(range(game.seats))
    if match.fixed_landlord or game.marked:
        landlords = frozenset(start(match, number).state.all_landlords)
        return [landlords, seats - landlords]
    alone = [frozenset({seat}) for seat in sorted(seats)]
    return list(dict.fromkeys([*alone, *(seats - one for one in alone)]))


def _play(match: Match, number: int, seats: frozenset[int]) -> Outcome:
    """Play one game, with new shuffles until somebody is landlord."""
    bots = [
        _bot(match, match.first if seat in seats else match.second, _seed(match, number, f"seat {seat}"))
        for seat in range(variant(match.variant).seats)
    ]
    for attempt in range(_SHUFFLES):
        result = _play_hand(start(match, number, attempt), bots)
        if result is not None:
            return _outcome(result, seats)
    message = f"{match.first} and {match.second} declined {_SHUFFLES} shuffles in a row to be landlord"
    raise DizhuError("no_landlord", message)


def _bot(match: Match, name: str, seed: bytes) -> Bot:
    return ProgramBot(running(name, match.time_limit), seed) if is_program(name) else create(name, seed)


def _play_hand(game: Game, bots: list[Bot]) -> Result | None:
    while game.turn:
        seat = game.turn[0]
        game.act(seat, bots[seat].act(game.view(seat)))
    for program in dict.fromkeys(bot.program for bot in bots if isinstance(bot, ProgramBot)):
        program.end_hand(game.result)
    return game.result


def start(match: Match, number: int, attempt: int = 0) -> Game:
    """Begin a hand of a deal; `attempt` counts the shuffles that nobody wanted to be landlord of."""
    game = variant(match.variant)
    seed = _seed(match, number, f"shuffle {attempt}")
    if not match.fixed_landlord:
        return Game(game, shuffled(game, seed))
    let = Stream(_seed(match, number, "let")).below(_most_let(game) + 1)
    return Game(_with_fixed_landlord(game, let), shuffled(game, seed, None if game.marked else 0))


@lru_cache
def _with_fixed_landlord(game: Variant, let: int) -> Variant:
    """Make the game of the play alone, where nothing but bombs and rockets multiplies."""
    alone = play_only(game, let)
    settle = alone.phases[-1]
    assert isinstance(settle, Settle)
    return replace(alone, phases=(*alone.phases[:-1], replace(settle, spring=False)), options=(), cap=None)


def _most_let(game: Variant) -> int:
    """Tell how many let cards robbing can bring."""
    return max((phase.max_robs or 0 for phase in game.phases if isinstance(phase, CallRob) and phase.let), default=0)


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
