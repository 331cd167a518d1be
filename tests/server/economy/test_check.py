"""The check of the whole ledger finds every kind of damage, and nothing in a ledger that is in order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.economy.check import Audit, check
from server.economy.bank import NOON, PEOPLE, Bank, ended, left, lost, opened_bank, played, room, won

TRANSFER = f"INSERT INTO transfer (key, kind, at, hand_id) VALUES ('%s', '%s', {NOON}, %s)"


async def audit(bank: Bank) -> Audit:
    async with bank.database.reading() as connection:
        return await check(connection)


async def populate(bank: Bank) -> None:
    beans, points = room("classic-beginner", fee=5), room("classic-points")
    await bank.finish(ended(lost(), beans))
    await bank.finish(ended(won(), points, number=2))
    await bank.finish(ended(won(2), None, number=3))
    await bank.finish(ended(left(1), beans, (1, 2, None), number=4))
    await bank.finish(ended(played("classic", ["35", "6", "7"], "0 bid 1; 2 leave"), points, number=5))
    await bank.finish(ended(lost(1), beans, (None, None, None), number=6))


def test_a_ledger_in_order(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            assert await audit(bank) == Audit(0, 0, 0, 0, ())
            for account in PEOPLE:
                await bank.give(account, 200)
            await populate(bank)
            found = await audit(bank)
            assert found.faults == ()
            assert (found.transfers, found.settled) == (10, 5)
            assert found.entries == await bank.count("entry")
            owned = await bank.balances()
            assert found.beans == -owned[0] == sum(owned.values()) - owned[0]
            assert str(found).startswith(f"10 transfers with {found.entries} entries, 5 hands settled, ")
            assert str(found).endswith(f", {found.beans} beans owned by players")

    asyncio.run(run())


DAMAGE = [
    (
        ["UPDATE entry SET amount = amount + 1 WHERE account_id = 3 AND transfer_id = 3"],
        [
            "transfer given:3:beans:200: its entries in beans sum to 1 instead of 0",
            "account 3: its balance in beans is 255, its entries sum to 256",
        ],
    ),
    (
        ["UPDATE balance SET amount = 0 WHERE account_id = 5"],
        ["account 5: its balance in beans is 0, its entries sum to 200"],
    ),
    (
        ["DELETE FROM balance WHERE account_id = 5 AND currency = 'beans'"],
        ["account 5: it has no balance in beans, its entries sum to 200"],
    ),
    (
        ["INSERT INTO balance (account_id, currency, amount) VALUES (5, 'five_player', 3)"],
        ["account 5: its balance in five_player is 3, its entries sum to 0"],
    ),
    (
        ["DELETE FROM entry WHERE transfer_id = 10", "DELETE FROM transfer WHERE id = 10"],
        ["hand 6 of table t: it was settled 0 times instead of 1"],
    ),
    (
        [TRANSFER % ("again", "settlement", 1)],
        [
            "hand 1 of table t: it was settled 2 times instead of 1",
            "transfer again: it settles no hand of that name",
        ],
    ),
    (
        [TRANSFER % ("hand:t:3", "settlement", 3)],
        ["hand 3 of table t: it was settled 1 times instead of 0"],
    ),
    (
        [TRANSFER % ("hand:t:77", "settlement", "NULL")],
        ["transfer hand:t:77: it settles no hand of that name"],
    ),
    (
        ["UPDATE hand_seat SET beans = beans - 1 WHERE hand_id = 1 AND seat = 0"],
        ["transfer hand:t:1: account 1 was booked -125 in beans, and told otherwise"],
    ),
    (
        ["UPDATE hand_seat SET account_id = 5 WHERE hand_id = 2 AND seat = 1"],
        ["transfer hand:t:2: account 2 was booked -6 in three_player, and told otherwise"],
    ),
]


@pytest.mark.parametrize(("statements", "faults"), DAMAGE, ids=[str(number) for number in range(len(DAMAGE))])
def test_damage_is_found_and_named(database_url: str, statements: Sequence[str], faults: list[str]):
    async def damage(connection: AsyncConnection) -> None:
        for statement in statements:
            await connection.execute(text(statement))

    async def run() -> None:
        async with opened_bank(database_url, 200) as bank:
            await populate(bank)
            await bank.run(damage)
            assert list((await audit(bank)).faults) == faults

    asyncio.run(run())


def test_beans_below_zero_are_found_where_the_database_let_them_in(tmp_path: object):
    async def damage(connection: AsyncConnection) -> None:
        await connection.execute(text("PRAGMA ignore_check_constraints = ON"))
        await connection.execute(text("UPDATE balance SET amount = -1 WHERE account_id = 4 AND currency = 'beans'"))

    async def run() -> None:
        async with opened_bank(f"sqlite:///{tmp_path}/dizhu.sqlite3", 200) as bank:
            await bank.run(damage)
            assert list((await audit(bank)).faults) == [
                "account 4: its balance in beans is -1, its entries sum to 200",
                "account 4: it has -1 beans",
            ]

    asyncio.run(run())
