"""The same combinations from the C core, where it is there and knows the rows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from dizhu import _core
from dizhu.rules.combos import Combo, Grammar
from dizhu.rules.search import REMEMBERED
from dizhu.rules.shapes import DISTINCT, PAIRS_ONLY, STANDARD

if TYPE_CHECKING:
    from dizhu._core._native import Rules
    from dizhu.rules.cards import Cards
    from dizhu.rules.shapes import Shape

FAMILIES = {STANDARD: "standard", DISTINCT: "distinct", PAIRS_ONLY: "pairs_only"}
"""The rows that the core was compiled for, and what it calls them."""


def grammar(shapes: tuple[Shape, ...], deck: Cards, largest: int) -> Grammar:
    """Make the grammar of a game: the core's if it can, else the plain one; results and their order are the same."""
    family = FAMILIES.get(shapes)
    if _core.Rules is None or family is None:
        return Grammar(shapes, deck, largest)
    return NativeGrammar(shapes, deck, largest, _core.Rules(family, 2, 1, largest - 1, deck))


class NativeGrammar(Grammar):
    """A grammar whose searches run in C."""

    def __init__(self, shapes: tuple[Shape, ...], deck: Cards, largest: int, core: Rules) -> None:
        """Take the compiled rules besides what a plain grammar takes."""
        super().__init__(shapes, deck, largest)
        self._core = core
        self.words = core.words  # called straight away, for what lies between is a third of the time
        self.classify = lru_cache(REMEMBERED)(self._classify_natively)
        self._combo_fields = lru_cache(REMEMBERED)(self.name)

    def moves(self, hand: Cards, against: Combo | None = None) -> list[Combo]:
        """List the combinations in a hand that may be played, as the plain grammar does."""
        fields = self._combo_fields
        return [Combo(*fields(key), cards) for cards, key in self._core.pairs(hand, against.key if against else 0)]

    def texts(self, hand: Cards, against: Combo | None = None) -> list[str]:
        """List the same combinations as text."""
        return self._core.texts(hand, against.key if against else 0)

    def _classify_natively(self, cards: Cards) -> Combo | None:
        key = self._core.key(cards)
        return Combo(*self.name(key), cards) if key else None
