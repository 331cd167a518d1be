"""The task of a table: takes what comes, one thing after another, and does what is due by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError

from dizhu.errors import DizhuError
from dizhu.protocol import AdviceMessage, ClosedMessage, DoneMessage, HintCommand, RefusedMessage, SyncCommand
from dizhu.server.accounts import Account
from dizhu.server.books import message, title
from dizhu.server.commands import TableCommand, execute, execute_watching, not_seated
from dizhu.server.connection import Answer, Connection
from dizhu.server.hints import Advice, Hints
from dizhu.server.restore import catch_up
from dizhu.server.seating import sit_down
from dizhu.server.store.writer import StoreFailed
from dizhu.server.table import Table

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Enter:
    """A player or spectator is connected. If he came by a command, it is answered before he gets the table."""

    account: Account
    connection: Connection
    reply: Reply | None = None
    deaf: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Join:
    """Somebody wants a seat, or to look on. `deaf`: whose talk he does not want to hear."""

    account: Account
    connection: Connection
    reply: Reply
    watch: bool
    deaf: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Gone:
    """A connection is closed. It may be an old one, whose player is connected again."""

    account: Account
    connection: Connection


@dataclass(frozen=True, slots=True)
class Do:
    """A command of a player."""

    account: Account
    command: TableCommand | HintCommand
    reply: Reply


@dataclass(frozen=True, slots=True)
class Stop:
    """The table ends: for good, with a code that its players get, or with None until the server is back."""

    code: str | None


Item = Enter | Join | Gone | Do | Stop


class Reply:
    """The one answer to a command: it goes into the outbox at once, before the events, and to whoever waits for it."""

    def __init__(self, id: int, connection: Connection) -> None:
        self._id = id
        self._connection = connection
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def done(self, seq: int) -> None:
        """Tell that the command was carried out."""
        self.give(DoneMessage(self._id, seq))

    def refused(self, error: DizhuError) -> None:
        """Tell that the command was refused."""
        self.give(refusal(self._id, error))

    def advise(self, asked: int, found: Advice) -> None:
        """Tell what was found out for a question."""
        if found.cancelled():
            self.refused(DizhuError("stopping", "the server is about to stop"))
        elif (error := found.exception()) is not None:
            _log.error("no advice was found", exc_info=error)
            self.refused(DizhuError("internal", "a fault of the server"))
        else:
            self.give(AdviceMessage(self._id, asked, found.result()))

    def give(self, answer: Answer) -> None:
        """Send the answer; only the first one counts."""
        if not self.answer.done():
            self._connection.send(answer)
            self.answer.set_result(answer)


def refusal(id: int | None, error: DizhuError) -> RefusedMessage:
    """Write an error as a message: its code, and what of its detail is plain."""
    detail = {name: value for name, value in error.detail.items() if isinstance(value, str | int | None)}
    return RefusedMessage(id, error.code, detail)


class Actor:
    """Runs a table until it is closed. `ready`: it was built from its log, and does not have to begin."""

    def __init__(self, table: Table, *, ready: bool = False) -> None:
        self.table = table
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()
        self._hints = Hints(table)
        self._task = asyncio.create_task(self._run(ready=ready), name=f"table {table.id}")

    def put(self, item: Item) -> None:
        """Hand something to the table."""
        if self.table.open:
            self._inbox.put_nowait(item)
        else:
            self._turn_away(item, *self._late())

    def when_done(self, action: Callable[[], None]) -> None:
        """Call `action` when the table has ended."""
        self._task.add_done_callback(lambda _: action())

    async def stop(self, code: str | None) -> None:
        """End the table and wait until it has ended."""
        if self.table.open:
            self.put(Stop(code))
        else:
            # It has ended, and only tries to save that.
            self.give_up()
        await asyncio.wait({self._task})

    def give_up(self) -> None:
        """End the task of the table, whatever it is waiting for."""
        self._task.cancel()

    async def _run(self, *, ready: bool) -> None:
        table = self.table
        item: Item | None = None
        try:
            if not ready:
                await table.begin()
            while table.open:
                item = await table.house.clock.receive(self._inbox, table.due)
                await self._step(item)
        except StoreFailed as error:
            # Only a table that could not begin gets here: nobody has seen anything of it.
            self._end_failed(error)
            await self._close_log()
        except Exception:  # noqa: BLE001 a fault at one table must not harm the others
            _log.exception("table %s failed", table.id)
            if item is not None:
                self._turn_away(item, not_seated(), "failed")
            self._end_failed(not_seated())
            with suppress(StoreFailed, DBAPIError):
                await table.journal.close()
        self._turn_all_away(*self._late())

    def _end_failed(self, error: DizhuError) -> None:
        self.table.end("failed")
        self._turn_all_away(error, "failed")

    async def _close_log(self) -> None:
        """See to it that what could not begin is not taken up after a restart: it may be in the database after all."""
        house = self.table.house
        while True:
            try:
                await self.table.journal.close()
            except StoreFailed:
                await house.clock.receive(self._inbox, house.clock.now() + house.settings.retry)
            else:
                return

    async def _be_sure(self) -> None:
        """Find out what is in the log before anything else is written to it. Raises StoreFailed."""
        if self.table.journal.doubtful:
            await catch_up(self.table)

    async def _step(self, item: Item | None) -> None:
        """Take in one thing, or do what is due. What cannot be saved has not happened, and is tried again later."""
        table = self.table
        try:
            if item is None:
                await self._be_sure()
                await table.on_time()
            else:
                await self._handle(item)
        except StoreFailed as error:
            table.hold(table.house.settings.retry)
            if item is not None:
                self._answer(item, error)

    async def _handle(self, item: Item) -> None:
        """Take in one thing. To come, to look, to go and to stop needs no database."""
        match item:
            case Stop(code):
                await self._stop(code)
            case Enter(account, connection, reply, deaf):
                await self._enter(account, connection, reply, deaf)
            case Join():
                await self._join(item)
            case Gone(account, connection):
                await self._gone(account, connection)
            case Do(account, command, reply):
                await self._do(account, command, reply)

    async def _stop(self, code: str | None) -> None:
        if code is None:
            self.table.open = False
        else:
            await self.table.close(code)

    async def _enter(self, account: Account, connection: Connection, reply: Reply | None, deaf: frozenset[int]) -> None:
        table = self.table
        if connection.ended.done():
            return
        if reply is not None:
            reply.done(table.teller.seq)
        seat = table.seat_of(account)
        if seat is not None:
            await self._connect(seat, connection, deaf)
        elif account in table.watchers:
            table.watch(account, connection)
        else:
            # He has lost his seat while he came.
            connection.send(ClosedMessage("idle"))

    async def _connect(self, seat: int, connection: Connection, deaf: frozenset[int]) -> None:
        table = self.table
        place = table.places[seat]
        assert place.account is not None
        place.deaf |= deaf
        owned = None
        with suppress(StoreFailed):
            owned = await table.house.books.purse(place.account)
            place.title = title(table.terms, owned)
        table.connect(seat, connection)
        if owned is not None:
            connection.send(message(owned))

    async def _join(self, item: Join) -> None:
        table, account, connection = self.table, item.account, item.connection
        try:
            await self._be_sure()
            if item.watch:
                table.may_watch(connection)
            else:
                await sit_down(table, account)
        except StoreFailed:
            table.turn_away(account)
            raise
        except DizhuError as error:
            table.turn_away(account)
            item.reply.refused(error)
            return
        item.reply.done(table.teller.seq)
        seat = table.seat_of(account)
        if seat is None:
            table.watch(account, connection)
        else:
            await self._connect(seat, connection, item.deaf)

    async def _gone(self, account: Account, connection: Connection) -> None:
        table = self.table
        seat = table.seat_of(account)
        if table.watchers.get(account) is connection:
            table.stop_watching(account, "left")
        elif seat is not None and table.places[seat].connection is connection:
            table.disconnect(seat)
            await self._be_sure()
            await table.go_on()

    async def _do(self, account: Account, command: TableCommand | HintCommand, reply: Reply) -> None:
        table = self.table
        if not isinstance(command, SyncCommand):
            await self._be_sure()
        seat = table.seat_of(account)
        try:
            if seat is None and account not in table.watchers:
                raise not_seated()
            if seat is None:
                execute_watching(command, table, account, reply.done)
            elif isinstance(command, HintCommand):
                asked, found = self._hints.to(seat, command.seq)
                found.add_done_callback(lambda found: reply.advise(asked, found))
            else:
                await execute(command, table, seat, reply.done)
        except StoreFailed:
            raise
        except DizhuError as error:
            reply.refused(error)

    def _answer(self, item: Item, error: DizhuError) -> None:
        if isinstance(item, Enter | Join | Do) and item.reply is not None:
            item.reply.refused(error)

    def _late(self) -> tuple[DizhuError, str | None]:
        """What is answered to who comes too late, and whoever comes back is told."""
        if self.table.house.stopping:
            return DizhuError("stopping", "the server is about to stop"), None
        return not_seated(), "idle"

    def _turn_all_away(self, error: DizhuError, code: str | None) -> None:
        while not self._inbox.empty():
            self._turn_away(self._inbox.get_nowait(), error, code)

    def _turn_away(self, item: Item, error: DizhuError, code: str | None) -> None:
        """Answer what comes too late. code: why the table has ended, for who comes back to it, if he is to know."""
        if isinstance(item, Join):
            self.table.turn_away(item.account)
        if isinstance(item, Enter) and item.reply is None and code is not None:
            item.connection.send(ClosedMessage(code))
        self._answer(item, error)
