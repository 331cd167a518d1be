"""One hand at a table: the game, and the seed its cards come from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dizhu.game.deal import Deal
from dizhu.game.engine import Game
from dizhu.game.shuffle import commitment
from dizhu.game.variant import Variant

Dealer = Callable[[Variant, bytes, int | None, Sequence[bytes]], Deal]
"""Makes a deal from a seed and what players added; the first seat is given, or drawn if None. See `dizhu.shuffled`."""


class Hand:
    """A hand from its deal to its end. `number` counts the hands of the table from 1, `refused` unwanted deals."""

    def __init__(self, game: Game, number: int, seed: bytes, refused: int = 0) -> None:
        self.game = game
        self.number = number
        self.seed = seed
        self.commitment = commitment(seed)
        self.refused = refused

    @property
    def ended(self) -> bool:
        """Whether nothing more can be done in this hand."""
        return not self.game.turn

    @property
    def shown_seed(self) -> str | None:
        """The seed as hex, which nobody may know before the end."""
        return self.seed.hex() if self.ended else None

    def following_first(self) -> int | None:
        """Tell which seat is asked first in the next hand; None: it is drawn."""
        variant = self.game.variant
        return (self.game.deal.first + 1) % variant.seats if variant.first == "rotates" else None
