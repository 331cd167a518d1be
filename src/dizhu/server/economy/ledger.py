"""Double entry in whole numbers: transfers whose entries sum to zero, and balances that are the sums of entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.server.economy.rows import add, add_missing
from dizhu.server.store import schema
from dizhu.server.store.schema import HOUSE

Currency = Literal["beans", "three_player", "five_player"]
CURRENCIES: tuple[Currency, ...] = get_args(Currency)

Kind = Literal["settlement", "grant", "gift", "closing"]
"""What a transfer is for: a hand, a grant to a player, a gift of the host, what a deleted account leaves behind."""

Place = tuple[int, Currency]
"""An account and a currency: where a balance stands."""

_set_balance = (
    update(schema.balance)
    .where(schema.balance.c.account_id == bindparam("of"), schema.balance.c.currency == bindparam("in"))
    .values(amount=bindparam("now"))
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a transfer: what an account gains (or loses, below zero) in a currency."""

    account: int
    currency: Currency
    amount: int


@dataclass(frozen=True, slots=True)
class Purse:
    """All that an account owns."""

    beans: int
    three_player: int
    five_player: int


async def book(
    connection: AsyncConnection, key: str, kind: Kind, entries: Iterable[Entry], at: int, hand_id: int | None = None
) -> dict[Place, int] | None:
    """Book a transfer, whole or not at all; returns the balances it names, as they are now.

    key: what it is for. Nothing is booked twice: if there is a transfer of that key, nothing changes, and the answer is
    None. at: milliseconds since 1970. Raises DizhuError `not_enough_beans` if somebody would have fewer than none.
    """
    amounts: Counter[Place] = Counter()
    sums: Counter[Currency] = Counter()
    for entry in entries:
        amounts[entry.account, entry.currency] += entry.amount
        sums[entry.currency] += entry.amount
    if any(sums.values()):
        raise ValueError(f"the entries of {key} sum to {dict(sums)} instead of zero")
    before = await locked(connection, amounts)
    after = {place: before[place] + amount for place, amount in amounts.items()}
    if (broke := _below_zero(after)) is not None:
        if await is_booked(connection, key):
            return None
        wanted = before[broke] - after[broke]
        message = f"account {broke[0]} has {before[broke]} beans, which is less than {wanted}"
        raise DizhuError("not_enough_beans", message, account=broke[0])
    transfer = await add(connection, schema.transfer, {"key": key, "kind": kind, "at": at, "hand_id": hand_id})
    if transfer is None:
        return None
    changed = [place for place in sorted(amounts) if amounts[place]]
    if changed:
        rows = [
            {"transfer_id": transfer, "account_id": place[0], "currency": place[1], "amount": amounts[place]}
            for place in changed
        ]
        await connection.execute(insert(schema.entry), rows)
        await connection.execute(
            _set_balance, [{"of": place[0], "in": place[1], "now": after[place]} for place in changed]
        )
    return after


def _below_zero(after: Mapping[Place, int]) -> Place | None:
    """Find an account that would have fewer beans than none."""
    broke = (place for place, amount in after.items() if amount < 0 and place[1] == "beans" and place[0] != HOUSE)
    return min(broke, default=None)


async def is_booked(connection: AsyncConnection, key: str) -> bool:
    """Tell whether there is a transfer of that key."""
    known = select(schema.transfer.c.id).where(schema.transfer.c.key == key)
    return (await connection.execute(known)).one_or_none() is not None


async def locked(connection: AsyncConnection, places: Collection[Place]) -> dict[Place, int]:
    """Read balances that nobody else changes before the end of the transaction; one that is not there yet is 0.

    They are always locked in the same order. So no two transactions wait for each other here, and the transfers of an
    account have rising numbers.
    """
    found = await _locked(connection, places)
    missing = sorted(place for place in places if place not in found)
    if missing:
        rows = [{"account_id": account, "currency": currency, "amount": 0} for account, currency in missing]
        await add_missing(connection, schema.balance, rows)
        found = await _locked(connection, places)
    return found


async def _locked(connection: AsyncConnection, places: Collection[Place]) -> dict[Place, int]:
    columns = schema.balance.c
    query = (
        select(columns.account_id, columns.currency, columns.amount)
        .where(columns.account_id.in_({account for account, _ in places}))
        .where(columns.currency.in_({currency for _, currency in places}))
        .order_by(columns.account_id, columns.currency)
        .with_for_update()
    )
    return {(row.account_id, row.currency): row.amount for row in await connection.execute(query)}


async def balances_after(
    connection: AsyncConnection, key: str, accounts: Collection[int], currency: Currency
) -> dict[int, int]:
    """Read what some accounts had after the transfer of a key: what they have now, without what was booked later."""
    entries, number = schema.entry.c, select(schema.transfer.c.id).where(schema.transfer.c.key == key)
    later = (
        select(entries.account_id, func.sum(entries.amount).label("amount"))
        .where(entries.account_id.in_(accounts), entries.currency == currency)
        .where(entries.transfer_id > number.scalar_subquery())
        .group_by(entries.account_id)
        .subquery()
    )
    columns = schema.balance.c
    query = (
        select(columns.account_id, columns.amount - func.coalesce(later.c.amount, 0))
        .outerjoin_from(schema.balance, later, later.c.account_id == columns.account_id)
        .where(columns.account_id.in_(accounts), columns.currency == currency)
    )
    owned = {account: int(amount) for account, amount in await connection.execute(query)}
    return {account: owned.get(account, 0) for account in accounts}


async def purse(connection: AsyncConnection, account: int) -> Purse:
    """Read all that an account owns."""
    return (await purses(connection, [account]))[account]


async def purses(connection: AsyncConnection, accounts: Collection[int]) -> dict[int, Purse]:
    """Read all that some accounts own."""
    columns = schema.balance.c
    query = select(columns.account_id, columns.currency, columns.amount).where(columns.account_id.in_(accounts))
    owned = {(row.account_id, row.currency): row.amount for row in await connection.execute(query)}
    return {
        account: Purse(**{currency: owned.get((account, currency), 0) for currency in CURRENCIES})
        for account in accounts
    }
