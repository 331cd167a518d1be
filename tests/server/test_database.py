"""What a reader sees of a database: one state, which it cannot change."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu import DizhuError
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.store.writer import StoreFailed

ACCOUNT = {"name": "Player", "created_at": 1, "seen_at": 1}


async def add(connection: AsyncConnection) -> None:
    await connection.execute(insert(schema.account), ACCOUNT)


async def count(connection: AsyncConnection) -> int:
    return (await connection.execute(select(func.count()).select_from(schema.account))).scalar_one()


def test_a_reader_sees_one_state_of_the_database(database_url: str):
    async def run() -> None:
        async with opened(database_url) as database:
            async with database.reading() as reading:
                before = await count(reading)
                await database.writer.run(add)
                assert await count(reading) == before
            async with database.reading() as reading:
                assert await count(reading) == before + 1

    asyncio.run(run())


def test_a_reader_cannot_change_it(database_url: str):
    async def run() -> None:
        async with opened(database_url) as database:
            async with database.reading() as reading:
                with pytest.raises((DBAPIError, StoreFailed)):
                    await add(reading)
            async with database.reading() as reading:
                before = await count(reading)
            await database.writer.run(add)
            async with database.reading() as reading:
                assert await count(reading) == before + 1

    asyncio.run(run())


def test_one_server_at_a_time_and_no_transaction_stays_open_for_it(database_url: str):
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()"
    )

    async def run() -> None:
        async with opened(database_url, alone=True), opened(database_url) as other:
            with pytest.raises(DizhuError) as caught:
                async with opened(database_url, alone=True):
                    pass
            assert caught.value.code == "database_in_use"
            if database_url.startswith("postgresql"):
                async with other.reading() as reading:
                    assert (await reading.execute(waiting)).scalar_one() == 0
        async with opened(database_url, alone=True):
            pass

    asyncio.run(run())


def test_several_threads_and_tasks_of_a_process_open_databases_at_the_same_time(tmp_path: Path):
    async def both(thread: int) -> None:
        async def one(number: int) -> None:
            async with opened(f"sqlite:///{tmp_path / f'{thread} {number}.sqlite3'}") as database:
                async with database.reading() as reading:
                    await count(reading)

        await asyncio.gather(one(1), one(2))

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(asyncio.run, both(thread)) for thread in range(8)]:
            done.result()
