"""Whether the server can do its work: whoever watches over it asks at `/healthz`."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from dizhu.errors import DizhuError
from dizhu.server.clock import Clock
from dizhu.server.store.database import Database

_KEPT_SECONDS = 1.0
_PATIENCE_SECONDS = 5.0

# It changes nothing, and has to be written nevertheless.
_WRITE = text("UPDATE alembic_version SET version_num = version_num")


class Health:
    """Looks whether the database takes writes; however many ask, it looks once a second at most."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._look: asyncio.Task[bool] | None = None
        self._looked_at = 0.0

    async def good(self) -> bool:
        """Tell whether something can be written."""
        if self._look is None or (self._look.done() and self._clock.now() >= self._looked_at + _KEPT_SECONDS):
            self._looked_at = self._clock.now()
            self._look = asyncio.create_task(self._write(), name="health")
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return await asyncio.shield(self._look)
        return False

    async def _write(self) -> bool:
        try:
            await self._database.writer.run(_job)
        except (DizhuError, DBAPIError):
            return False
        return True


async def _job(connection: AsyncConnection) -> None:
    await connection.execute(_WRITE)


async def healthz(request: Request) -> PlainTextResponse:
    """Answer 200 while the server can do its work, 503 while it cannot."""
    health: Health = request.app.state.health
    good = await health.good()
    return PlainTextResponse(
        "ok\n" if good else "the database takes no writes\n", 200 if good else 503, {"cache-control": "no-store"}
    )
