"""One hand at a table: the game, and the seed its cards come from."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from dizhu.game.deal import Deal
from dizhu.game.engine import Game
from dizhu.game.shuffle import SEED_BYTES, commitment
from dizhu.game.variant import Variant

Dealer = Callable[[Variant, bytes, int | None], Deal]
"""Makes a deal from a seed; the first seat is given, or drawn from the seed if None. `dizhu.shuffled` is one."""


class Hand:
    """A hand from its deal to its end. `number` counts the hands of the table from 1."""

    def __init__(self, variant: Variant, dealer: Dealer, number: int, first: int | None) -> None:
        self.number = number
        self.seed = secrets.token_bytes(SEED_BYTES)
        self.commitment = commitment(self.seed)
        self.game = Game(variant, dealer(variant, self.seed, first))

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
