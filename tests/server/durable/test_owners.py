"""Two servers on one database: the second is refused, and in PostgreSQL whoever has lost it writes nothing more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from dizhu.server.store.database import opened
from server.databases import QUICK as QUICK_POSTGRESQL
from server.databases import PostgreSQL, running_postgresql
from server.durable.nursery import Process, nursery
from server.harness import Client, dealing, joined, serving

REFUSED = ["database_in_use"]


@asynccontextmanager
async def client(process_address: str, token: str | None = None) -> AsyncGenerator[Client]:
    async with connect(f"ws://{process_address}/ws", compression=None) as connection:
        one = Client(connection)
        await one.hello(token)
        yield one


def refused(process: Process) -> bool:
    return process.ended() == 1 and process.said == REFUSED


@pytest.mark.slow
def test_the_second_server_is_refused_and_after_a_kill_the_next_one_serves(database_url: str, tmp_path: Path):
    async def run() -> None:
        with nursery(tmp_path) as servers:
            first = servers.start(database_url)
            async with client(first.serve()) as one:
                await one.sit("classic")
                assert refused(servers.start(database_url))
                assert (await one.fresh_table())["hand"] == 1, "the first one has not noticed anything"
                token, table = one.token, one.table["table"]
            assert first.end() < 0
            second = servers.start(database_url)
            async with client(second.serve(), token) as one:
                assert one.table["table"] == table
            assert refused(servers.start(database_url))
            second.end()

    asyncio.run(run())


async def cut_all(url: str) -> None:
    """End all connections to a database, as when it is restarted."""
    connection = await asyncpg.connect(url)
    await connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid()"
    )
    await connection.close()


@pytest.mark.slow
def test_a_server_that_has_lost_its_connection_gets_the_lock_back(postgresql: PostgreSQL, tmp_path: Path):
    async def run(url: str) -> None:
        with nursery(tmp_path) as servers:
            first = servers.start(url)
            async with client(first.serve()) as one:
                await one.sit("classic")
                await cut_all(url)
                await one.turn()
                assert (await one.act(one.view["legal"][-1]))["type"] == "done"
                assert refused(servers.start(url))
                await one.turn()
                assert (await one.act(one.view["legal"][-1]))["type"] == "done"
            first.end()

    with postgresql.fresh() as url:
        asyncio.run(run(url))


@pytest.mark.slow
def test_a_server_whose_database_was_taken_over_writes_nothing_and_stops(postgresql: PostgreSQL, tmp_path: Path):
    async def run(url: str) -> None:
        with nursery(tmp_path) as servers:
            first = servers.start(url)
            async with client(first.serve()) as one:
                await one.sit("classic")
                await one.turn()
                seen = one.view
                await cut_all(url)
                # The first one does nothing at the moment, so it notices nothing.
                second = servers.start(url)
                address = await asyncio.to_thread(second.serve)
                assert (await one.act(seen["legal"][-1]))["code"] == "store_failed"
                with suppress(ConnectionClosed):
                    await one.until(lambda: False)
                assert one.closed == ["shutdown"]
                assert refused(first)
                token = one.token
            async with client(address, token) as one:
                assert {**one.view, "turn": 0} == {**seen, "turn": 0}
                assert (await one.act(seen["legal"][-1]))["type"] == "done"
            second.end()

    with postgresql.fresh() as url:
        asyncio.run(run(url))


def test_the_lock_outlives_a_restart_of_the_database():
    async def run(instance: PostgreSQL) -> None:
        url = instance.url("postgres")
        position = dealing("34567T", "BR89", "5566")
        async with serving(database=url, dealer=position) as server, joined(server) as one:
            await one.sit("classic")
            instance.stop()
            instance.start()
            while (await one.act("bid 3"))["type"] == "refused":
                await asyncio.sleep(0.05)
            async with opened(url) as other, other.reading() as connection:
                held = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
                assert (await connection.execute(held)).scalar_one() == 1

    with running_postgresql(*QUICK_POSTGRESQL) as instance:
        asyncio.run(run(instance))
