"""The API alone, over a real database, and callers of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.applications import Starlette

from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.api import ENDPOINTS, Endpoint, routes
from dizhu.server.limits import Limits
from dizhu.server.rooms import read_rooms
from dizhu.server.settings import Rate, Settings
from dizhu.server.store.database import Database, opened
from server.accounts.harness import HandClock, cheap

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


@dataclass
class Api:
    """The API, and what stands behind it."""

    app: Starlette
    database: Database
    accounts: DatabaseAccounts
    clock: HandClock

    def caller(
        self, token: str | None = None, *, address: str = "192.0.2.1", base: str = HOST, **headers: str
    ) -> httpx.AsyncClient:
        """Make a client: a browser that keeps cookies, or a program with a token."""
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        transport = httpx.ASGITransport(self.app, client=(address, 1))
        return httpx.AsyncClient(transport=transport, base_url=base, headers=headers)

    async def guest(self, *, address: str = "192.0.2.1") -> httpx.AsyncClient:
        """Make a browser with a session."""
        browser = self.caller(address=address)
        assert (await browser.post("/api/session")).status_code == 200
        return browser

    async def player(self, name: str, password: str, *, address: str = "192.0.2.1") -> httpx.AsyncClient:
        """Make a browser with the session of a claimed account."""
        browser = await self.guest(address=address)
        claimed = await browser.post("/api/account/claim", json={"name": name, "password": password})
        assert claimed.status_code == 200
        return browser


@asynccontextmanager
async def api(
    url: str,
    settings: Settings = UNLIMITED,
    *,
    passwords: Passwords | None = None,
    more: Iterable[Endpoint[Any, Any]] = (),
) -> AsyncGenerator[Api]:
    """Open the API; `more`: endpoints beside its own."""
    clock = HandClock()
    async with opened(url) as database:
        accounts = DatabaseAccounts(database, passwords=passwords or cheap(), clock=clock)
        app = Starlette(routes=routes([*ENDPOINTS, *more], settings.origins))
        app.state.accounts, app.state.database, app.state.limits = accounts, database, Limits(settings, clock)
        app.state.rooms, app.state.clock = read_rooms(), clock
        app.state.open_tables = tuple
        yield Api(app, database, accounts, clock)


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Tell the status and the code of a refusal, which has the form that all have."""
    body = answer.json()
    assert body.keys() == {"code", "detail"}
    assert isinstance(body["detail"], dict)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "application/json"
    return answer.status_code, body["code"]
