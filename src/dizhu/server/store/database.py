"""Opening a database: SQLite in a file, or PostgreSQL; brought up to date before anything else is done with it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, nullcontext, suppress
from pathlib import Path

from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from dizhu.errors import DizhuError
from dizhu.server.store.appender import Appender
from dizhu.server.store.failures import Complaints, is_failure, reason
from dizhu.server.store.line import Line
from dizhu.server.store.migrations import migrate
from dizhu.server.store.owner import own_connections, owning_file
from dizhu.server.store.writer import StoreFailed, Writer

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_READERS = 4
_BUSY_SECONDS = 5
_FAREWELL_SECONDS = 1.0
_SILENT_SECONDS = 30.0
"""So long no read comes to an end before those that wait for a connection are refused."""

_MIGRATES = threading.Lock()
_PAUSE_SECONDS = 0.01


def default_url() -> str:
    """Name the database that is used where none is named: a file in the user's data folder."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return f"sqlite:///{Path(data) / 'dizhu' / 'dizhu.sqlite3'}"


class Database:
    """An open database. Reads go side by side; all writes go through the one writer."""

    def __init__(self, url: URL, *, alone: bool) -> None:
        self._readers = _engine(url, writes=False)
        self._line = Line(_READERS, _SILENT_SECONDS)
        self._writers = _engine(url, writes=True)
        if alone and _is_postgresql(url):
            own_connections(self._writers)
        self._complaints = Complaints()
        self._appender = None if _is_postgresql(url) else Appender(str(url.database))
        self.writer = Writer(self._writers, self._complaints, self._appender)

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        """Open a connection that sees one state of the database, and cannot change it.

        Raises StoreFailed if the database fails; what is wrong with a statement is raised as it is.
        """
        try:
            async with self._line.place(), self._readers.connect() as connection:
                yield connection
        except (DBAPIError, OSError) as error:
            if not is_failure(error):
                raise
            self._complaints.about(error)
            raise StoreFailed from error

    async def start(self) -> None:
        """Bring the schema up to date and begin to write.

        Raises DizhuError: database_failed, database_newer, database_in_use.
        """
        try:
            async with _migrating(), self._writers.begin() as connection:
                await connection.run_sync(migrate)
        except (DBAPIError, OSError) as error:
            raise DizhuError("database_failed", f"the database cannot be used: {reason(error)}") from None
        except TypeError as error:
            # So the driver answers to what stands behind the question mark of the URL.
            raise DizhuError("bad_database_url", f"the database cannot be used: {error}") from None
        self.writer.start()

    async def close(self) -> None:
        """Write what is still waiting, and close all connections; one that does not answer is just left."""
        await self.writer.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL_SECONDS):
                await asyncio.gather(self._readers.dispose(), self._writers.dispose())
                if self._appender is not None:
                    await self._appender.close()


@asynccontextmanager
async def _migrating() -> AsyncGenerator[None]:
    """Wait until no other thread or task of the process migrates: Alembic keeps what it works on in global names."""
    while not _MIGRATES.acquire(blocking=False):  # noqa: ASYNC110 - a lock of threads tells no loop
        await asyncio.sleep(_PAUSE_SECONDS)
    try:
        yield
    finally:
        _MIGRATES.release()


@asynccontextmanager
async def opened(address: str, *, alone: bool = False) -> AsyncGenerator[Database]:
    """Open the database at a URL, `sqlite:///PATH` or `postgresql://…`, and close it at the end.

    alone: keep other servers off, before anything is done with it.
    Raises DizhuError: bad_database_url, database_failed, database_newer, database_in_use, no_driver.
    """
    url = read_url(address)
    if not _is_postgresql(url):
        _try_file(url)
    with owning_file(url) if alone and not _is_postgresql(url) else nullcontext():
        database = Database(url, alone=alone)
        try:
            await database.start()
            yield database
        finally:
            await database.close()


def read_url(address: str) -> URL:
    """Read the URL of a database; raises DizhuError `bad_database_url`."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise _bad_url(address) from None
    if url.drivername not in _DRIVERS or (url.drivername == "sqlite" and not url.database):
        raise _bad_url(address)
    return url.set(drivername=_DRIVERS[url.drivername])


def _is_postgresql(url: URL) -> bool:
    return url.get_backend_name() == "postgresql"


def _try_file(url: URL) -> None:
    """See that the file is a database, or can become one. Raises DizhuError `database_failed`."""
    assert url.database is not None
    try:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(url.database)) as connection:
            connection.execute("PRAGMA schema_version")
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DizhuError("database_failed", f"{url.database}: {why}") from None


def _bad_url(address: str) -> DizhuError:
    forms = "sqlite:///PATH or postgresql://USER@HOST/NAME"
    # A password may stand in it, so only its beginning is repeated.
    scheme = address[:40].partition("://")[0]
    return DizhuError("bad_database_url", f"{scheme!r} … names no database; it must be {forms}")


def _engine(url: URL, *, writes: bool) -> AsyncEngine:
    size = 1 if writes else _READERS
    if _is_postgresql(url):
        # Without this each statement would see a state of its own, and could change it.
        snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        try:
            return create_async_engine(
                url,
                pool_size=size,
                max_overflow=0,
                pool_pre_ping=not writes,
                hide_parameters=True,
                execution_options={} if writes else snapshot,
            )
        except ModuleNotFoundError:
            raise DizhuError("no_driver", "PostgreSQL needs the extra: pip install 'dizhu[postgresql]'") from None
    engine = create_async_engine(
        url,
        pool_size=size,
        max_overflow=0,
        hide_parameters=True,
        connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None},
    )
    _set_up_sqlite(engine, writes=writes)
    return engine


def _set_up_sqlite(engine: AsyncEngine, *, writes: bool) -> None:
    """Make commits durable, and take the write lock at the beginning, for upgrading a read lock can fail."""
    pragmas = ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]
    if not writes:
        pragmas.append("query_only = ON")
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    def connected(connection: DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)
