"""The seats of a table: who sits there, and who plays when nobody does."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.bots import Bot
from dizhu.game.view import View
from dizhu.protocol import Seat
from dizhu.server.accounts import Account
from dizhu.server.connection import Connection
from dizhu.server.players import default_action


def bot_name(seat: int) -> str:
    """Name the bot of a seat; people count seats from 1."""
    return f"Bot {seat + 1}"


@dataclass(eq=False, slots=True)
class Place:
    """A seat.

    account: the player, None for a bot. bot: what answers for the seat while it is played automatically.
    missed: questions in a row that the player let pass. ready: he has asked for the next hand.
    """

    name: str
    bot: Bot
    account: Account | None = None
    connection: Connection | None = None
    auto: bool = False
    missed: int = 0
    score: int = 0
    ready: bool = False

    @property
    def automatic(self) -> bool:
        """Whether the seat answers by itself."""
        return self.account is None or self.auto

    def shown(self) -> Seat:
        """Tell what everybody at the table may see of it."""
        return Seat(
            name=self.name,
            bot=self.account is None,
            connected=self.account is None or self.connection is not None,
            auto=self.auto,
            score=self.score,
        )

    def answered(self) -> None:
        """Note that the player has answered himself."""
        self.missed = 0

    def let_pass(self, *, counts: bool) -> None:
        """Note that the player did not answer in time. Twice in a row, or without a connection: the seat is automatic.

        counts: whether not answering says something; it does not where the question has an answer by default.
        """
        self.missed += counts
        if self.missed >= 2 or self.connection is None:
            self.auto = True
            self.missed = 0

    def stand_up(self, name: str) -> None:
        """Leave the seat to its bot, of that name."""
        self.name = name
        self.account = None
        self.connection = None
        self.auto = False
        self.missed = 0

    def choose(self, view: View) -> str:
        """Answer for the seat, automatically or because its time is up."""
        return self.bot.act(view) if self.automatic else default_action(view)
