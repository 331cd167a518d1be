"""The short way into SQLite for events alone, which are most of what a server writes.

By SQLAlchemy a transaction of one row takes a dozen turns between the loop and a thread, and four times as much of the
processor. Nothing is decided here: whatever goes wrong, the writer does it again by the long way and sees what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import aiosqlite
from sqlalchemy import insert
from sqlalchemy.dialects import sqlite

from dizhu.server.store import schema

_INSERT = insert(schema.event).compile(dialect=sqlite.dialect())
_SQL = str(_INSERT)
_COLUMNS: Sequence[str] = _INSERT.positiontup or ()


class Appender:
    """A connection of its own, open while all goes well."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._connection: aiosqlite.Connection | None = None

    async def append(self, rows: Sequence[Any]) -> None:
        """Append events in one transaction; on return they are safe. Raises sqlite3.Error, and others as well.

        rows: mappings with all columns of the table `event`. Does not wait for a lock that somebody else has.
        """
        connection = self._connection or await self._open()
        try:
            await connection.executemany(_SQL, [tuple(row[column] for column in _COLUMNS) for row in rows])
            await connection.commit()
        except BaseException:
            # With the connection ends what is half done, also if its thread still waits for the disk.
            self._connection = None
            connection.stop()  # pyright: ignore[reportUnknownMemberType]
            raise

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _open(self) -> aiosqlite.Connection:
        connection = aiosqlite.connect(self._file, timeout=0, isolation_level="IMMEDIATE")
        # A disk that does not answer must not keep the process from ending; SQLAlchemy does the same.
        connection._thread.daemon = True  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        await connection
        for pragma in ("synchronous = FULL", "foreign_keys = ON"):
            await connection.execute(f"PRAGMA {pragma}")
        self._connection = connection
        return connection
