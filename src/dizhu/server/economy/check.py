"""Whether the whole ledger is in order, as `dizhu admin check` asks."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, Subquery, Text, and_, case, cast, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.store.schema import HOUSE, balance, entry, hand, hand_seat, transfer

AnySelect = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Audit:
    """What there is, and what is wrong with it: one sentence for each fault."""

    transfers: int
    entries: int
    settled: int
    beans: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        """Say in one line what there is."""
        return (
            f"{self.transfers} transfers with {self.entries} entries, {self.settled} hands settled, "
            f"{self.beans} beans owned by players"
        )


async def check(connection: AsyncConnection) -> Audit:
    """Go through the ledger. The connection has to show one state of the database, as `Database.reading()` does.

    Every transfer sums to zero in each currency, every balance is the sum of its entries, nobody but the house has
    fewer beans than none, and every hand in a room was settled once, with what its seats were told.
    """
    owned = select(func.coalesce(func.sum(balance.c.amount), 0)).where(
        balance.c.currency == "beans", balance.c.account_id != HOUSE
    )
    settled = select(func.count()).where(transfer.c.kind == "settlement")
    return Audit(
        transfers=await _number(connection, select(func.count()).select_from(transfer)),
        entries=await _number(connection, select(func.count()).select_from(entry)),
        settled=await _number(connection, settled),
        beans=await _number(connection, owned),
        faults=tuple([fault async for fault in _faults(connection)]),
    )


async def _faults(connection: AsyncConnection) -> AsyncGenerator[str]:
    for sentence, query in _FAULTS:
        for row in (await connection.execute(query)).mappings():
            yield sentence.format(**row)


async def _number(connection: AsyncConnection, query: AnySelect) -> int:
    return int((await connection.execute(query)).scalar_one())


def _unbalanced() -> AnySelect:
    total = func.sum(entry.c.amount)
    return (
        select(transfer.c.key, entry.c.currency, total.label("total"))
        .join_from(entry, transfer)
        .group_by(transfer.c.id, transfer.c.key, entry.c.currency)
        .having(total != 0)
        .order_by(transfer.c.id)
    )


def _sums() -> Subquery:
    return (
        select(entry.c.account_id, entry.c.currency, func.sum(entry.c.amount).label("total"))
        .group_by(entry.c.account_id, entry.c.currency)
        .subquery()
    )


def _wrong_balances() -> AnySelect:
    sums = _sums()
    booked = func.coalesce(sums.c.total, 0)
    same = and_(sums.c.account_id == balance.c.account_id, sums.c.currency == balance.c.currency)
    return (
        select(balance.c.account_id, balance.c.currency, balance.c.amount, booked.label("total"))
        .outerjoin_from(balance, sums, same)
        .where(balance.c.amount != booked)
        .order_by(balance.c.account_id, balance.c.currency)
    )


def _missing_balances() -> AnySelect:
    sums = _sums()
    same = and_(sums.c.account_id == balance.c.account_id, sums.c.currency == balance.c.currency)
    return (
        select(sums.c.account_id, sums.c.currency, sums.c.total)
        .outerjoin_from(sums, balance, same)
        .where(balance.c.amount.is_(None))
        .order_by(sums.c.account_id, sums.c.currency)
    )


def _below_zero() -> AnySelect:
    beans = and_(balance.c.currency == "beans", balance.c.amount < 0, balance.c.account_id != HOUSE)
    return select(balance.c.account_id, balance.c.amount).where(beans).order_by(balance.c.account_id)


def _not_settled_once() -> AnySelect:
    times = func.count(transfer.c.id)
    mine = and_(transfer.c.hand_id == hand.c.id, transfer.c.kind == "settlement")
    wanted = case((hand.c.room.is_(None), 0), else_=1)
    return (
        select(hand.c.table_id, hand.c.number, times.label("times"), wanted.label("wanted"))
        .outerjoin_from(hand, transfer, mine)
        .group_by(hand.c.id, hand.c.table_id, hand.c.number, hand.c.room)
        .having(times != wanted)
        .order_by(hand.c.id)
    )


def _strange_settlements() -> AnySelect:
    # As `hand_key` writes it.
    key = literal("hand:") + hand.c.table_id + ":" + cast(hand.c.number, Text)
    return (
        select(transfer.c.key)
        .outerjoin_from(transfer, hand)
        .where(transfer.c.kind == "settlement", or_(hand.c.id.is_(None), key != transfer.c.key))
        .order_by(transfer.c.id)
    )


def _other_than_told() -> AnySelect:
    mine = and_(hand_seat.c.hand_id == transfer.c.hand_id, hand_seat.c.account_id == entry.c.account_id)
    told = func.sum(case((entry.c.currency == "beans", hand_seat.c.beans), else_=hand_seat.c.points))
    return (
        select(transfer.c.key, entry.c.account_id, entry.c.currency, entry.c.amount)
        .join_from(entry, transfer)
        .outerjoin(hand_seat, mine)
        .where(transfer.c.kind == "settlement", entry.c.account_id != HOUSE)
        .group_by(transfer.c.id, transfer.c.key, entry.c.account_id, entry.c.currency, entry.c.amount)
        .having(func.coalesce(told, 0) != entry.c.amount)
        .order_by(transfer.c.id, entry.c.account_id)
    )


_FAULTS: tuple[tuple[str, AnySelect], ...] = (
    ("transfer {key}: its entries in {currency} sum to {total} instead of 0", _unbalanced()),
    ("account {account_id}: its balance in {currency} is {amount}, its entries sum to {total}", _wrong_balances()),
    ("account {account_id}: it has no balance in {currency}, its entries sum to {total}", _missing_balances()),
    ("account {account_id}: it has {amount} beans", _below_zero()),
    ("hand {number} of table {table_id}: it was settled {times} times instead of {wanted}", _not_settled_once()),
    ("transfer {key}: it settles no hand of that name", _strange_settlements()),
    ("transfer {key}: account {account_id} was booked {amount} in {currency}, and told otherwise", _other_than_told()),
)
