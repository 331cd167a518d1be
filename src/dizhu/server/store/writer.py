"""The single writer: what is asked for at the same time is committed together, and answered only after the commit."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypedDict, TypeVar

from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from dizhu.errors import DizhuError
from dizhu.server import metrics
from dizhu.server.store import schema
from dizhu.server.store.appender import Appender
from dizhu.server.store.failures import Complaints, is_failure
from dizhu.server.store.owner import InUse

T = TypeVar("T")
Job = Callable[[AsyncConnection], Awaitable[T]]
"""Work in a transaction. It may be done twice, if the first time was undone or nobody knows whether it was."""

Answer = Callable[[], None]
"""Answers who asked for something, once it is committed."""

_log = logging.getLogger(__name__)

_TOGETHER = 256
_ENOUGH_FAILURES = 2
_LONGEST_SECONDS = 20.0
"""No commit takes as long: the database does not answer."""
_FAREWELL_SECONDS = 1.0

_insert_events = insert(schema.event)


class EventRow(TypedDict):
    """A row of the table `event`."""

    table_id: str
    seq: int
    at: int
    kind: str
    data: str


class StoreFailed(DizhuError):
    """The database did not take it. It is not known whether it is there."""

    def __init__(self) -> None:
        super().__init__("store_failed", "the server cannot save anything at the moment")


@dataclass(frozen=True, slots=True)
class _Append:
    rows: Sequence[EventRow]
    done: asyncio.Future[None]


@dataclass(frozen=True, slots=True)
class _Work(Generic[T]):
    job: Job[T]
    done: asyncio.Future[T]


_Item = _Append | _Work[Any]


class _CannotBeginError(Exception):
    """There is no transaction: nothing was written, and others will fare no better."""


class Writer:
    """Carries out writes in the order in which they are asked for, many of them in one transaction.

    ousted: another server has taken the database over, so that nothing will ever be written here again.
    """

    def __init__(self, engine: AsyncEngine, complaints: Complaints, appender: Appender | None = None) -> None:
        self._engine = engine
        self._complaints = complaints
        self._appender = appender
        self._queue: asyncio.Queue[_Item | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.ousted = False

    @property
    def waiting(self) -> int:
        """How many writes have not been begun."""
        return self._queue.qsize()

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="writer")

    async def close(self) -> None:
        """Write what is waiting, and stop; a database that does not answer is not waited for."""
        if self._task is not None:
            self._queue.put_nowait(None)
            await asyncio.wait({self._task}, timeout=_FAREWELL_SECONDS)
            self._task.cancel()
            await asyncio.wait({self._task})

    async def append(self, rows: Sequence[EventRow]) -> None:
        """Append events of one table, all or none; on return they are safe.

        Rows that are there already, just as they are, do no harm. Raises StoreFailed.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(_Append(rows, done))
        await done

    async def run(self, job: Job[T]) -> T:
        """Do some work in a transaction; on return it is safe.

        Raises what the job raises, and then nothing has changed: also a DBAPIError if a statement is wrong.
        Raises StoreFailed if the database fails.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(_Work(job, done))
        return await done

    def _put(self, item: _Item) -> None:
        if self._task is None or self._task.done():
            raise StoreFailed
        self._queue.put_nowait(item)

    async def _run(self) -> None:
        while (first := await self._queue.get()) is not None:
            batch = [first]
            ended = False
            while len(batch) < _TOGETHER and not self._queue.empty():
                item = self._queue.get_nowait()
                if ended := item is None:
                    break
                batch.append(item)
            await self._write(batch)
            if ended:
                return

    async def _write(self, batch: Sequence[_Item]) -> None:
        """Commit things together; if that fails, each alone, for one of them may be the reason."""
        try:
            _answer(await self._commit(batch))
        except (_CannotBeginError, TimeoutError) as error:
            self._refuse(batch, error)
        except Exception:  # noqa: BLE001 whatever it is, others want to write after it
            await self._write_each_alone(batch)

    async def _write_each_alone(self, batch: Sequence[_Item]) -> None:
        failures = 0
        for place, item in enumerate(batch):
            alone = _Work(_putting(item.rows), item.done) if isinstance(item, _Append) else item
            try:
                _answer(await self._commit((alone,)))
            except Exception as error:  # noqa: BLE001 as above
                if isinstance(error, DBAPIError) and item is alone and not is_failure(error):
                    # The fault of the job, which is for whoever asked for it.
                    _fail(item.done, error)
                    failures = 0
                    continue
                failures += 1
                if failures == _ENOUGH_FAILURES or isinstance(error, _CannotBeginError | TimeoutError):
                    # It is the database, not what is written: nobody shall wait until each of them has failed.
                    self._refuse(batch[place:], error)
                    return
                self._refuse((item,), error)
            else:
                failures = 0

    def _refuse(self, items: Sequence[_Item], error: Exception) -> None:
        self._complaints.about(error.__cause__ or error)
        for item in items:
            _fail(item.done, StoreFailed())

    async def _commit(self, batch: Sequence[_Item]) -> list[Answer]:
        """Do all in one transaction; returns how to answer once it is committed."""
        with metrics.committing(len(batch)):
            return await self._carry_out(batch)

    async def _carry_out(self, batch: Sequence[_Item]) -> list[Answer]:
        async with asyncio.timeout(_LONGEST_SECONDS):
            if self._appender is not None and all(isinstance(item, _Append) for item in batch):
                # If it fails, the long way below finds out why.
                with suppress(sqlite3.Error):
                    await self._appender.append(_rows(batch))
                    return [partial(_settle, item.done, None) for item in batch]
            begun = False
            try:
                async with self._engine.begin() as connection:
                    begun = True
                    if rows := _rows(batch):
                        await connection.execute(_insert_events, rows)
                    return [await _attempt(connection, item) for item in batch]
            except Exception as error:
                if not begun:
                    self.ousted = isinstance(error, InUse)
                    raise _CannotBeginError from error
                raise


@asynccontextmanager
async def undone_if_it_fails(connection: AsyncConnection) -> AsyncGenerator[None]:
    """Undo what is done within, and no more, if it fails; if that cannot be done, what failed first is raised.

    SQLite undoes the whole transaction by itself when the disk is full, and has nothing left to go back to.
    """
    nested = await connection.begin_nested()
    try:
        yield
    except BaseException as error:
        try:
            await nested.rollback()
        except DBAPIError:
            raise error from None
        raise
    await nested.commit()


async def put_events(connection: AsyncConnection, rows: Sequence[EventRow]) -> None:
    """Insert events that may be there already, after a commit of which nobody knows how it ended.

    Raises StoreFailed if others stand in their place.
    """
    try:
        async with undone_if_it_fails(connection):
            await connection.execute(_insert_events, rows)
    except IntegrityError:
        event = schema.event.c
        for row in rows:
            found = select(event.at, event.kind, event.data).where(
                event.table_id == row["table_id"], event.seq == row["seq"]
            )
            if (await connection.execute(found)).one_or_none() != (row["at"], row["kind"], row["data"]):
                _log.error("table %s: another event %s is there", row["table_id"], row["seq"])
                raise StoreFailed from None


def _rows(batch: Sequence[_Item]) -> list[EventRow]:
    return [row for item in batch if isinstance(item, _Append) for row in item.rows]


def _putting(rows: Sequence[EventRow]) -> Job[None]:
    async def job(connection: AsyncConnection) -> None:
        await put_events(connection, rows)

    return job


async def _attempt(connection: AsyncConnection, item: _Item) -> Answer:
    """Do a job; if it fails, undo it and no more. Events are there already. Returns how to answer."""
    if isinstance(item, _Append):
        return lambda: _settle(item.done, None)
    try:
        async with undone_if_it_fails(connection):
            result = await item.job(connection)
    except DBAPIError as error:
        if error.connection_invalidated or not isinstance(error, IntegrityError):
            raise
        failure: Exception = error
    except Exception as error:  # noqa: BLE001 it is handed to whoever asked for the job
        failure = error
    else:
        return lambda: _settle(item.done, result)
    return lambda: _fail(item.done, failure)


def _answer(answers: Sequence[Answer]) -> None:
    for answer in answers:
        answer()


def _settle(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
