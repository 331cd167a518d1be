"""Things that happen at the same moment, or come later than they should."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from dizhu.server.rooms import Room, read_rooms
from server.harness import QUICK, Client, HandClock, Running, dealing, joined, serving, sit_together

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


# --- the moment before a deal ----------------------------------------------------------------------------------------


def test_two_who_press_start_at_the_same_moment_get_one_deal():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, private_table(server, 3) as clients:
            one, two, three = clients
            await one.answer("next")
            await asyncio.gather(two.answer("next"), three.answer("next"))
            for client in clients:
                await client.until(lambda client=client: client.table["hand"] == 1)
            dealt = [client.view["hands"][client.table["seat"]] for client in clients]
            for client in clients:
                assert (await client.answer("next"))["code"] == "not_over"
                assert (await client.fresh_table())["hand"] == 1
            assert [client.view["hands"][client.table["seat"]] for client in clients] == dealt

    asyncio.run(run())


@pytest.mark.parametrize("first", ["next", "leave"])
def test_the_last_is_ready_and_another_leaves_at_the_same_moment(first: str):
    """Either there is a hand, which he has left, or the two others wait; and everybody knows which of it."""

    async def run():
        async with serving(QUICK, clock=HandClock()) as server:
            async with private_table(server, 3, "landlord_war") as (one, two, three):
                await one.answer("next")
                await two.answer("next")
                (actor,) = server.lobby.tables
                acts = {"next": lambda: three.send("next"), "leave": lambda: two.send("leave")}
                await acts.pop(first)()
                await acts.popitem()[1]()
                await two.until(lambda: two.closed == ["left"])
                for client in (one, three):
                    await client.settle()
                    assert accounts(client) == [one.welcome["account"], None, three.welcome["account"]]
                    assert client.table["hand"] == int(actor.table.running)
                    assert client.table["seats"][1]["bot"] == actor.table.running
                    assert client.table["seats"][2]["ready"] != actor.table.running

    asyncio.run(run())


def test_who_drops_while_the_others_want_another_hand_makes_room_for_them():
    async def run():
        dealer = dealing("3", "4", "5")
        async with serving(QUICK, clock=HandClock(), dealer=dealer) as server, private_table(server, 3) as clients:
            one, two, three = clients
            for client in clients:
                await client.answer("next")
            await one.until(lambda: one.table["hand"] == 1)
            await one.act("bid 3")
            await one.act("play 3")
            await one.answer("next")
            await three.socket.close()
            await one.until(lambda: not one.table["seats"][2]["connected"])
            await two.answer("next")
            await one.until(lambda: accounts(one)[2] is None)
            assert one.table["hand"] == 1, "nobody is dealt to in his place at a private table"
            assert (await one.answer("fill", bot="random"))["type"] == "done"
            await one.until(lambda: one.table["hand"] == 2)

    asyncio.run(run())


# --- what comes too late ---------------------------------------------------------------------------------------------


def test_who_has_left_says_nothing_for_whoever_has_his_seat_now():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, private_table(server, 2) as (one, gone):
            async with joined(server) as new:
                await gone.answer("leave")
                await new.answer("join", code=one.table["code"])
                await new.until(lambda: new.table)
                assert new.table["seat"] == 1
                for command in ({"type_": "next"}, {"type_": "auto", "on": True}, {"type_": "say", "phrase": 1}):
                    assert (await gone.answer(**command))["code"] == "not_seated"
                await new.settle()
                assert accounts(new) == [one.welcome["account"], new.welcome["account"], None]
                assert not new.table["seats"][1]["ready"]
                assert not new.heard("said")

    asyncio.run(run())


def test_an_answer_for_the_hand_before_is_not_taken_for_one_in_this():
    """The same seat is asked the same question, but the answer names an event of the past."""

    async def run():
        clock = HandClock()
        async with serving(QUICK, clock=clock, dealer=dealing("3456", "789T", "JQKA")) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                asked = one.seq
                for client in (one, two, three):
                    await client.until(client.asked)
                    await client.act("no")
                clock.advance(QUICK.redeal + 1)
                for client in (three, one, two):
                    await client.until(lambda client=client: client.table["hand"] == 2)
                while not one.asked():
                    for client in (one, two, three):
                        await client.settle()
                    if two.asked() or three.asked():
                        await (two if two.asked() else three).act("no")
                assert (await one.answer("act", seq=asked, action="bid 3"))["code"] == "stale"
                await one.settle()
                assert one.asked()
                assert one.view["base"] == 1

    asyncio.run(run())


def test_a_clock_that_is_set_again_and_again_runs_out_once():
    async def run():
        clock = HandClock()
        settings = replace(QUICK, play=20, question=15)
        async with serving(settings, clock=clock, dealer=dealing("334K", "5566", "7788")) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await one.act("bid 3")
                table = next(iter(server.lobby.tables)).table
                for seat in (0, 0, 0):
                    table.reconsider(seat)
                clock.advance(20)
                await two.until(two.asked)
                clock.advance(19.9)
                for client in (one, two, three):
                    await client.settle()
                plays = [message for message in two.events if message["event"]["kind"] in ("play", "pass")]
                assert [play["event"]["seat"] for play in plays] == [0]
                assert two.asked(), "the next seat has its whole time"

    asyncio.run(run())


def test_a_page_that_is_loaded_again_keeps_its_seat():
    """The new socket opens before the old one is seen to be closed, and much time goes by."""

    async def run():
        clock = HandClock()
        async with serving(replace(QUICK, absent=30), clock=clock) as server:
            async with private_table(server, 2) as (one, old):
                async with joined(server, old.token) as new:
                    await old.until(lambda: old.closed)
                    await old.socket.wait_closed()
                    await new.settle()
                    clock.advance(100)
                    await asyncio.sleep(0.02)
                    for client in (one, new):
                        await client.settle()
                        assert accounts(client)[1] == old.welcome["account"]
                        assert client.table["seats"][1]["connected"]

    asyncio.run(run())


def test_joining_a_table_that_there_is_not_makes_none():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, joined(server) as one:
            assert (await one.answer("join", code="424242"))["code"] == "unknown_table"
            assert not server.lobby.tables
            assert not server.lobby.tables.people
            assert (await one.sit("classic"))["type"] == "done", "he is free"

    asyncio.run(run())
