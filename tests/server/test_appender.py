"""Events go into SQLite by a short way; where it does not lead through, the long one is taken, and nothing is lost."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.store import schema
from dizhu.server.store.appender import Appender
from dizhu.server.store.database import Database, opened
from dizhu.server.store.writer import EventRow, StoreFailed


@asynccontextmanager
async def database(file: Path) -> AsyncGenerator[Database]:
    """A database with the table `t`."""

    async def populate(connection: AsyncConnection) -> None:
        table = {"id": "t", "variant": "classic", "options": "{}", "created_at": 1}
        await connection.execute(insert(schema.table), table)

    async with opened(f"sqlite:///{file}") as store:
        await store.writer.run(populate)
        yield store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "dizhu.sqlite3"


def event(seq: int, data: str = "{}", table: str = "t") -> EventRow:
    return {"table_id": table, "seq": seq, "at": 7, "kind": "act", "data": data}


def kept(file: Path) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT seq, data FROM event WHERE table_id = 't' ORDER BY seq").fetchall()


def test_events_are_there_when_they_are_answered(file: Path):
    async def run():
        async with database(file) as store:
            await asyncio.gather(*(store.writer.append([event(seq)]) for seq in range(1, 6)))
            assert kept(file) == [(seq, "{}") for seq in range(1, 6)]
            appender = store._appender
            assert appender is not None
            assert appender._connection is not None
        assert appender._connection is None

    asyncio.run(run())


@pytest.mark.parametrize("wrong", [event(1, "other"), event(3, table="nowhere"), {**event(3), "kind": "nonsense"}])
def test_what_cannot_be_written_harms_nothing_else(file: Path, wrong: EventRow):
    async def run():
        async with database(file) as store:
            await store.writer.append([event(1)])
            good, repeated, bad = await asyncio.gather(
                store.writer.append([event(2)]),
                store.writer.append([event(1)]),
                store.writer.append([wrong]),
                return_exceptions=True,
            )
            assert good is None
            assert repeated is None
            assert isinstance(bad, StoreFailed)
            assert kept(file) == [(1, "{}"), (2, "{}")]
            await store.writer.append([event(3), event(4)])
            assert len(kept(file)) == 4

    asyncio.run(run())


def test_a_lock_is_waited_for_by_the_long_way(file: Path):
    async def run():
        async with database(file) as store:
            await store.writer.append([event(1)])
            with closing(sqlite3.connect(file, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                waiting = asyncio.create_task(store.writer.append([event(2)]))
                done, _ = await asyncio.wait({waiting}, timeout=0.3)
                assert not done
                other.execute("ROLLBACK")
            await waiting
            assert kept(file) == [(1, "{}"), (2, "{}")]

    asyncio.run(run())


def test_what_is_half_done_ends_with_the_connection(file: Path):
    async def run():
        async with database(file):
            appender = Appender(str(file))

            await appender.append([event(5)])
            assert appender._connection is not None
            await appender._connection.executemany(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?)", [("t", 6, 7, "act", "{}")]
            )
            with pytest.raises(KeyError):
                await appender.append([event(7), {}])
            await appender.append([event(8)])
            await appender.close()
            assert [seq for seq, _ in kept(file)] == [5, 8]

    asyncio.run(run())
