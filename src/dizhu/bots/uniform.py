"""The bot `random`: any legal answer, each equally likely."""

from __future__ import annotations

from random import Random

from dizhu.bots.bot import Seed
from dizhu.game.view import View


class UniformBot:
    """Draws from `view.legal`."""

    def __init__(self, seed: Seed) -> None:
        self._seed = seed

    def act(self, view: View) -> str:
        """Draw one legal answer; the draw depends on the seed and on what has happened so far, as this seat sees it."""
        seen = (self._seed, view.seat, view.phase, view.moment, view.hands, view.answers, view.history)
        return Random(repr(seen)).choice(view.legal)
