"""A table: its seats, its game and its clock.

Only the table's own task (`actor.py`) touches it, one thing at a time, so nothing here can race with anything.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence

from dizhu.errors import DizhuError
from dizhu.game.engine import LEAVE
from dizhu.game.shuffle import SEED_BYTES, commitment
from dizhu.game.view import Event, View
from dizhu.protocol import ClosedMessage, Settled
from dizhu.server.accounts import Account
from dizhu.server.books import Outcome
from dizhu.server.connection import Connection
from dizhu.server.dealing import deal
from dizhu.server.feed import News
from dizhu.server.hand import Hand
from dizhu.server.house import House, Whereabouts
from dizhu.server.journal import Journal
from dizhu.server.places import Place
from dizhu.server.players import default_action
from dizhu.server.seating import successor, unseat
from dizhu.server.store.log import Act, Entry, Seats, Seed, Sitting, TableRow
from dizhu.server.store.writer import StoreFailed
from dizhu.server.telling import Teller
from dizhu.server.terms import Terms
from dizhu.server.turns import Turns

_log = logging.getLogger(__name__)
_pauses = secrets.SystemRandom()


class Table:
    """The state of a table and all that can happen to it.

    hand: None before the first deal. watchers: spectators, by account. held_until: it does nothing by itself before.
    """

    def __init__(
        self, row: TableRow, terms: Terms, places: Sequence[Place], house: House, whereabouts: Whereabouts
    ) -> None:
        self.id = row.id
        self.code = row.code
        self.terms = terms
        self.places = tuple(places)
        self.house = house
        self.journal = Journal(house.log, row, house.clock)
        self.teller = Teller(self)
        self.turns = Turns(terms)
        self.hand: Hand | None = None
        self.next_seed = secrets.token_bytes(SEED_BYTES)
        self.settled: Settled | None = None
        self.watchers: dict[Account, Connection] = {}
        self.open = True
        self.redeal_at: float | None = None
        self.held_until = 0.0
        self._held = False
        self._whereabouts = whereabouts
        self._empty_since: float | None = house.clock.now()
        for _, place in self.players():
            place.gone_at = house.clock.now()

    # --- time -------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The present time."""
        return self.house.clock.now()

    @property
    def running(self) -> bool:
        """Whether a hand is being played."""
        return self.hand is not None and not self.hand.ended

    @property
    def due(self) -> float | None:
        """When the table next has something to do by itself."""
        times = [self.turns.due, self._deal_at, self._close_at, self._free_at]
        due = min((time for time in times if time is not None), default=None)
        if self._held:
            return self.held_until
        return due

    @property
    def _close_at(self) -> float | None:
        """A table without connections stays until its hand is over, for its players may come back; if it has any."""
        if self.running:
            return None
        if not any(self.players()):
            return 0.0
        if self._empty_since is None:
            return None
        return self._empty_since + self.house.settings.empty

    @property
    def _deal_at(self) -> float | None:
        """Nobody wanted to be landlord: the next hand begins by itself, but not for an empty table."""
        return self.redeal_at if self._empty_since is None and not self.house.stopping else None

    @property
    def _free_at(self) -> float | None:
        """Between hands, a seat whose player has gone is not kept for ever from the others."""
        gone = [place.gone_at for _, place in self.players() if place.gone_at is not None]
        if not gone or self.running or self._empty_since is not None:
            return None
        return min(gone) + self.house.settings.absent

    async def on_time(self) -> None:
        """Do one thing that is due."""
        now = self.now
        if self._held:
            self._held = False
            await self.go_on()
        elif self._deal_at is not None and self._deal_at <= now:
            await deal(self)
        elif (seat := self.turns.overdue(now)) is not None:
            await self._answer_for(seat)
        elif self._close_at is not None and self._close_at <= now:
            await self.close("idle")
        elif self._free_at is not None and self._free_at <= now:
            gone = (seat for seat, place in self.players() if place.gone_at is not None)
            await unseat(self, min(gone, key=lambda seat: self.places[seat].gone_at or 0.0), "idle")
            self.teller.seats()
            await self.go_on()

    def hold(self, seconds: float) -> None:
        """Something could not be saved: do nothing by itself for a while, and then go on with all that is due."""
        self.held_until = self.now + seconds
        self._held = True

    def answer_by(self, seat: int) -> float:
        """Tell when the server answers for a seat asked now: when its time is over, or after a pause if automatic."""
        place = self.places[seat]
        if not place.automatic:
            return self.turns.until + place.grace
        return min(self.turns.until, self.now + _pauses.uniform(*self.house.settings.bot_pause))

    def reconsider(self, seat: int) -> None:
        """The seat has become automatic, or its player has taken it back."""
        self.turns.postpone(seat, self.answer_by(seat))

    def answered(self, seat: int) -> None:
        """A player has answered himself. What he took beyond his time he has less of next time."""
        place = self.places[seat]
        late = max(0.0, self.now - self.turns.until)
        settings = self.house.settings
        place.grace = min(settings.grace, max(0.0, place.grace - late) + settings.grace_back)
        place.answered()

    # --- the game ---------------------------------------------------------------------------------------------------

    @property
    def next_commitment(self) -> str:
        """The commitment of the deal to come."""
        return commitment(self.next_seed)

    def sittings(self) -> Seats:
        """Who sits here, for the log."""
        return Seats(tuple(place.sitting() for place in self.places))

    async def begin(self) -> None:
        """Open the log; the first hand begins at once if nobody is waited for."""
        await self.journal.open(self.sittings(), Seed(1, self.next_seed.hex()))
        if self.code is None:
            await deal(self)

    def take_up(self, hand: Hand) -> None:
        """Put a new hand on the table."""
        self.hand = hand
        self.redeal_at = None
        self.settled = None
        for place in self.places:
            place.ready = False
            place.entropy = None
            place.owner = place.account
        self.turns.clear()

    async def carry_out(self, seat: int, action: str) -> tuple[Event, ...]:
        """Do an action and make it safe; nobody is told yet. Raises DizhuError, and then nothing has changed.

        Who leaves gives up his seat in the same moment: `stand_up` has to follow.
        """
        assert self.hand is not None
        game = self.hand.game
        before = game.state, game.actions
        events = game.act(seat, action)
        entries: list[Entry] = [Act(seat, game.actions[-1][1], self.teller.seq + len(events))]
        if action == LEAVE:
            entries.insert(0, self.seats_with({seat: successor(self, seat)}))
        try:
            if game.result is None:
                await self.journal.write(*entries)
            else:
                finish = self.house.books.finish(self.id, self.terms, self.hand.number, game, self.places)
                self._take_in(await self.journal.finish(entries, finish), game.result.points)
        except BaseException:
            game.state, game.actions = before
            raise
        return events

    def _take_in(self, outcome: Outcome, points: Sequence[int]) -> None:
        """Note what the end of a hand brought everybody."""
        self.settled = outcome.settled
        for place, gained, title, purse in zip(self.places, points, outcome.titles, outcome.purses, strict=True):
            place.score += gained
            if place.account is not None and place.account == place.owner:
                place.title = place.title if title is None else title
                place.purse = purse

    def tell_outcome(self, events: Sequence[Event]) -> None:
        """Tell of an action: who is asked next, or how the hand has ended."""
        assert self.hand is not None
        if self.hand.game.phase == "redeal":
            self.redeal_at = self.now + self.house.settings.redeal
        self.tell(events, News(seed=self.hand.shown_seed, settled=self.settled))
        for seat, place in self.players():
            if place.purse is not None:
                self.teller.purse(seat, place.purse)
                place.purse = None

    async def _answer_for(self, seat: int) -> None:
        assert self.hand is not None
        place = self.places[seat]
        view = self.seat_view(seat)
        action = await self._choice(place, view)
        simultaneous = self.hand.game.simultaneous
        try:
            events = await self.carry_out(seat, action)
        except StoreFailed:
            raise
        except DizhuError as error:
            _log.error("table %s: seat %d was answered for with a refused action: %s", self.id, seat, error.code)
            events = await self.carry_out(seat, default_action(view))
        if not place.automatic:
            place.grace = 0.0
            place.let_pass(counts=not simultaneous)
        self.tell_outcome(events)

    async def _choice(self, place: Place, view: View) -> str:
        try:
            return await place.choose(view)
        except Exception:  # noqa: BLE001 a bot may fail in any way; the hand goes on
            _log.exception("table %s: the bot on seat %s failed", self.id, view.seat)
            return default_action(view)

    async def go_on(self) -> None:
        """Deal the next hand if none is being played, nobody is missing, and everybody here has asked for it."""
        here = [place for _, place in self.players() if place.connection is not None]
        waiting = self.hand is None or self.hand.game.phase == "over"
        if not (self.open and waiting and here and all(place.ready for place in here)) or self.house.stopping:
            return
        for seat, place in list(self.players()):
            if place.connection is None:
                await unseat(self, seat, "idle")
        if any(place.empty for place in self.places):
            self.teller.seats()
        else:
            await deal(self)

    # --- the players ------------------------------------------------------------------------------------------------

    @property
    def host(self) -> int | None:
        """The seat whose player decides at a private table: the first one."""
        return None if self.code is None else next((seat for seat, _ in self.players()), None)

    def players(self) -> Iterator[tuple[int, Place]]:
        """List the seats where people sit."""
        return ((seat, place) for seat, place in enumerate(self.places) if place.account is not None)

    def seat_of(self, account: Account) -> int | None:
        """Find where somebody sits."""
        return next((seat for seat, place in self.players() if place.account == account), None)

    def view(self, seat: int | None) -> View | None:
        """Show what a seat, or a spectator, may know; None before the first deal."""
        return None if self.hand is None else self.hand.game.view(seat)

    def seat_view(self, seat: int) -> View:
        """Show what a seat may know of the hand that is being played."""
        assert self.hand is not None
        return self.hand.game.view(seat)

    async def reseat(self, changed: Mapping[int, Sitting | None]) -> None:
        """Give seats to others, and make it safe. Raises StoreFailed, and then nothing has changed."""
        await self.journal.write(self.seats_with(changed))
        for seat, sitting in changed.items():
            self.places[seat].become(sitting, self.house.settings)
            self.places[seat].gone_at = self.now

    def seats_with(self, changed: Mapping[int, Sitting | None]) -> Seats:
        """Who sits here after a change, for the log."""
        return Seats(tuple(changed.get(seat, sitting) for seat, sitting in enumerate(self.sittings().seats)))

    def connect(self, seat: int, connection: Connection) -> None:
        """A player is here, with a new connection; he gets the whole table."""
        place = self.places[seat]
        place.connection = connection
        place.address = connection.address
        place.gone_at = None
        self._empty_since = None
        for account, watching in list(self.watchers.items()):
            if watching.address == connection.address:
                self.stop_watching(account, "left")
        self.teller.seats(besides=seat)
        self.teller.whole(seat, connection)

    def disconnect(self, seat: int) -> None:
        """A player's connection is gone; his clock goes on."""
        self.places[seat].connection = None
        self.places[seat].gone_at = self.now
        self.note_absence()
        self.teller.seats(besides=seat)

    def note_absence(self) -> None:
        """Somebody has gone: maybe nobody is here any more."""
        if self._empty_since is None and not any(place.connection for _, place in self.players()):
            self._empty_since = self.now

    async def close(self, code: str) -> None:
        """End the table for good. Raises StoreFailed, and then it goes on."""
        await self.journal.close()
        self.end(code)

    def end(self, code: str) -> None:
        """Send everybody away, for the table goes on no more."""
        self.open = False
        for account, connection in self.watchers.items():
            self.turn_away(account)
            connection.send(ClosedMessage(code))
        self.watchers.clear()
        for _, place in self.players():
            assert place.account is not None
            self.turn_away(place.account)
            if place.connection is not None:
                place.connection.send(ClosedMessage(code))

    def turn_away(self, account: Account) -> None:
        """Somebody is not here, or not any more."""
        self._whereabouts.left(account, self.id)

    def strangers(self) -> list[int]:
        """List the seats of those whom the server has told that they do not sit here."""
        return [
            seat
            for seat, place in self.players()
            if place.account is not None and not self._whereabouts.is_at(place.account, self.id)
        ]

    # --- spectators -------------------------------------------------------------------------------------------------

    def may_watch(self, connection: Connection) -> None:
        """Raise DizhuError `may_not_watch` for somebody who may be one of the players."""
        if any(place.address == connection.address for _, place in self.players()):
            raise DizhuError("may_not_watch", "a player of this table is connected from the same address")

    def watch(self, account: Account, connection: Connection) -> None:
        """Somebody looks on, with a new connection."""
        self.watchers[account] = connection
        self.teller.whole(None, connection)

    def stop_watching(self, account: Account, code: str) -> None:
        """Somebody looks on no more."""
        connection = self.watchers.pop(account)
        if not self.watchers:
            self.teller.feed.drop(None)
        self.turn_away(account)
        connection.send(ClosedMessage(code))

    # --- what is told -----------------------------------------------------------------------------------------------

    def tell(self, events: Sequence[Event], news: News) -> None:
        """Tell all of events, and put the question that stands now."""
        assert self.hand is not None
        first = self.teller.feed.number(events)
        if self.hand.ended:
            self.turns.clear()
        else:
            self.turns.ask(self.hand.game, first, self.now, self.answer_by)
        self.teller.send(first, events, news)
