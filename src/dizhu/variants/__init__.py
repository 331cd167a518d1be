"""The six games, one file each; a new game is a new file in this folder that defines `VARIANT`."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from dizhu.errors import UnknownName

if TYPE_CHECKING:
    from dizhu.game.options import OptionValue
    from dizhu.game.variant import Variant


@cache
def variants() -> tuple[str, ...]:
    """Name all games, in alphabetical order."""
    # pathlib and pkgutil would take longer to import than all six games.
    files = [entry.removesuffix(".py") for entry in os.listdir(__path__[0]) if entry.endswith(".py")]  # noqa: PTH208
    return tuple(sorted(name for name in files if not name.startswith("_")))


def variant(name: str, /, **options: OptionValue) -> Variant:
    """Look a game up by its name, with other options than its own if some are given.

    Raises UnknownName `unknown_variant` or `unknown_option`, or ParseError `bad_option`.

    >>> variant("classic").classify("33344456").kind
    'trio_solo_chain'
    >>> variant("classic", cap=16).cap
    16
    """
    if name not in variants():
        raise UnknownName("unknown_variant", f"there is no variant {name!r}; there are {', '.join(variants())}")
    game: Variant = import_module(f"{__name__}.{name}").VARIANT
    return game.with_options(options)
