"""Bots that play by networks, without looking ahead."""

from __future__ import annotations

from hashlib import sha256
from math import log

from dizhu.bots import stakes
from dizhu.bots.bot import Seed
from dizhu.game.physical import rank_word
from dizhu.game.view import View
from dizhu.network import VALUE, Judge, Scene, judge, position, scene
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.variants import variant

SCORE = 32
"""What points weigh beside winning, in 256ths, when a move is chosen; networks learn from play that chooses so."""


class NetworkBot:
    """Plays what its network values most.

    carelessness: how far apart two moves may be, in the scale where a hand won is 1 and one lost is -1, so that it
    confuses them often (0: never).
    """

    def __init__(self, seed: Seed, carelessness: float = 0.0, judges: Judge | None = None) -> None:
        """The seed decides only what a careless bot confuses. judges: other networks than the shipped ones."""
        self._seed = seed
        self._carelessness = carelessness
        self._judges = judges

    def act(self, view: View) -> str:
        """Answer a question."""
        if len(view.legal) == 1:
            return view.legal[0]
        return self.play(view) if view.phase == "play" else stakes.answer(view)

    def play(self, view: View) -> str:
        """Answer the question for a move."""
        return action(self.ranked(view)[0])

    def ranked(self, view: View) -> list[Cards]:
        """List what may be played (0: a pass), the best first, and equals as the rules list them."""
        seen = scene(view)
        moves = answers(seen)
        worths: list[float] = [
            worth(*pair)
            for pair in self.judges(view).values(seen.role, position(seen), seen.unseen, seen.left, seen.hand, moves)
        ]
        if self._carelessness:
            worths = [value + self._error(view, move) for value, move in zip(worths, moves, strict=True)]
        return [move for _, move in sorted(zip(worths, moves, strict=True), key=lambda pair: -pair[0])]

    def judges(self, view: View) -> Judge:
        """Take the networks of the game."""
        return self._judges or judge(variant(view.variant))

    def _error(self, view: View, move: Cards) -> float:
        """Draw an error (Gumbel's distribution, so that choices follow a softmax of the values)."""
        seen = f"{self._seed!r} {view.seat} {view.hands} {len(view.history)} {move}"
        drawn = (int.from_bytes(sha256(seen.encode()).digest()[:7]) + 0.5) / 2**56
        return -log(-log(drawn)) * self._carelessness * worth(VALUE, 0)


def answers(seen: Scene) -> list[Cards]:
    """List what a seat may play, 0 a pass."""
    grammar, table = variant(seen.view.variant).grammar, seen.view.table
    if table is None:
        return grammar.words(seen.hand)
    against = grammar.classify(rank_word(table.cards))
    assert against is not None
    return [0, *grammar.words(seen.hand, against.key)]


def worth(win: int, points: int) -> int:
    """Weigh the two values of a move."""
    return win * 256 + points * SCORE


def action(move: Cards) -> str:
    """Write a move as an action."""
    return f"play {c.format_cards(move)}" if move else "pass"
