"""The seats of a table: who sits there, and who plays when nobody does."""

from __future__ import annotations

from dataclasses import dataclass, field

from dizhu.bots import Bot
from dizhu.game.view import View
from dizhu.protocol import PurseMessage, Seat
from dizhu.server.accounts import Account
from dizhu.server.connection import Connection
from dizhu.server.limits import Bucket
from dizhu.server.players import answer_of, default_action, new_bot
from dizhu.server.settings import Rate, Settings
from dizhu.server.store.log import Sitting


@dataclass(eq=False, slots=True)
class Place:
    """A seat.

    account: the player; None for a bot, and for an empty seat. bot: the kind of bot that sits here; None likewise.
    player: what answers for the seat while it is played automatically.
    owner: who takes the result of the hand, also if he has left meanwhile.
    missed: questions in a row that the player let pass. ready: he has asked for the next hand.
    entropy: what he adds to its shuffle. grace: seconds past the end of his time in which he is still heard.
    gone_at: since when he is not connected. address: where he was connected from last. title: the step of his ladder.
    purse: what he owns, if he has still to be told. deaf: whose talk he does not get. talk: how much he may say.
    """

    name: str
    account: Account | None = None
    bot: str | None = None
    player: Bot | None = None
    owner: Account | None = None
    connection: Connection | None = None
    auto: bool = False
    missed: int = 0
    score: int = 0
    ready: bool = False
    entropy: bytes | None = None
    grace: float = 0.0
    gone_at: float | None = None
    address: str | None = None
    title: int | None = None
    purse: PurseMessage | None = None
    deaf: set[int] = field(default_factory=set[int])
    talk: Bucket = field(default=Bucket(Rate(0, 0), 0.0))

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return self.account is None and self.bot is None

    @property
    def automatic(self) -> bool:
        """Whether the seat answers by itself."""
        return self.account is None or self.auto

    def shown(self) -> Seat:
        """Tell what everybody at the table may see of it."""
        return Seat(
            name=self.name,
            account=None if self.account is None else self.account.id,
            bot=self.bot is not None,
            connected=self.account is None or self.connection is not None,
            auto=self.auto,
            ready=self.ready,
            score=self.score,
            title=self.title,
        )

    def sitting(self) -> Sitting | None:
        """Tell what has to be known of it after a restart."""
        if self.empty:
            return None
        return Sitting(self.name, None if self.account is None else self.account.id, self.bot, self.score)

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

    def become(self, sitting: Sitting | None, settings: Settings) -> None:
        """Give the seat to a player, a bot, or nobody. Who takes the result of a running hand stays the same."""
        self.name = "" if sitting is None else sitting.name
        self.score = 0 if sitting is None else sitting.score
        self.account = self.bot = self.player = self.connection = None
        if sitting is not None and sitting.account is not None:
            self.account = Account(sitting.account, sitting.name)
            self.player = new_bot(settings.stand_in)
        elif sitting is not None and sitting.bot is not None:
            self.bot = sitting.bot
            self.player = new_bot(sitting.bot)
        self.auto = self.ready = False
        self.missed = 0
        self.entropy = self.gone_at = self.address = self.title = self.purse = None
        self.grace = settings.grace
        self.deaf = set()
        self.talk = Bucket(settings.talk, 0.0)

    def seat(self, sitting: Sitting | None, settings: Settings) -> None:
        """Give the seat to somebody, unless he has it: then all that is not in the log stays as it is."""
        before = self.sitting()
        if before is None or sitting is None or (before.account, before.bot) != (sitting.account, sitting.bot):
            self.become(sitting, settings)
        else:
            self.name, self.score = sitting.name, sitting.score

    async def choose(self, view: View) -> str:
        """Answer for the seat, automatically or because its time is up."""
        if self.automatic and self.player is not None:
            return await answer_of(self.player, view)
        return default_action(view)


def place_of(sitting: Sitting | None, settings: Settings) -> Place:
    """Make a seat; its player is not here yet."""
    place = Place("")
    place.become(sitting, settings)
    return place


def person(account: Account) -> Sitting:
    """Seat a player."""
    return Sitting(account.name, account.id, None, 0)


def bot(seat: int, kind: str, score: int = 0) -> Sitting:
    """Seat a bot; people count seats from 1."""
    return Sitting(f"Bot {seat + 1}", None, kind, score)
