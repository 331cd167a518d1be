"""A bot that plays by networks, without looking ahead."""

from __future__ import annotations

from dizhu.bots.bidding import answer
from dizhu.bots.bot import Seed
from dizhu.bots.weights import Weights
from dizhu.game.physical import rank_word
from dizhu.game.view import View
from dizhu.network import Scene, judge, position, scene
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.variants import variant

SCORE = 128
"""What points weigh beside winning, in 256ths, when a move is chosen; networks learn from play that chooses so."""


class NetworkBot:
    """Plays what its network values most."""

    def __init__(self, seed: Seed) -> None:
        """Its play does not depend on the seed."""

    def act(self, view: View) -> str:
        """Answer a question."""
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase != "play":
            return answer(view, Weights())
        return self.play(view)

    def play(self, view: View) -> str:
        """Answer the question for a move."""
        seen = scene(view)
        moves = answers(seen)
        values = judge(variant(view.variant)).values(seen.role, position(seen), seen.hand, moves)
        return action(max(zip(moves, values, strict=True), key=lambda each: worth(*each[1]))[0])


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
