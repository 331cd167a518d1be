"""Dou Dizhu (斗地主): exact rules, whole hands, records, bots and a server for six forms of the game.

>>> game = variant("classic")
>>> game.moves("3334", against="4")
[]
>>> hand = Game(game, position(game, hands=["35", "66", "77"]))
>>> [event.kind for event in hand.act(0, "bid 3")]
['bid', 'landlord', 'bottom']
"""

from dizhu.errors import DizhuError, IllegalAction, InvalidDeal, ParseError, UnknownName
from dizhu.game.deal import Deal, position, shuffled
from dizhu.game.engine import Game
from dizhu.game.state import Stakes
from dizhu.game.variant import Variant
from dizhu.game.view import Event, Result, View
from dizhu.rules.combos import Combo
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
