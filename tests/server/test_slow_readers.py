"""A peer that does not read, or is not there any more: it harms nobody, and its player may come back."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import connect

from dizhu.server.table import Table
from dizhu.server.wire import Config, Socket
from server.harness import QUICK, Client, HandClock, Running, dealing, eventually, joined, serving, sit_together
from server.raw import PING, frame, opened

LITTLE = 4096
EVENTS = 1_000
PINGS = 100_000
"""Their answers are 12 MB."""


def narrow(server: Running) -> None:
    """Let the system keep next to nothing for a peer that does not read."""
    server.sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LITTLE)


@asynccontextmanager
async def reading_little(server: Running) -> AsyncGenerator[Client]:
    """Connect a client of which nothing is read but by `receive`."""
    host, port = server.address.split(":")
    narrow_socket = socket.socket()
    narrow_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
    narrow_socket.setblocking(False)
    await asyncio.get_running_loop().sock_connect(narrow_socket, (host, int(port)))
    async with connect(server.url, sock=narrow_socket, compression=None, ping_interval=None, max_queue=1) as connection:
        yield Client(connection)
        connection.transport.abort()


async def play_on(table: Table, clients: list[Client]) -> None:
    """Let those who are asked answer; whatever has happened when somebody asks, he knows when he is answered."""
    for client in clients:
        if client.view["phase"] == "over":
            await client.answer("next")
        elif client.asked():
            await client.act(client.view["legal"][-1])
        seq = table.teller.seq
        await client.answer("cancel")
        assert client.seq >= seq, "an event came later than it had to"


@pytest.mark.slow
def test_who_stops_reading_delays_nobody():
    async def run():
        settings = replace(QUICK, closing=0.2)
        async with serving(settings, dealer=dealing("3456789", "789TJQ", "TJQKA2")) as server:
            narrow(server)
            async with joined(server) as one, joined(server) as two, joined(server) as other:
                await other.sit("classic")
                (practice,) = server.lobby.tables
                async with reading_little(server) as slow:
                    await slow.hello()
                    table = await sit_together(server, [one, two, slow], "classic")
                    account = table.places[2].account
                    assert account is not None
                    kept = server.lobby.connections[account]
                    await slow.answer("auto", on=True)
                    while not kept.ended.done():
                        assert table.teller.seq < EVENTS, "a client that does not read is kept for ever"
                        await play_on(table, [one, two])
                        await play_on(practice.table, [other])
                        if not table.running:
                            await slow.send("next")
                    assert kept.ended.result() == "slow"
                await eventually(lambda: account not in server.lobby.connections)
                await play_on(table, [one, two])
                async with joined(server, slow.token) as back:
                    assert back.welcome["account"] == account.id
                    # Between two hands his seat may have gone to somebody who was there.
                    assert back.closed or back.welcome["seated"] == (table.seat_of(account) == 2)
                    await play_on(table, [one, two])

    asyncio.run(run())


def test_who_is_gone_without_a_word_is_noticed_and_leaves_no_traceback(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """He answers no ping, and what was sent to him before has not been taken either when more is sent."""
    made = Config.__init__

    def quick(self: Config, *parts: Any, **named: Any) -> None:
        made(self, *parts, **named)
        self.ws_ping_interval = self.ws_ping_timeout = 0.05

    monkeypatch.setattr(Config, "__init__", quick)

    async def run():
        clock = HandClock()
        async with serving(QUICK, clock=clock) as server:
            narrow(server)
            async with reading_little(server) as gone:
                await gone.hello()
                await gone.sit("happy")
                (actor,) = server.lobby.tables
                (connection,) = server.lobby.connections.values()
                for _ in range(12):
                    await gone.send("sync", after=2**53 - 1)
                await asyncio.sleep(0.3)
                clock.advance(10)
                await eventually(lambda: not server.lobby.connections)
                await eventually(lambda: actor.table.places[0].connection is None)
                assert not connection.ended.done(), "it was not this side that ended it"

    asyncio.run(run())
    assert not [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


def test_the_answers_to_pings_that_nobody_reads_do_not_heap_up(monkeypatch: pytest.MonkeyPatch):
    kept: list[int] = []
    answer = Socket.handle_ping

    def watched(self: Socket) -> None:
        answer(self)
        kept.append(self.transport.get_write_buffer_size())

    monkeypatch.setattr(Socket, "handle_ping", watched)

    async def run():
        # Its reader takes 128 KiB, and then no more.
        async with serving() as server, opened(server.address) as deaf:
            for _ in range(PINGS // 1_000):
                deaf.send(frame(b"x" * 125, PING) * 1_000)
                await deaf.writer.drain()
            await eventually(lambda: len(kept) == PINGS)

    asyncio.run(run())
    assert max(kept) < 1_000_000
