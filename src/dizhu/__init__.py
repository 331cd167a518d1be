"""Dou Dizhu (斗地主): exact rules, whole hands, records, bots and a server for six forms of the game.

>>> import dizhu
>>> game = dizhu.variant("classic")
>>> game.moves("3334", against="4")
[]
>>> hand = dizhu.Game(game, dizhu.position(game, hands=["35", "66", "77"]))
>>> [event.kind for event in hand.act(0, "bid 3")]
['bid', 'landlord', 'bottom']
"""

from importlib import import_module
from typing import TYPE_CHECKING

from dizhu.errors import DizhuError, IllegalAction, InvalidDeal, ParseError, UnknownName

# At once, unlike the names below: the package `dizhu.variants` would take the place of the function.
from dizhu.variants import variant, variants

__version__ = "0.1.0"

__all__ = [
    "Combo",
    "Deal",
    "DizhuError",
    "Event",
    "Game",
    "IllegalAction",
    "InvalidDeal",
    "ParseError",
    "Result",
    "Stakes",
    "UnknownName",
    "Variant",
    "View",
    "position",
    "shuffled",
    "variant",
    "variants",
]

if TYPE_CHECKING:
    from dizhu.game.deal import Deal, position, shuffled
    from dizhu.game.engine import Game
    from dizhu.game.state import Stakes
    from dizhu.game.variant import Variant
    from dizhu.game.view import Event, Result, View
    from dizhu.rules.combos import Combo
else:
    # What most programs do not need at once is imported when it is first asked for.
    _MODULES = {
        "Combo": "rules.combos",
        "Deal": "game.deal",
        "Event": "game.view",
        "Game": "game.engine",
        "Result": "game.view",
        "Stakes": "game.state",
        "Variant": "game.variant",
        "View": "game.view",
        "position": "game.deal",
        "shuffled": "game.deal",
    }

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULES})
