"""What answers for a seat when no person does."""

from __future__ import annotations

import secrets

from dizhu import bots
from dizhu.bots import Bot
from dizhu.game.view import View


def new_bot(name: str) -> Bot:
    """Make a bot that nobody can foretell; raises UnknownName."""
    return bots.create(name, secrets.token_bytes(32))


def default_action(view: View) -> str:
    """Answer for somebody who did not answer in time: decline, pass, or the lowest lead."""
    for word in ("no", "pass"):
        if word in view.legal:
            return word
    return view.legal[0]
