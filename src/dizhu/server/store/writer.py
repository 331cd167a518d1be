"""The single writer: what is asked for at the same time is committed together, and answered only after the commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar

from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from dizhu.errors import DizhuError
from dizhu.server.store import schema

T = TypeVar("T")
Job = Callable[[AsyncConnection], Awaitable[T]]
"""Work in a transaction. It may be done twice, if the first time was undone or nobody knows whether it was."""

_log = logging.getLogger(__name__)
_TOGETHER = 256
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


class Writer:
    """Carries out writes in the order in which they are asked for, many of them in one transaction."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._queue: asyncio.Queue[_Append | _Work[Any] | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="writer")

    async def close(self) -> None:
        """Write what is waiting, and stop."""
        if self._task is not None:
            self._queue.put_nowait(None)
            await self._task

    async def append(self, rows: Sequence[EventRow]) -> None:
        """Append events of one table, all or none; on return they are safe.

        Rows that are there already, just as they are, do no harm. Raises StoreFailed.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Append(rows, done))
        await done

    async def run(self, job: Job[T]) -> T:
        """Do some work in a transaction; on return it is safe.

        Raises what the job raises, and then nothing has changed; StoreFailed if the database fails.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Work(job, done))
        return await done

    async def _run(self) -> None:
        while (first := await self._queue.get()) is not None:
            batch = [first]
            ended = False
            while len(batch) < _TOGETHER and not self._queue.empty():
                item = self._queue.get_nowait()
                if ended := item is None:
                    break
                batch.append(item)
            if not await self._commit(batch):
                for item in batch:
                    await self._alone(item)
            if ended:
                return

    async def _commit(self, batch: Sequence[_Append | _Work[Any]]) -> bool:
        """Do all in one transaction; False if it was to no avail, and then nobody has been answered."""
        try:
            async with self._engine.begin() as connection:
                rows = [row for item in batch if isinstance(item, _Append) for row in item.rows]
                if rows:
                    await connection.execute(_insert_events, rows)
                answers = [await _attempt(connection, item) for item in batch if isinstance(item, _Work)]
        except (SQLAlchemyError, OSError):
            return False
        for answer in answers:
            answer()
        for item in batch:
            if isinstance(item, _Append):
                _settle(item.done, None)
        return True

    async def _alone(self, item: _Append | _Work[Any]) -> None:
        """Do one thing in a transaction of its own, after it could not be done together with others."""
        try:
            async with self._engine.begin() as connection:
                work = _Work(_putting(item.rows), item.done) if isinstance(item, _Append) else item
                answer = await _attempt(connection, work)
        except (SQLAlchemyError, OSError) as error:
            _log.error("the database failed: %s", _reason(error))
            _fail(item.done, StoreFailed())
        else:
            answer()


async def put_events(connection: AsyncConnection, rows: Sequence[EventRow]) -> None:
    """Insert events that may be there already, after a commit of which nobody knows how it ended.

    Raises StoreFailed if others stand in their place.
    """
    try:
        async with connection.begin_nested():
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


def _putting(rows: Sequence[EventRow]) -> Job[None]:
    async def job(connection: AsyncConnection) -> None:
        await put_events(connection, rows)

    return job


async def _attempt(connection: AsyncConnection, item: _Work[Any]) -> Callable[[], None]:
    """Do a job; if it fails, undo it and no more. Returns how to answer once all is committed."""
    try:
        async with connection.begin_nested():
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


def _settle(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)


def _reason(error: Exception) -> str:
    """Say what was wrong without the statement, for its values are secrets."""
    return str(getattr(error, "orig", None) or type(error).__name__).partition("\n")[0]
