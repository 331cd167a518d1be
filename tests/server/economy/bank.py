"""A database with players and a table, and short ways to book and to finish hands, as the tests of the economy need."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu import Game, position, variant
from dizhu.server.economy.hands import FinishedHand, HandOutcome, Player, finish
from dizhu.server.economy.ledger import Currency, Entry, book
from dizhu.server.rooms import Room, read_rooms
from dizhu.server.store import schema
from dizhu.server.store.database import Database, opened
from dizhu.server.store.schema import HOUSE

T = TypeVar("T")
NOON = 1_700_049_600_000
"""12:00 UTC of a Wednesday, 15 November 2023, in milliseconds."""

ROOMS = read_rooms()
PEOPLE = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Bank:
    """A database with five accounts and the table `t`."""

    database: Database

    async def run(self, job: Callable[..., Coroutine[Any, Any, T]], *arguments: Any, **more: Any) -> T:
        """Do something in a transaction of its own."""
        return await self.database.writer.run(lambda connection: job(connection, *arguments, **more))

    async def give(self, account: int, amount: int, currency: Currency = "beans", key: str | None = None) -> None:
        """Let an account have something from the house."""
        entries = [Entry(account, currency, amount), Entry(HOUSE, currency, -amount)]
        key = key or f"given:{account}:{currency}:{amount}"
        assert await self.run(book, key, "gift", entries, NOON) is not None

    async def finish(self, hand: FinishedHand) -> HandOutcome:
        return await self.run(finish, hand)

    async def balances(self, currency: Currency = "beans") -> dict[int, int]:
        """All balances in a currency, the house's included."""
        columns = schema.balance.c
        query = select(columns.account_id, columns.amount).where(columns.currency == currency)
        async with self.database.reading() as connection:
            return {row.account_id: row.amount for row in await connection.execute(query)}

    async def count(self, table: str) -> int:
        """How many rows a table has."""
        async with self.database.reading() as connection:
            rows = await connection.execute(select(func.count()).select_from(schema.metadata.tables[table]))
            return rows.scalar_one()

    async def everything(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of all tables."""
        async with self.database.reading() as connection:
            return {
                name: [tuple(row) for row in await connection.execute(select(table).order_by(*table.primary_key))]
                for name, table in schema.metadata.tables.items()
            }


@asynccontextmanager
async def opened_bank(url: str, beans: int = 0) -> AsyncGenerator[Bank]:
    """Open a fresh database with the accounts and the table in it, and some beans for everybody."""
    async with opened(url) as database:
        bank = Bank(database)
        await bank.run(populate)
        for account in PEOPLE if beans else ():
            await bank.give(account, beans)
        yield bank


async def populate(connection: AsyncConnection) -> None:
    """Make the accounts 1 to 5, and the table `t`."""
    rows = [{"name": f"Player {number}", "created_at": NOON, "seen_at": NOON} for number in PEOPLE]
    await connection.execute(insert(schema.account), rows)
    table = {"id": "t", "variant": "classic", "options": "{}", "created_at": NOON}
    await connection.execute(insert(schema.table), table)


def players(*accounts: int | None) -> tuple[Player, ...]:
    return tuple(Player("bot" if account is None else f"Player {account}", account) for account in accounts)


def played(name: str, hands: list[str], script: str, *, marked: str | None = None, **options: Any) -> Game:
    """A hand that was played; items of the script are parted by `; `."""
    game = variant(name, **options)
    hand = Game(game, position(game, hands, marked=marked))
    for item in script.split("; "):
        seat, _, action = item.partition(" ")
        hand.act(int(seat), action)
    assert hand.result is not None
    return hand


def won(bid: int = 3) -> Game:
    """Classic: seat 0 is landlord and wins 4 points for each of its bid (with a spring)."""
    return played("classic", ["3", "6", "7"], f"{_bids(bid)}; 0 play 3")


def lost(bid: int = 3) -> Game:
    """Classic: seat 0 is landlord and loses 4 points for each of its bid (with an anti-spring)."""
    return played("classic", ["35", "6", "7"], f"{_bids(bid)}; 0 play 3; 1 play 6")


def left(seat: int) -> Game:
    """Classic: seat 0 is landlord for 3, and a seat leaves after the first play."""
    return played("classic", ["35", "6", "7"], f"0 bid 3; 0 play 3; {seat} leave")


def _bids(bid: int) -> str:
    return "0 bid 3" if bid == 3 else f"0 bid {bid}; 1 no; 2 no"


def room(name: str = "classic-beginner", **changes: Any) -> Room:
    return replace(ROOMS[name], **changes)


def ended(
    game: Game,
    place: Room | None,
    accounts: tuple[int | None, ...] = (1, 2, 3),
    number: int = 1,
    at: int = NOON,
) -> FinishedHand:
    """A hand of the table that has just ended."""
    return FinishedHand("t", number, game, place, players(*accounts), at)
