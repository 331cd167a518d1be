"""A table: its seats, its game and its clock, and what each player is told.

Only the table's own task (`actor.py`) touches it, one thing at a time, so nothing here can race with anything.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.game.view import Event, View
from dizhu.protocol import ClosedMessage, Seat, TableMessage
from dizhu.server import store
from dizhu.server.accounts import Account
from dizhu.server.clock import Clock
from dizhu.server.connection import Connection
from dizhu.server.feed import Feed, News
from dizhu.server.hand import Dealer, Hand
from dizhu.server.places import Place, bot_name
from dizhu.server.players import default_action
from dizhu.server.settings import Settings
from dizhu.server.turns import Turns

_log = logging.getLogger(__name__)
_pauses = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class House:
    """What all tables of a server share."""

    settings: Settings
    clock: Clock
    store: store.EventStore
    dealer: Dealer


class Table:
    """The state of a table and all that can happen to it.

    on_unseated is told of each account that sits here no more.
    """

    def __init__(
        self, name: str, variant: Variant, places: Sequence[Place], house: House, on_unseated: Callable[[Account], None]
    ) -> None:
        self.name = name
        self.variant = variant
        self.places = tuple(places)
        self.house = house
        self.feed = Feed()
        self.turns = Turns(house.settings)
        self.hand: Hand
        self.open = True
        self._on_unseated = on_unseated
        self._shown = tuple(place.shown() for place in places)
        self._redeal_at: float | None = None
        self._empty_since: float | None = house.clock.now()

    # --- time -------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The present time."""
        return self.house.clock.now()

    @property
    def due(self) -> float | None:
        """When the table next has something to do by itself."""
        times = (self.turns.due, self._deal_at, self._close_at)
        return min((time for time in times if time is not None), default=None)

    @property
    def _close_at(self) -> float | None:
        """A table without connections stays until its hand is over, for its players may come back."""
        if self._empty_since is None or not self.hand.ended:
            return None
        return self._empty_since + self.house.settings.empty

    @property
    def _deal_at(self) -> float | None:
        """Nobody wanted to be landlord: the next hand begins by itself, but not for an empty table."""
        return self._redeal_at if self._empty_since is None else None

    async def on_time(self) -> None:
        """Do one thing that is due."""
        now = self.now
        if self._deal_at is not None and self._deal_at <= now:
            await self.deal()
        elif (seat := self.turns.overdue(now)) is not None:
            await self._answer_for(seat)
        elif self._close_at is not None and self._close_at <= now:
            self.close("idle")

    def _answer_by(self, seat: int) -> float:
        """Tell when the server answers for a seat asked now: when its time is over, or after a pause if automatic."""
        if not self.places[seat].automatic:
            return self.turns.until
        return min(self.turns.until, self.now + _pauses.uniform(*self.house.settings.bot_pause))

    def reconsider(self, seat: int) -> None:
        """The seat has become automatic, or its player has taken it back."""
        self.turns.postpone(seat, self._answer_by(seat))

    # --- the game ---------------------------------------------------------------------------------------------------

    async def deal(self) -> None:
        """Begin a hand."""
        first_hand = self.feed.seq == 0
        number, first = (1, None) if first_hand else (self.hand.number + 1, self.hand.following_first())
        hand = Hand(self.variant, self.house.dealer, number, first)
        entry = store.Deal(self.feed.seq + 1, number, hand.seed, hand.game.deal.first)
        await self.house.store.append(self.name, [entry])
        self.hand = hand
        self._redeal_at = None
        for place in self.places:
            place.ready = False
        self.turns.clear()
        if first_hand:
            for seat, _ in self.players():
                self.feed.show(seat, self.view(seat))
        self.tell((Event("deal"),), News(hand=number, commitment=hand.commitment))

    async def carry_out(self, seat: int, action: str) -> tuple[Event, ...]:
        """Do an action and make it safe; nobody is told yet. Raises IllegalAction, and then nothing has changed."""
        game = self.hand.game
        events = game.act(seat, action)
        entry = store.Act(self.feed.seq + len(events), seat, game.actions[-1][1])
        await self.house.store.append(self.name, [entry])
        return events

    def tell_outcome(self, events: Sequence[Event]) -> None:
        """Tell of an action: who is asked next, or how the hand has ended."""
        game = self.hand.game
        if game.result is not None:
            for place, points in zip(self.places, game.result.points, strict=True):
                place.score += points
        if game.phase == "redeal":
            self._redeal_at = self.now + self.house.settings.redeal
        self.tell(events, News(seed=self.hand.shown_seed))

    async def _answer_for(self, seat: int) -> None:
        place = self.places[seat]
        view = self.view(seat)
        action = self._choice(place, view)
        if not place.automatic:
            place.let_pass(counts=not self.hand.game.simultaneous)
        try:
            events = await self.carry_out(seat, action)
        except DizhuError as error:
            _log.error("table %s: seat %d was answered for with a refused action: %s", self.name, seat, error.code)
            events = await self.carry_out(seat, default_action(view))
        self.tell_outcome(events)

    def _choice(self, place: Place, view: View) -> str:
        try:
            return place.choose(view)
        except Exception:  # noqa: BLE001 a bot may fail in any way; the hand goes on
            _log.exception("table %s: the bot on seat %s failed", self.name, view.seat)
            return default_action(view)

    async def go_on(self) -> None:
        """Deal the next hand if this one is over and everybody here has asked for it."""
        here = [place for _, place in self.players() if place.connection is not None]
        if self.open and self.hand.game.phase == "over" and here and all(place.ready for place in here):
            await self.deal()

    # --- the players ------------------------------------------------------------------------------------------------

    def players(self) -> Iterator[tuple[int, Place]]:
        """List the seats where people sit."""
        return ((seat, place) for seat, place in enumerate(self.places) if place.account is not None)

    def seat_of(self, account: Account) -> int | None:
        """Find where somebody sits."""
        return next((seat for seat, place in self.players() if place.account == account), None)

    def view(self, seat: int) -> View:
        """Show what a seat may know."""
        return self.hand.game.view(seat)

    def connect(self, seat: int, connection: Connection) -> None:
        """A player is here, with a new connection; he gets the whole table."""
        self.places[seat].connection = connection
        self._empty_since = None
        self.tell_seats(besides=seat)
        self.send_table(seat)

    def disconnect(self, seat: int) -> None:
        """A player's connection is gone; his clock goes on."""
        self.places[seat].connection = None
        if not any(place.connection for _, place in self.players()):
            self._empty_since = self.now
        self.tell_seats(besides=seat)

    def unseat(self, seat: int, code: str) -> None:
        """A player leaves his seat to a bot."""
        place = self.places[seat]
        account, connection = place.account, place.connection
        assert account is not None
        place.stand_up(bot_name(seat))
        self.feed.drop(seat)
        self._on_unseated(account)
        if connection is not None:
            connection.send(ClosedMessage(code))

    def close(self, code: str) -> None:
        """End the table."""
        self.open = False
        for seat, _ in list(self.players()):
            self.unseat(seat, code)

    # --- what is told -----------------------------------------------------------------------------------------------

    def send_table(self, seat: int) -> None:
        """Give a player the whole table."""
        connection = self.places[seat].connection
        view = self.view(seat)
        self.feed.show(seat, view)
        if connection is not None:
            connection.send(
                TableMessage(
                    seq=self.feed.seq,
                    seat=seat,
                    hand=self.hand.number,
                    view=view,
                    seats=self._shown,
                    clock=self.turns.clock(self.now),
                    commitment=self.hand.commitment,
                    seed=self.hand.shown_seed,
                )
            )

    def send_since(self, seat: int, seq: int) -> None:
        """Give a player again what came after an event, or the whole table if that is not kept any more."""
        connection = self.places[seat].connection
        missing = self.feed.after(seat, seq, self.turns.clock(self.now))
        if missing is None:
            self.send_table(seat)
        elif connection is not None:
            for message in missing:
                connection.send(message)

    def tell(self, events: Sequence[Event], news: News) -> None:
        """Tell all players of events, and put the question that stands now."""
        first = self.feed.number(events)
        if self.hand.ended:
            self.turns.clear()
        else:
            self.turns.ask(self.hand.game, first, self.now, self._answer_by)
        self._send(first, events, news, besides=None)

    def tell_seats(self, besides: int | None = None) -> None:
        """Tell of a change of the seats, if there is one and somebody to tell it to."""
        if self.seats_changed() and any(seat != besides for seat, _ in self.players()):
            events = (Event("seats"),)
            self._send(self.feed.number(events), events, News(), besides)
        self._shown = self._seats()

    def seats_changed(self) -> bool:
        """Tell whether the seats are not as they were last told."""
        return self._seats() != self._shown

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(place.shown() for place in self.places)

    def _send(self, first: int, events: Sequence[Event], news: News, besides: int | None) -> None:
        if self.seats_changed():
            self._shown = self._seats()
            news = News(self._shown, news.hand, news.commitment, news.seed)
        clock = self.turns.clock(self.now)
        for seat, place in self.players():
            for message in self.feed.messages(seat, first, events, self.view(seat), news, clock):
                if place.connection is not None and seat != besides:
                    place.connection.send(message)
