"""One server at a time: two that served the same tables would deal each other's cards."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from dizhu.errors import DizhuError

if sys.platform != "win32":
    import fcntl

_KEY = 0x64697A6876


@asynccontextmanager
async def owning(url: URL, engine: AsyncEngine) -> AsyncGenerator[None]:
    """Hold the database for one server, until the end of this process at the latest.

    Raises DizhuError `database_in_use`.
    """
    if url.get_backend_name() == "postgresql":
        async with engine.connect() as connection:
            if not (await connection.execute(text(f"SELECT pg_try_advisory_lock({_KEY})"))).scalar_one():
                raise _in_use()
            # The lock stays; a transaction that stayed open would keep the database from tidying up.
            await connection.commit()
            yield
            await connection.invalidate()
    elif sys.platform == "win32":
        yield
    else:
        with open(f"{url.database}.lock", "w", encoding="utf-8") as lock:  # noqa: PTH123, ASYNC230 a moment at start
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise _in_use() from None
            yield


def _in_use() -> DizhuError:
    return DizhuError("database_in_use", "another server uses this database; each server needs its own")
