"""What answers for a seat when no person does."""

from __future__ import annotations

import asyncio
import secrets

from dizhu import bots
from dizhu.bots import Bot
from dizhu.errors import DizhuError, UnknownName
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.network import judge
from dizhu.network.prospects import prospects
from dizhu.variants import variant

USUAL = "normal"
"""The bot to play with if nobody has chosen one, in games that can be played with it."""

_WITHOUT_NETWORKS = ("random", "rule")


def offered(game: Variant) -> tuple[str, ...]:
    """Name the bots that people are offered in a game, the weakest first: its levels, or `rule` if it has none."""
    levels = tuple(name for name in bots.names() if name not in _WITHOUT_NETWORKS)
    return levels if levels and _has_networks(variant(game.name)) else ("rule",)


def playable(game: Variant) -> tuple[str, ...]:
    """Name all bots that can play a game."""
    return tuple(dict.fromkeys((*_WITHOUT_NETWORKS, *offered(game))))


def check_bot(name: str, game: Variant) -> None:
    """Raise UnknownName unless a bot can play a game."""
    if name not in playable(game):
        there = ", ".join(playable(game))
        raise UnknownName("unknown_bot", f"there is no bot {name!r} for {game.name}; there are {there}")


def usual(game: Variant, name: str = USUAL) -> str:
    """Choose the bot of a name if it is offered in a game, else the one that is there for all games."""
    return name if name in offered(game) else "rule"


def _has_networks(game: Variant) -> bool:
    try:
        judge(game)
        prospects(game)
    except DizhuError:
        return False
    return True


def new_bot(name: str) -> Bot:
    """Make a bot that nobody can foretell; raises UnknownName."""
    return bots.create(name, secrets.token_bytes(32))


async def answer_of(bot: Bot, view: View) -> str:
    """Ask a bot. One that ponders does so in a thread, so that nobody else has to wait for it."""
    if getattr(bot, "ponders", False):
        return await asyncio.to_thread(bot.act, view)
    return bot.act(view)


def default_action(view: View) -> str:
    """Answer for somebody who did not answer in time: decline, pass, or the lowest lead."""
    for word in ("no", "pass"):
        if word in view.legal:
            return word
    return view.legal[0]
