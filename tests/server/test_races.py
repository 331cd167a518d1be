"""Things that happen at the same moment, or come later than they should."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from dizhu.server.rooms import Room, read_rooms
from server.harness import QUICK, Client, HandClock, Running, joined, serving

ROOM = """
[plain]
variant = "classic"
kind = "points"
bot = "random"
fill = 8
"""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Room]:
    file: Path = tmp_path_factory.mktemp("rooms") / "rooms.toml"
    file.write_text(ROOM, encoding="utf-8")
    return read_rooms(file)


@asynccontextmanager
async def private_table(server: Running, count: int, variant: str = "classic") -> AsyncGenerator[list[Client]]:
    """Seat some people at a private table of one of them."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(joined(server)) for _ in range(count)]
        host, *others = clients
        await host.answer("open", variant=variant)
        await host.until(lambda: host.table)
        for other in others:
            await other.answer("join", code=host.table["code"])
            await other.until(lambda other=other: other.table)
        for client in clients:
            await client.settle()
        yield clients


def accounts(client: Client) -> list[int | None]:
    return [seat["account"] for seat in client.table["seats"]]


# --- two connections of one player -----------------------------------------------------------------------------------


def test_who_connects_anew_looks_for_a_table_no_more(rooms: dict[str, Room]):
    """He is not seated through a connection that has ended."""

    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, joined(server) as old:
            await old.answer("quick", room="plain")
            async with joined(server, old.token) as new:
                assert not new.welcome["seated"]
                clock.advance(100)
                await asyncio.sleep(0.02)
                assert not server.lobby.tables
                assert (await new.answer("cancel"))["code"] == "not_waiting"
                await new.answer("quick", room="plain")
                clock.advance(8)
                await new.until(lambda: new.table)

    asyncio.run(run())


@pytest.mark.parametrize(
    "command",
    [{"type_": "sit", "variant": "classic", "bot": "random"}, {"type_": "quick", "room": "plain"}],
    ids=["sit", "quick"],
)
def test_a_command_of_a_replaced_connection_seats_nobody(
    command: dict[str, str], rooms: dict[str, Room], monkeypatch: pytest.MonkeyPatch
):
    """The new connection is told that he sits nowhere, and so it stays."""

    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, joined(server) as old:
            (connection,) = server.lobby.connections.values()
            social, held = type(server.lobby.house.social), asyncio.Event()
            name = "apart" if command["type_"] == "quick" else "blocked"
            read = getattr(social, name)

            async def slow(self: Any, account: int) -> Any:
                """Come back in the moment in which the connection is replaced."""
                if held.is_set():
                    return await read(self, account)
                held.set()
                await connection.ended
                return frozenset()

            monkeypatch.setattr(social, name, slow)
            await old.send(**command)
            await held.wait()
            async with joined(server, old.token) as new:
                assert not new.welcome["seated"]
                await old.until(lambda: old.closed)
                clock.advance(8)
                await asyncio.sleep(0.02)
                assert not server.lobby.tables
                assert (await new.sit("classic"))["type"] == "done"

    asyncio.run(run())


# --- seats that are told wrongly -------------------------------------------------------------------------------------


def test_a_seat_that_is_freed_before_the_deal_is_seen_to_be_free():
    """Everybody who is here is ready, so who is not here has lost his seat; and there is nobody to deal to yet."""

    async def run():
        async with serving(QUICK, clock=HandClock()) as server, private_table(server, 2) as (one, two):
            await two.socket.close()
            await one.until(lambda: not one.table["seats"][1]["connected"])
            await one.answer("next")
            await one.until(lambda: accounts(one) == [one.welcome["account"], None, None])
            assert one.table["hand"] == 0

    asyncio.run(run())


def test_spectators_see_that_the_last_player_has_left(rooms: dict[str, Room]):
    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, joined(server) as one:
            await one.answer("quick", room="plain")
            clock.advance(8)
            await one.until(lambda: one.table)
            async with connect(server.url, compression=None, local_addr=("127.0.0.9", 0)) as socket:
                watcher = Client(socket)
                await watcher.hello()
                await watcher.answer("watch", table=one.table["table"])
                await watcher.until(lambda: watcher.table)
                await one.answer("auto", on=True)
                await watcher.until(lambda: watcher.table["seats"][0]["auto"])
                await one.answer("leave")
                await watcher.until(lambda: accounts(watcher) == [None, None, None])

    asyncio.run(run())
