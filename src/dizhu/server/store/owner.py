"""One server at a time: two that served the same tables would deal each other's cards.

Of a file, its server holds a lock until the end of its process. In PostgreSQL the lock belongs to the connection of the
writer: a server that lost this connection, because the database was restarted, has to get the lock again before it
can write anything. If another server was faster, it never will.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine

from dizhu.errors import DizhuError

if sys.platform != "win32":
    import fcntl

_KEY = 0x64697A6876
_PATIENCE = "4s"
"""PostgreSQL may take a moment to notice that the server before is gone, and some seconds if its machine is."""
_SETTINGS = ("tcp_keepalives_idle = 1", "tcp_keepalives_interval = 1", "tcp_keepalives_count = 2")
_NOT_AVAILABLE = "55P03"


class InUse(DizhuError):
    """Another server has the database."""

    def __init__(self) -> None:
        super().__init__("database_in_use", "another server uses this database; each server needs its own")


@contextmanager
def owning_file(url: URL) -> Generator[None]:
    """Hold a database in a file for one server. Raises InUse, or DizhuError `database_failed`."""
    if sys.platform == "win32":
        yield
        return
    path = Path(f"{url.database}.lock")
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise DizhuError("database_failed", f"{path}: {error.strerror}") from None
    with file as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InUse from None
        yield


def own_connections(engine: AsyncEngine) -> None:
    """Hold a database in PostgreSQL as long as there is a connection of this engine; without the lock there is none.

    To connect then raises InUse.
    """
    event.listen(engine.sync_engine, "connect", _lock)


def _lock(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    try:
        for setting in _SETTINGS:
            cursor.execute(f"SET {setting}")
        cursor.execute(f"SET LOCAL lock_timeout = '{_PATIENCE}'")
        cursor.execute(f"SELECT pg_advisory_lock({_KEY})")
        # It is the session's, not the transaction's.
        connection.commit()
    except Exception as error:
        connection.rollback()
        if getattr(error, "sqlstate", None) == _NOT_AVAILABLE:
            raise InUse from None
        raise
    finally:
        cursor.close()
