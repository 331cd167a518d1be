"""The levels that players choose from. All play by the shipped networks; what differs is care and foresight."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from dizhu import _core
from dizhu.bots.bot import Bot, Seed
from dizhu.bots.network import NetworkBot
from dizhu.bots.search import SearchBot

EASY, NORMAL = 0.2, 0.06
"""How careless the lower levels are, see `NetworkBot`; docs/strength.md has what the levels win against each other."""

LEVELS: dict[str, Callable[[Seed], Bot]] = {
    "easy": lambda seed: NetworkBot(seed, EASY),
    "normal": lambda seed: NetworkBot(seed, NORMAL),
    "hard": NetworkBot,
    "master": SearchBot,
}


def available() -> bool:
    """Tell whether anything here computes networks."""
    return _core.judge_type() is not None or find_spec("numpy") is not None
