"""People who come while the database is busy, fails, or is asked something wrong: they wait, or are told a code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from websockets.asyncio.client import connect
from websockets.typing import Origin

from dizhu.server.store import database as store
from dizhu.server.store.writer import StoreFailed
from server.harness import QUICK, Client, Running, eventually, joined, serving

HELLO = 1.0
PEOPLE = 200


@asynccontextmanager
async def all_readers_busy(server: Running) -> AsyncGenerator[None]:
    """Take all connections that read."""
    database = server.lobby.house.log._database
    async with AsyncExitStack() as readers:
        for _ in range(store._READERS):
            await readers.enter_async_context(database.reading())
        yield


def test_all_who_come_back_at_once_are_served_however_long_that_takes(database_url: str):
    async def come_back(server: Running, token: str) -> int:
        async with joined(server, token) as client:
            return client.welcome["account"]

    async def run() -> None:
        async with serving(replace(QUICK, hello=HELLO), database=database_url) as server:
            async with joined(server) as one:
                account, token = one.welcome["account"], one.token
            others = [await server.lobby.accounts.guest() for _ in range(PEOPLE)]
            async with all_readers_busy(server):
                coming = [asyncio.create_task(come_back(server, token)) for _, token in others]
                await asyncio.sleep(3 * HELLO)
            assert await asyncio.gather(*coming) == [other.id for other, _ in others]
            assert await come_back(server, token) == account

    asyncio.run(run())


def test_who_says_nothing_is_not_waited_for():
    async def run() -> None:
        async with serving(replace(QUICK, hello=HELLO)) as server, connect(server.url, compression=None) as silent:
            await silent.send("{")
            await asyncio.wait_for(silent.wait_closed(), 10)

    asyncio.run(run())


def test_whose_session_cannot_be_looked_up_is_refused_and_not_made_a_guest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store, "_SILENT_SECONDS", 0.1)
    # So that nobody is known from before.
    monkeypatch.setattr("dizhu.server.accounts.sessions._FRESH_SECONDS", 0)

    async def run() -> None:
        async with serving() as server, httpx.AsyncClient(base_url=f"http://{server.address}") as http:
            cookie = (await http.post("/api/session")).headers["set-cookie"].partition(";")[0]
            browser = {"origin": Origin(f"http://{server.address}"), "additional_headers": {"cookie": cookie}}
            async with all_readers_busy(server):
                lost = await connect(server.url, compression=None, **browser)
            refused = await Client(lost).answer("hello", protocol=1, token=None)
            assert (refused["type"], refused["code"]) == ("refused", "store_failed")
            await lost.close()
            me = (await http.get("/api/me")).json()
            async with connect(server.url, compression=None, **browser) as found:
                assert (await Client(found).hello())["account"] == me["id"]

    asyncio.run(run())


def test_a_faulty_statement_is_told_as_a_fault_and_the_connection_goes_on(
    database_url: str, caplog: pytest.LogCaptureFixture
):
    async def rename(server: Running, before: str, after: str) -> None:
        statement = text(f"ALTER TABLE {before} RENAME TO {after}")
        await server.lobby.house.log._database.writer.run(lambda connection: connection.execute(statement))

    async def run() -> None:
        async with serving(database=database_url) as server, joined(server) as one:
            await rename(server, "block", "elsewhere")
            refused = await one.answer("sit", variant="classic", bot="random")
            assert (refused["type"], refused["code"], refused["detail"]) == ("refused", "internal", {})
            (fault,) = caplog.records
            assert fault.exc_info
            await rename(server, "elsewhere", "block")
            assert (await one.sit("classic"))["type"] == "done"
            await eventually(lambda: len(server.lobby.tables) == 1)

    asyncio.run(run())


def test_a_full_disk_is_a_failure_though_the_database_undoes_more_than_it_was_asked():
    async def run() -> None:
        async with serving() as server:
            writer = server.lobby.house.log._database.writer

            async def too_much(connection: AsyncConnection) -> None:
                count = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
                await connection.exec_driver_sql(f"PRAGMA max_page_count = {count}")
                # As SQLite does by itself, at times, when the disk is full: savepoints are gone, too.
                await connection.exec_driver_sql("ROLLBACK")
                await connection.exec_driver_sql("CREATE TABLE large (data BLOB)")
                await connection.exec_driver_sql("INSERT INTO large VALUES (zeroblob(10000000))")

            with pytest.raises(StoreFailed):
                await writer.run(too_much)
            await writer.run(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {2**30}"))

    asyncio.run(run())


def test_for_who_went_away_again_nothing_is_looked_up():
    async def run() -> None:
        async with serving() as server:
            async with joined(server) as one:
                token = one.token
            line = server.lobby.house.log._database._line
            async with all_readers_busy(server):
                served = line._served
                for _ in range(PEOPLE):
                    async with connect(server.url, compression=None) as impatient:
                        await Client(impatient).send("hello", protocol=1, token="x" * 43)
                await eventually(lambda: not server.lobby.sockets)
            async with joined(server, token):
                pass
            assert line._served < served + PEOPLE / 2

    asyncio.run(run())
