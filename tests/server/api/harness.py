"""The API alone, over a real database, and callers of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.applications import Starlette

from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.api import ENDPOINTS, routes
from dizhu.server.clock import Clock
from dizhu.server.limits import Limits
from dizhu.server.settings import Rate, Settings
from dizhu.server.store.database import Database, opened

HOST = "http://dizhu.example"
NO_LIMIT = Rate(1e9, 1e9)
UNLIMITED = Settings(
    reads=NO_LIMIT,
    writes=NO_LIMIT,
    passwords=NO_LIMIT,
    guests=NO_LIMIT,
    failed_logins=NO_LIMIT,
    address_failed_logins=NO_LIMIT,
)
QUICK = {"rounds": 1, "memory_kib": 8}
"""Parameters of argon2 that cost next to nothing."""


class HandClock(Clock):
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def now(self) -> float:
        return self.seconds

    def wall(self) -> int:
        return int(self.seconds * 1000)


@dataclass
class Api:
    """The API, and what stands behind it."""

    app: Starlette
    database: Database
    accounts: DatabaseAccounts
    clock: HandClock

    def caller(self, token: str | None = None, address: str = "192.0.2.1", **options: Any) -> httpx.AsyncClient:
        """Make a client: a browser that keeps cookies, or a program with a token."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url=HOST, headers=headers, **options)


@asynccontextmanager
async def api(url: str, settings: Settings = UNLIMITED, *, passwords: Passwords | None = None) -> AsyncGenerator[Api]:
    clock = HandClock()
    async with opened(url) as database:
        accounts = DatabaseAccounts(database, passwords=passwords or Passwords(**QUICK), clock=clock)
        app = Starlette(routes=routes(ENDPOINTS, settings.origins))
        app.state.accounts = accounts
        app.state.database = database
        app.state.limits = Limits(settings, clock)
        yield Api(app, database, accounts, clock)
