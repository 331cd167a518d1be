"""What answers for a seat when no person does."""

from __future__ import annotations

import asyncio
import secrets

from dizhu import bots
from dizhu.bots import Bot
from dizhu.game.view import View


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
