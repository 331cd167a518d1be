"""Who stands where: leaderboards of all time, of the week and of the day, and a player's rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Subquery, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.game.titles import step
from dizhu.server.economy.days import day_began, week_began
from dizhu.server.economy.ledger import Currency
from dizhu.server.store.schema import HOUSE, account, balance, entry, transfer

Period = Literal["day", "week", "all"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a leaderboard. Who has the same amount has the same rank; ranks count from 1.

    `title`: the player's step on the ladder that is counted, from 0; where beans are, that of three players.
    """

    rank: int
    account: int
    name: str
    title: int
    amount: int


async def leaderboard(
    connection: AsyncConnection, currency: Currency, period: Period, at: int, count: int
) -> list[Standing]:
    """List those who have most, or have won most in the day or week (UTC) of a time in milliseconds since 1970.

    Grants and gifts are no winnings. The house, and accounts that are deleted, are not listed.
    """
    totals = _totals(currency, period, at)
    ladder = "three_player" if currency == "beans" else currency
    points = select(balance.c.amount).where(balance.c.account_id == account.c.id, balance.c.currency == ladder)
    query = (
        select(account.c.id, account.c.name, totals.c.amount, points.scalar_subquery().label("points"))
        .join_from(totals, account, account.c.id == totals.c.account_id)
        .where(account.c.id != HOUSE, account.c.deleted_at.is_(None))
        .order_by(totals.c.amount.desc(), account.c.id)
        .limit(count)
    )
    standings: list[Standing] = []
    for place, row in enumerate(await connection.execute(query), start=1):
        tied = standings and standings[-1].amount == row.amount
        rank = standings[-1].rank if tied else place
        standings.append(Standing(rank, row.id, row.name, step(int(row.points or 0), ladder), int(row.amount)))
    return standings


async def rank_of(connection: AsyncConnection, who: int, currency: Currency, amount: int) -> int:
    """Find the place of a player with an amount among all players, from 1; deleted accounts have nothing."""
    richer = select(func.count()).where(
        balance.c.currency == currency, balance.c.amount > amount, balance.c.account_id.not_in((who, HOUSE))
    )
    return 1 + (await connection.execute(richer)).scalar_one()


def _totals(currency: Currency, period: Period, at: int) -> Subquery:
    """What each account has, or has won since the period began."""
    if period == "all":
        return select(balance.c.account_id, balance.c.amount).where(balance.c.currency == currency).subquery()
    began = day_began(at) if period == "day" else week_began(at)
    return (
        select(entry.c.account_id, func.sum(entry.c.amount).label("amount"))
        .join_from(entry, transfer)
        .where(entry.c.currency == currency, transfer.c.kind == "settlement", transfer.c.at >= began)
        .group_by(entry.c.account_id)
        .subquery()
    )
