"""Accounts in a real database, with a clock that a test moves, and passwords that cost next to nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select

from dizhu.errors import DizhuError
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.clock import Clock
from dizhu.server.store.database import Database, opened

PASSWORD = "correct horse"


def cheap() -> Passwords:
    return Passwords(rounds=1, memory_kib=8)


class HandClock(Clock):
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.seconds = 1_000_000.0

    def now(self) -> float:
        return self.seconds

    def wall(self) -> int:
        return int(self.seconds * 1000)


@dataclass
class Kept:
    """Accounts, and the database in which they are."""

    database: Database
    clock: HandClock
    accounts: DatabaseAccounts

    def another(self) -> DatabaseAccounts:
        """The same accounts as another process sees them."""
        return DatabaseAccounts(self.database, passwords=cheap(), clock=self.clock)

    async def rows(self, statement: Select[*tuple[Any, ...]]) -> list[Any]:
        async with self.database.reading() as connection:
            return [tuple(row) for row in await connection.execute(statement)]


@asynccontextmanager
async def kept(url: str) -> AsyncGenerator[Kept]:
    clock = HandClock()
    async with opened(url) as database:
        yield Kept(database, clock, DatabaseAccounts(database, passwords=cheap(), clock=clock))


async def code_of(awaitable: Any) -> str | None:
    """Tell with which code something is refused, if it is."""
    try:
        await awaitable
    except DizhuError as error:
        return error.code
    return None
