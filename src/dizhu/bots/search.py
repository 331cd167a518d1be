"""A bot that looks ahead: the moves its networks like best are tried in worlds drawn from what it does not know."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from dizhu.bots.beliefs import beliefs
from dizhu.bots.bot import Seed
from dizhu.bots.network import SCORE, NetworkBot, answers, worth
from dizhu.game.view import View
from dizhu.network import VALUE, Judge, position, scene
from dizhu.network.judges import Searcher
from dizhu.network.spot import spot
from dizhu.rules.cards import Cards
from dizhu.variants import variant


@dataclass(frozen=True)
class Depth:
    """How far to look.

    moves: how many are tried; worlds: in how many; exact: with so few cards a world is solved. prior: as how many
    worlds the network's own word counts, which has no luck in it.
    """

    moves: int = 6
    worlds: int = 120
    exact: int = 18
    prior: int = 40


class SearchBot(NetworkBot):
    """Plays like its networks, but thinks twice."""

    ponders = True

    def __init__(self, seed: Seed, depth: Depth | None = None, judges: Judge | None = None) -> None:
        """The seed, and what the seat has seen, determine the worlds that it draws."""
        super().__init__(seed, judges=judges)
        self._depth = depth or Depth()

    def ranked(self, view: View) -> list[Cards]:
        """List what may be played: what was tried, the best first, then the rest as the networks value it."""
        judges = self.judges(view)
        if not isinstance(judges, Searcher):
            return super().ranked(view)
        seen, depth = scene(view), self._depth
        moves = answers(seen)
        values = judges.values(seen.role, position(seen), seen.unseen, seen.left, seen.hand, moves)
        ordered = sorted(zip(moves, values, strict=True), key=lambda each: -worth(*each[1]))
        likely = ordered[: depth.moves]
        tried = [move for move, _ in likely]
        drawn = int.from_bytes(sha256(f"{self._seed!r} {seen.hand} {len(view.history)}".encode()).digest()[:8])
        how = tried, depth.worlds, depth.exact, SCORE, drawn, beliefs(variant(view.variant))
        found = judges.look_ahead(spot(seen).fields, how)
        opponents = len(view.counts) - len(view.landlords) if view.seat in view.landlords else len(view.landlords)
        together = [
            depth.prior * worth(*values) + worth(*_summed(depth.worlds, won, points / opponents))
            for (_, values), (won, points) in zip(likely, found, strict=True)
        ]
        best = sorted(zip(together, tried, strict=True), key=lambda pair: -pair[0])
        return [*(move for _, move in best), *(move for move, _ in ordered[depth.moves :])]


def _summed(worlds: int, won: int, points: float) -> tuple[int, int]:
    """Bring sums over worlds to the scale of a network's values: a quarter of the multiplier is 1 there."""
    return (2 * won - worlds) * VALUE, round(points / 4 * VALUE)
