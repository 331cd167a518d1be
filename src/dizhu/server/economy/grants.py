"""Beans that the house gives: to begin with, to who is broke, and by the hand of the host; and what it takes back."""

from __future__ import annotations

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.server.economy.days import DAY, day_of
from dizhu.server.economy.ledger import CURRENCIES, Entry, Place, Purse, book, is_booked, locked, purse
from dizhu.server.store import schema
from dizhu.server.store.database import Database
from dizhu.server.store.schema import HOUSE

BEGIN_WITH = 3_000
"""Beans for who comes for the first time."""

DAILY = 1_000
"""Beans for who is broke; more, where the room that asks least asks for more."""

_MOST = 10**15


async def welcome(database: Database, account: int, at: int) -> Purse:
    """Tell what a player owns; who comes for the first time has something to begin with. Raises StoreFailed.

    at: milliseconds since 1970. Call it when a player connects.
    """
    async with database.reading() as connection:
        if await is_booked(connection, _beginning(account)):
            return await purse(connection, account)
    return await database.writer.run(lambda connection: _begin(connection, account, at))


async def _begin(connection: AsyncConnection, account: int, at: int) -> Purse:
    if not await is_booked(connection, _beginning(account)):
        entries = [Entry(account, "beans", BEGIN_WITH), Entry(HOUSE, "beans", -BEGIN_WITH)]
        await book(connection, _beginning(account), "grant", entries, at)
    return await purse(connection, account)


def _beginning(account: int) -> str:
    return f"begin:{account}"


async def grant(connection: AsyncConnection, account: int, need: int, at: int) -> int:
    """Help a player who has fewer beans than the room that asks least needs, once a day (UTC); returns how many.

    need: what that room needs. at: milliseconds since 1970. Raises DizhuError `not_broke`, or `granted_today`, whose
    detail `until` says when the next day begins.
    """
    owned = (await _begin(connection, account, at)).beans
    if owned >= need:
        raise DizhuError("not_broke", f"the player has {owned} beans, and may enter a room with {need}")
    amount = max(DAILY, need)
    day = day_of(at)
    entries = [Entry(account, "beans", amount), Entry(HOUSE, "beans", -amount)]
    if await book(connection, f"grant:{account}:{day}", "grant", entries, at) is None:
        raise DizhuError("granted_today", "the player has had the grant of this day", until=(day + 1) * DAY)
    await connection.execute(update(schema.account).where(schema.account.c.id == account).values(granted_at=at))
    return amount


async def give(connection: AsyncConnection, account: int, beans: int, at: int, key: str) -> int:
    """Give a player beans because the host wants it (or take some, below zero); returns how many he has then.

    Raises DizhuError: unknown_account, bad_amount, not_enough_beans.
    """
    if not 0 < abs(beans) <= _MOST:
        raise DizhuError("bad_amount", f"{beans} is no number of beans to give; it may be up to {_MOST}, and not 0")
    found = select(schema.account.c.id).where(schema.account.c.id == account, schema.account.c.deleted_at.is_(None))
    if account == HOUSE or (await connection.execute(found)).one_or_none() is None:
        raise DizhuError("unknown_account", f"there is no account {account}")
    await _begin(connection, account, at)
    await book(connection, key, "gift", [Entry(account, "beans", beans), Entry(HOUSE, "beans", -beans)], at)
    return (await purse(connection, account)).beans


async def close(connection: AsyncConnection, account: int, at: int) -> None:
    """Let the house take the beans and points of an account, in the transaction in which this is deleted."""
    if await purse(connection, account) == Purse(0, 0, 0):
        return
    places: list[Place] = [(owner, currency) for owner in (HOUSE, account) for currency in CURRENCIES]
    owned = await locked(connection, places)
    entries = [
        Entry(owner, currency, -owned[account, currency] if owner == account else owned[account, currency])
        for owner, currency in places
    ]
    await book(connection, f"closing:{account}", "closing", entries, at)
