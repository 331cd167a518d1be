"""The compiled learner of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dizhu import _core
from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.network.judges import shipped
from dizhu.network.scenes import shows_bottom
from dizhu.rules.native import FAMILIES
from dizhu.variants import variant, variants

if TYPE_CHECKING:
    from dizhu._core._learn import Learner


def learner(game: Variant, seed: int, threads: int = 1) -> Learner:
    """Make the networks of a game's roles, which know nothing yet. With one thread a run depends on the seed alone.

    Roles are the seats, from the landlord on; with a marked card they are the open landlord, the hidden one, farmers.
    Raises DizhuError `no_core` where the C core was not built, or is switched off.
    """
    family = FAMILIES.get(game.shapes)
    made = _core.learner_type()
    if made is None or family is None:
        raise DizhuError("no_core", "training needs the C core, which is not there or does not know this game")
    return made(
        family=family,
        seats=game.seats,
        deal=game.deal,
        bottom=game.bottom,
        deck=game.deck.word,
        marked=game.marked,
        shown=_shown(game),
        seed=seed,
        threads=threads,
    )


def _shown(game: Variant) -> int:
    """Tell in how many of four hands all see the bottom: as in the games that are played with the same networks."""
    alike = [shows_bottom(other) for other in map(variant, variants()) if shipped(other) == shipped(game)]
    return round(4 * sum(alike) / len(alike))
