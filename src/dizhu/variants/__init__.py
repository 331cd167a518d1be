"""The six games, one file each; a new game is a new file in this folder that defines `VARIANT`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from dizhu.errors import UnknownName
from dizhu.game.variant import Variant


@cache
def variants() -> tuple[str, ...]:
    """Name all games, in alphabetical order."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def variant(name: str) -> Variant:
    """Look a game up by its name; raises UnknownName.

    >>> variant("classic").classify("33344456").kind
    'trio_solo_chain'
    """
    if name not in variants():
        raise UnknownName("unknown_variant", f"there is no variant {name!r}; there are {', '.join(variants())}")
    game: Variant = import_module(f"{__name__}.{name}").VARIANT
    return game
