"""What a bot is: something that answers a view with one of the actions the view allows."""

from __future__ import annotations

from typing import Protocol

from dizhu.game.view import View

Seed = int | bytes


class Bot(Protocol):
    """A player. It knows nothing of a hand but its view.

    A bot is a function of its seed and the view: asked the same again, it answers the same. So it may be made anew at
    any time, and one bot can play any number of seats and hands.

    Whoever looks far ahead says so by an attribute `ponders` that is True: a server asks him in a thread.
    """

    def act(self, view: View) -> str:
        """Answer a question that is put to `view.seat` now: one of `view.legal`."""
        ...
