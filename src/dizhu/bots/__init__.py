"""Players that are programs. `names()` lists them, `create` makes one.

>>> from dizhu import Game, shuffled, variant
>>> classic = variant("classic")
>>> view = Game(classic, shuffled(classic, bytes(32), first=0)).view(0)
>>> create("random", seed=1).act(view) in view.legal
True
"""

from __future__ import annotations

from collections.abc import Callable

from dizhu.bots import levels
from dizhu.bots.bot import Bot, Seed
from dizhu.bots.rule import RuleBot
from dizhu.bots.uniform import UniformBot
from dizhu.errors import UnknownName

__all__ = ["Bot", "Seed", "create", "names"]

_STRENGTH = ("random", "easy", "rule", "normal", "hard", "master")
_ALL: dict[str, Callable[[Seed], Bot]] = {
    "random": UniformBot,
    "rule": RuleBot,
    **(levels.LEVELS if levels.available() else {}),
}
_BOTS = {name: _ALL[name] for name in _STRENGTH if name in _ALL}


def names() -> tuple[str, ...]:
    """Name all bots, the weakest first."""
    return tuple(_BOTS)


def create(name: str, seed: Seed) -> Bot:
    """Make a bot by its name; raises UnknownName. Equal seeds make bots that play alike."""
    if name not in _BOTS:
        raise UnknownName("unknown_bot", f"there is no bot {name!r}; there are {', '.join(names())}")
    return _BOTS[name](seed)
