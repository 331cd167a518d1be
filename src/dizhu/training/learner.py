"""The compiled learner of a game."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from dizhu import _core
from dizhu.bots.beliefs import beliefs
from dizhu.errors import DizhuError, UnknownName
from dizhu.game.variant import Variant
from dizhu.network.judges import shipped
from dizhu.network.scenes import shows_bottom
from dizhu.network.stored import floats, read
from dizhu.rules.native import FAMILIES
from dizhu.variants import variant, variants

if TYPE_CHECKING:
    from dizhu._core._learn import Learner

_STEPS_SIZE = 8
"""Bytes of the number of steps at the end of a role's state."""


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
        beliefs=beliefs(game),
        seed=seed,
        threads=threads,
    )


def weights_of(made: Learner, file: Path) -> bytes:
    """Read networks as a learner has them.

    Raises UnknownName `no_file`, DizhuError `no_networks` if they are of a game with other facts.
    """
    if not file.exists():
        raise UnknownName("no_file", f"there is no file {file}")
    stored = read(file)
    if (stored.facts, stored.roles) != (made.facts, made.roles):
        raise DizhuError("no_networks", f"the networks in {file} are of {stored.game}: they do not fit this game")
    return b"".join(floats(stored))


def mean_of(many: Collection[bytes]) -> bytes:
    """Average weights, number by number."""
    columns = [array("f", weights) for weights in many]
    return array("f", (sum(numbers) / len(columns) for numbers in zip(*columns, strict=True))).tobytes()


def begin_with(made: Learner, weights: bytes) -> None:
    """Give a learner other weights; what else learning goes on with begins anew."""
    size = len(weights) // made.roles
    roles = (weights[at : at + size] for at in range(0, len(weights), size))
    made.restore(b"".join(role + bytes(2 * size) + bytes(_STEPS_SIZE) for role in roles))


def _shown(game: Variant) -> int:
    """Tell in how many of four hands all see the bottom: as in the games that are played with the same networks."""
    alike = [shows_bottom(other) for other in map(variant, variants()) if shipped(other) == shipped(game)]
    return round(4 * sum(alike) / len(alike))
