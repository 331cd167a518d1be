"""The bot `rule`: plans its hand, counts cards, and weighs what a move leaves against what it gives away."""

from __future__ import annotations

from dizhu.bots.bidding import answer
from dizhu.bots.bot import Seed
from dizhu.bots.knowledge import conclude
from dizhu.bots.play import Chooser
from dizhu.bots.weights import Weights
from dizhu.game.view import View


class RuleBot:
    """Plays by plan and estimate; never at random."""

    def __init__(self, seed: Seed, weights: Weights | None = None) -> None:
        """Its play does not depend on the seed."""
        self._weights = weights or Weights()

    def act(self, view: View) -> str:
        """Answer a question."""
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase == "play":
            return Chooser(conclude(view), self._weights).choose()
        return answer(view, self._weights)
