"""What is taken out of old logs, and that every table can still be built from what is left."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from sqlalchemy import func, select

from dizhu.cli import main
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.store import schema
from dizhu.server.store.database import Database, opened
from dizhu.server.store.log import Act, Deal, Entry, Log, Seats, Seed, TableRow, Written
from dizhu.server.store.pruning import prune
from server.harness import HandClock

OLD, LIMIT, NEW = 1_000, 2_000, 3_000
NOBODY = Seats((None, None, None))


def hands(*times: int, end: int) -> list[Written]:
    """A log with a hand that began at each of some times, and what has happened since at its table."""
    entries: list[tuple[int, Entry]] = [(times[0], NOBODY), (times[0], Seed(1, "11"))]
    for number, (at, following) in enumerate(pairwise([*times, end]), start=1):
        entries += [(at, NOBODY), (at, Deal(number, "11", (), 0, None, 0, number)), (at, Seed(number + 1, "22"))]
        entries += [(following, Act(0, "bid 3", number))] * 4
    return [Written(seq, at, entry) for seq, (at, entry) in enumerate(entries, start=1)]


async def add(log: Log, name: str, entries: Sequence[Written], closed: int | None = None) -> None:
    await log.open(TableRow(name, None, "classic", {}, None), entries[:2])
    await log.append(name, entries[2:])
    if closed is not None:
        await log.close(name, closed)


async def counts(database: Database) -> dict[str, int]:
    columns = schema.event.c
    query = select(columns.table_id, func.count().label("number")).group_by(columns.table_id)
    async with database.reading() as connection:
        return {row.table_id: row.number for row in await connection.execute(query)}


def test_only_what_is_old_and_of_no_use_is_deleted(database_url: str):
    async def run() -> None:
        async with opened(database_url) as database:
            log = Log(database)
            await add(log, "closed long ago", hands(OLD, OLD, end=OLD), closed=OLD)
            await add(log, "closed just now", hands(OLD, OLD, end=OLD), closed=NEW)
            await add(log, "open, old hands", hands(OLD, OLD, end=OLD))
            await add(log, "open, new hands", hands(NEW, NEW, end=NEW))
            await add(log, "open, first old", hands(OLD, NEW, NEW, end=NEW))
            await add(log, "open, no hand", hands(OLD, end=OLD)[:2])
            before = await counts(database)
            rows = await log.unfinished()
            loaded = await log.load_all([row.id for row in rows])
            assert await prune(database, LIMIT) == 16 + 9 + 5
            left = await counts(database)
            assert left == {
                "closed just now": before["closed just now"],
                "open, old hands": 7,
                "open, new hands": before["open, new hands"],
                "open, first old": before["open, first old"] - 5,
                "open, no hand": 2,
            }
            assert await log.unfinished() == rows
            assert await log.load_all([row.id for row in rows]) == loaded
            assert await prune(database, LIMIT) == 0

    asyncio.run(run())


def test_so_many_that_it_takes_several_transactions(database_url: str):
    async def run() -> None:
        async with opened(database_url) as database:
            log = Log(database)
            for number in range(45):
                await add(log, str(number), hands(OLD, end=OLD), closed=OLD)
            assert await prune(database, LIMIT) == 45 * 9
            assert await counts(database) == {}

    asyncio.run(run())


def test_the_command_says_how_much_it_was(database_url: str, capsys: pytest.CaptureFixture[str]):
    async def run() -> None:
        async with opened(database_url) as database:
            await add(Log(database), "table", hands(OLD, end=OLD), closed=OLD)
            await DatabaseAccounts(database).guest()
            # By this clock it is 1970, and nobody has used the session since.
            await DatabaseAccounts(database, clock=HandClock()).guest()

    asyncio.run(run())
    for entries, sessions in ((9, 1), (0, 0)):
        assert main(["admin", "prune", "--db", database_url]) == 0
        assert capsys.readouterr().out == (
            f"{entries} entries older than 30 days are deleted\n"
            f"{sessions} sessions that nobody used for a year are deleted\n"
        )
