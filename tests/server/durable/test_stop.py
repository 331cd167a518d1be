"""A server that is asked to stop: it says goodbye, keeps everything, ends soon, and goes on when it is back."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import sqlite3
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from dizhu.server.rooms import read_rooms
from server.databases import PostgreSQL
from server.durable.audit import audit
from server.durable.nursery import Process, nursery
from server.durable.proxy import wired
from server.durable.rooms import people, room_file
from server.durable.witness import Facts
from server.harness import QUICK, Client, HandClock, dealing, eventually, joined, serving, sit_together

SECONDS = 10
BACK_MS = 3_000


@asynccontextmanager
async def deaf(address: str) -> AsyncGenerator[Client]:
    """Connect somebody who asks for much, and does not read what he is told."""
    host, port = address.split(":")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setblocking(False)
    await asyncio.get_running_loop().sock_connect(slow, (host, int(port)))
    url = f"ws://{address}/ws"
    async with connect(url, sock=slow, compression=None, ping_interval=None, max_queue=1) as connection:
        client = Client(connection)
        await client.hello()
        await client.sit("classic")
        connection.transport.pause_reading()
        with suppress(TimeoutError, ConnectionClosed):
            for _ in range(3_000):
                await asyncio.wait_for(client.send("sync", after=2**53 - 1), 0.2)
        yield client
        connection.transport.abort()


async def stop(process: Process) -> tuple[int, float]:
    """Ask a server to stop; tells its exit status and how many seconds it took."""
    begin = time.monotonic()
    status = await asyncio.to_thread(process.end, signal.SIGTERM)
    return status, time.monotonic() - begin


@pytest.mark.slow
def test_a_server_that_is_asked_to_stop_keeps_all_and_goes_on_when_it_is_back(database_url: str, tmp_path: Path):
    rooms, facts = room_file(tmp_path), Facts()
    everybody = people(facts, random.Random(3))

    async def life(process: Process, events: int) -> None:
        address = await asyncio.to_thread(process.serve)
        async with deaf(address):
            enough = len(facts.events) + events
            playing = [asyncio.create_task(person.play(f"ws://{address}/ws")) for person in everybody]
            while len(facts.events) < enough:
                assert not any(task.done() for task in playing)
                await asyncio.sleep(0.01)
            facts.farewells.clear()
            status, seconds = await stop(process)
            assert status == 0
            assert seconds < SECONDS
            await asyncio.gather(*playing)
        assert facts.farewells == [{"type": "closed", "code": "shutdown", "back_ms": BACK_MS}] * len(everybody)

    async def run() -> None:
        with nursery(tmp_path) as servers:
            for _ in range(2):
                await life(servers.start(database_url, rooms), 100)
            assert "Traceback" not in servers.log
        await audit(database_url, read_rooms(rooms), facts)

    asyncio.run(run())


@pytest.mark.slow
def test_neither_a_silent_database_nor_a_deaf_client_keeps_a_server(postgresql: PostgreSQL, tmp_path: Path):
    async def run(url: str) -> None:
        with nursery(tmp_path) as servers:
            async with wired(url) as (wire, wired_url):
                process = servers.start(wired_url)
                address = await asyncio.to_thread(process.serve)
                async with deaf(address), connect(f"ws://{address}/ws", compression=None) as connection:
                    one = Client(connection)
                    await one.hello()
                    await one.sit("classic")
                    await one.turn()
                    wire.silent = True
                    await one.send("act", seq=one.seq, action=one.view["legal"][0])
                    status, seconds = await stop(process)
                    assert status == 0
                    assert seconds < SECONDS
                    with suppress(ConnectionClosed):
                        await one.until(lambda: False)
                    assert one.closed == ["shutdown"]

    with postgresql.fresh() as url:
        asyncio.run(run(url))


@pytest.mark.slow
def test_a_locked_file_does_not_keep_a_server(tmp_path: Path):
    async def run(file: Path) -> None:
        with nursery(tmp_path) as servers:
            process = servers.start(f"sqlite:///{file}")
            address = await asyncio.to_thread(process.serve)
            async with connect(f"ws://{address}/ws", compression=None) as connection:
                one = Client(connection)
                await one.hello()
                await one.sit("classic")
                await one.turn()
                with closing(sqlite3.connect(file, isolation_level=None)) as other:
                    other.execute("BEGIN IMMEDIATE")
                    await one.send("act", seq=one.seq, action=one.view["legal"][0])
                    status, seconds = await stop(process)
                assert status == 0
                assert seconds < SECONDS

    asyncio.run(run(tmp_path / "dizhu.sqlite3"))


def test_no_hand_begins_any_more():
    async def run() -> None:
        clock = HandClock()
        async with serving(QUICK, clock=clock, dealer=dealing("3", "4", "5")) as server:
            async with joined(server) as one, joined(server) as two:
                table = await sit_together(server, [one], "classic")
                await one.act("bid 3")
                await one.act("play 3")
                await one.until(lambda: one.view["phase"] == "over")
                server.lobby.house.stopping = True
                for command in (
                    {"type_": "sit", "variant": "classic", "bot": "random"},
                    {"type_": "open", "variant": "classic"},
                    {"type_": "quick", "room": "classic-points"},
                ):
                    assert (await two.answer(**command))["code"] == "stopping"
                assert (await one.answer("next"))["code"] == "stopping"
                assert table.hand is not None
                assert table.hand.number == 1

    asyncio.run(run())


def test_a_deal_that_nobody_wanted_stays_until_the_server_is_back(tmp_path: Path):
    async def run() -> None:
        clock, dealer = HandClock(), dealing("34567T", "BR89", "5566")
        parts = {"database": f"sqlite:///{tmp_path}/dizhu.sqlite3", "clock": clock, "dealer": dealer}
        async with serving(QUICK, **parts) as server, joined(server) as one:
            table = await sit_together(server, [one], "classic")
            for place in table.places[1:]:
                place.player = Unwilling()
            server.lobby.house.stopping = True
            await one.act("no")
            await one.until(lambda: one.view["phase"] == "redeal")
            clock.advance(60)
            await one.settle()
            assert one.view["phase"] == "redeal"
            token = one.token
        async with serving(QUICK, **parts) as server, joined(server, token) as one:
            await one.until(lambda: one.table["hand"] == 2)

    asyncio.run(run())


class Unwilling:
    def act(self, view: Any) -> str:
        return "no"


def test_what_comes_too_late_is_told_why():
    async def run() -> None:
        async with serving() as server, joined(server) as one:
            await one.sit("classic")
            closing = asyncio.create_task(server.lobby.close())
            await eventually(lambda: server.lobby.house.stopping)
            with suppress(ConnectionClosed):
                await one.act("bid 3")
            with suppress(ConnectionClosed):
                await one.until(lambda: False)
            await closing
            assert {message["code"] for message in one.heard("refused")} <= {"stopping"}
            assert one.closed == ["shutdown"]

    asyncio.run(run())
