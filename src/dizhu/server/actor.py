"""The task of a table: takes what comes, one thing after another, and does what is due by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from dizhu.errors import DizhuError, IllegalAction
from dizhu.protocol import DoneMessage, RefusedMessage
from dizhu.server.accounts import Account
from dizhu.server.commands import TableCommand, execute
from dizhu.server.connection import Answer, Connection
from dizhu.server.table import Table

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Enter:
    """A player is connected. If he sat down by a command, it is answered before he gets the table."""

    account: Account
    connection: Connection
    reply: Reply | None = None


@dataclass(frozen=True, slots=True)
class Gone:
    """A connection is closed. It may be an old one, whose player is connected again."""

    account: Account
    connection: Connection


@dataclass(frozen=True, slots=True)
class Do:
    """A command of a player."""

    account: Account
    command: TableCommand
    reply: Reply


@dataclass(frozen=True, slots=True)
class Stop:
    """The table ends."""

    code: str


Item = Enter | Gone | Do | Stop


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
    """Runs a table until it is closed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._inbox: asyncio.Queue[Item] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(), name=f"table {table.name}")

    def put(self, item: Item) -> None:
        """Hand something to the table."""
        if self.table.open:
            self._inbox.put_nowait(item)
        else:
            self._turn_away(item)

    def when_done(self, action: Callable[[], None]) -> None:
        """Call `action` when the table has ended."""
        self._task.add_done_callback(lambda _: action())

    async def stop(self, code: str) -> None:
        """End the table and wait until it has ended."""
        self.put(Stop(code))
        await self._task

    async def _run(self) -> None:
        table = self.table
        item: Item | None = None
        try:
            await table.deal()
            while table.open:
                item = await table.house.clock.receive(self._inbox, table.due)
                if item is None:
                    await table.on_time()
                else:
                    await self._handle(item)
        except Exception:  # noqa: BLE001 a fault at one table must not harm the others
            _log.exception("table %s failed", table.name)
            table.close("failed")
            if item is not None:
                self._turn_away(item)
        while not self._inbox.empty():
            self._turn_away(self._inbox.get_nowait())
        await table.house.store.close(table.name)

    async def _handle(self, item: Item) -> None:
        match item:
            case Stop(code):
                self.table.close(code)
            case Enter(account, connection, reply):
                self._enter(account, connection, reply)
            case Gone(account, connection):
                await self._gone(account, connection)
            case Do(account, command, reply):
                await self._do(account, command, reply)

    def _enter(self, account: Account, connection: Connection, reply: Reply | None) -> None:
        seat = self.table.seat_of(account)
        if seat is not None and not connection.ended.done():
            if reply is not None:
                reply.done(self.table.feed.seq)
            self.table.connect(seat, connection)

    async def _gone(self, account: Account, connection: Connection) -> None:
        seat = self.table.seat_of(account)
        if seat is not None and self.table.places[seat].connection is connection:
            self.table.disconnect(seat)
            await self.table.go_on()

    async def _do(self, account: Account, command: TableCommand, reply: Reply) -> None:
        seat = self.table.seat_of(account)
        try:
            if seat is None:
                raise not_seated()
            await execute(command, self.table, seat, reply.done)
        except DizhuError as error:
            reply.refused(error)

    def _turn_away(self, item: Item) -> None:
        if isinstance(item, Enter | Do) and item.reply is not None:
            item.reply.refused(not_seated())


def not_seated() -> IllegalAction:
    """Make the error of somebody who sits at no table."""
    return IllegalAction("not_seated", "the player does not sit at a table")
