"""The compiled learner of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dizhu import _core
from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.network.facts import shows_bottom
from dizhu.rules.native import FAMILIES

if TYPE_CHECKING:
    from dizhu._core._learn import Learner


def learner(variant: Variant, seed: int, threads: int = 1) -> Learner:
    """Make the networks of a game's roles, which know nothing yet. With one thread a run depends on the seed alone.

    Roles are the seats, from the landlord on; with a marked card they are the open landlord, the hidden one, farmers.
    Raises DizhuError `no_core` where the C core was not built, or is switched off.
    """
    family = FAMILIES.get(variant.shapes)
    made = _core.learner_type()
    if made is None or family is None:
        raise DizhuError("no_core", "training needs the C core, which is not there or does not know this game")
    return made(
        family=family,
        seats=variant.seats,
        deal=variant.deal,
        bottom=variant.bottom,
        deck=variant.deck.word,
        marked=variant.marked,
        shown=shows_bottom(variant),
        seed=seed,
        threads=threads,
    )
