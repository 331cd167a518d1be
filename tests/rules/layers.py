"""Every game twice: as it is used, with the compiled core where it could be built, and in plain Python."""

from __future__ import annotations

from dataclasses import replace

import dizhu
from dizhu import Variant
from dizhu.rules.combos import Grammar

PLAIN = " in Python"


def variants() -> tuple[str, ...]:
    """The names of all games, and the same with `PLAIN` behind."""
    return tuple(name + layer for name in dizhu.variants() for layer in ("", PLAIN))


def variant(name: str) -> Variant:
    """The game of a name from `variants`."""
    game = dizhu.variant(name.removesuffix(PLAIN))
    if not name.endswith(PLAIN):
        return game
    plain = replace(game)
    # A cached property may be set; what it holds is what all questions about combinations go to.
    vars(plain)["grammar"] = Grammar(game.shapes, game.deck.word, game.deal + game.bottom)
    return plain
