"""Sitting down, leaving, the next hand, and that nothing is left behind."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from contextlib import suppress
from dataclasses import replace

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import dizhu
from dizhu.server.store.log import Act, Deal, Written
from server.harness import QUICK, Client, HandClock, dealing, eventually, joined, serving, sit_together

POSITION = dealing("34567T", "BR89", "5566")


def test_leaving_a_hand_of_classic_before_the_landlord_costs_three_points():
    async def run():
        async with serving(QUICK, clock=HandClock(), dealer=POSITION) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                assert (await two.answer("leave"))["type"] == "done"
                await two.until(lambda: two.closed)
                assert two.closed == ["left"]
                assert two.view["result"]["points"] == [0, -3, 0]
                await one.until(lambda: one.table["seats"][1]["bot"])
                assert one.view["result"]["house"] == 3
                assert [seat["score"] for seat in one.table["seats"]] == [0, -3, 0]
                assert one.events[0]["event"] == {"kind": "leave", "seat": 1, "value": None, "cards": []}
                await one.answer("next")
                await three.answer("next")
                await one.until(lambda: one.view["phase"] == "bid")
                assert one.table["seats"][1] == {
                    "name": "Bot 2", "account": None, "bot": True, "connected": True, "auto": False,
                    "ready": False, "score": -3, "title": None,
                }  # fmt: skip

    asyncio.run(run())


def test_leaving_as_landlord_of_classic_is_settled():
    async def run():
        async with serving(QUICK, clock=HandClock(), dealer=POSITION) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await one.act("bid 3")
                await one.answer("leave")
                await two.until(lambda: two.view["result"])
                assert two.view["result"]["points"] == [-9, 3, 3]
                await one.until(lambda: one.closed)
                assert (await one.sit("classic"))["type"] == "done", "he may sit down elsewhere at once"

    asyncio.run(run())


@pytest.mark.parametrize("variant", ["auction", "happy", "five_player"])
def test_leaving_another_game_lets_a_bot_play_on(variant: str):
    async def run():
        async with serving() as server, joined(server) as one, joined(server) as two:
            await sit_together(server, [one, two], variant)
            await one.answer("leave")
            await one.until(lambda: one.closed)
            while two.view["phase"] != "over":
                await two.turn()
                await two.act(two.view["legal"][-1]) if two.asked() else None
            assert two.table["seats"][0]["bot"]

    asyncio.run(run())


def test_a_table_without_people_is_closed():
    async def run():
        async with serving(QUICK, dealer=POSITION) as server, joined(server) as client:
            await client.sit("happy")
            await client.answer("leave")
            await client.until(lambda: client.closed)
            await eventually(lambda: not server.lobby.tables)
            assert not server.lobby.tables.people
            assert (await client.answer("act", seq=1, action="no"))["code"] == "not_seated"

    asyncio.run(run())


def test_a_table_that_nobody_comes_back_to_is_closed():
    async def run():
        clock = HandClock()
        async with serving(replace(QUICK, empty=180), clock=clock, dealer=dealing("5", "6")) as server:
            async with joined(server) as client:
                await client.sit("two_player")  # it is never dealt again
                token = client.token
            (actor,) = server.lobby.tables
            place = actor.table.places[0]
            await eventually(lambda: place.connection is None)
            for _ in range(30):
                clock.advance(5)
                await asyncio.sleep(0.003)
            assert server.lobby.tables
            async with joined(server, token) as back:
                assert back.view["phase"] == "over"
            await eventually(lambda: place.connection is None)
            clock.advance(179)
            await asyncio.sleep(0.01)
            assert server.lobby.tables
            clock.advance(2)
            await eventually(lambda: not server.lobby.tables)
            async with joined(server, token) as back:
                assert not back.welcome["seated"]

    asyncio.run(run())


def test_the_next_hand_waits_for_those_who_are_here():
    async def run():
        dealer = dealing("3", "4", "5")
        async with serving(QUICK, clock=HandClock(), dealer=dealer) as server, joined(server) as one:
            async with joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await one.act("bid 3")
                await one.act("play 3")
                await asyncio.gather(one.answer("next"), two.answer("next"))
                await one.answer("next")
                await one.settle()
                assert one.table["hand"] == 1
                await three.socket.close()
                await one.until(lambda: one.table["hand"] == 2)
                await two.until(lambda: two.table["hand"] == 2)
                await one.settle()
                assert one.table["hand"] == 2
                assert one.view["phase"] == "bid"

    asyncio.run(run())


def test_nobody_wants_to_be_landlord():
    async def run():
        clock = HandClock()
        settings = replace(QUICK, redeal=2.5)
        async with serving(settings, clock=clock) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                clients = [one, two, three]
                await sit_together(server, clients, "auction")
                first = one.view["first"]
                for step in range(3):
                    client = clients[(first + step) % 3]
                    await client.until(client.asked)
                    await client.act("no")
                await one.until(lambda: one.view["phase"] == "redeal")
                assert one.table["seed"]
                assert one.table["clock"] is None
                assert all(seat["score"] == 0 for seat in one.table["seats"])
                await one.settle()
                clock.advance(2.4)
                await one.settle()
                assert one.view["phase"] == "redeal"
                clock.advance(0.2)
                await one.until(lambda: one.view["phase"] == "bid")
                assert one.table["hand"] == 2
                assert one.table["seed"] is None
                assert one.view["first"] == (first + 1) % 3

    asyncio.run(run())


def test_a_server_that_stops_says_goodbye():
    async def run():
        async with serving() as server, joined(server) as client:
            await client.sit("classic")
            await server.lobby.close()
            with suppress(ConnectionClosed):
                await client.until(lambda: False)
            assert client.closed == ["shutdown"]
            await eventually(lambda: not server.lobby.tables)

    asyncio.run(run())


def test_what_is_acknowledged_is_safe():
    async def run():
        async with serving(QUICK) as server, joined(server) as client:
            await client.sit("landlord_war")
            kept: list[Written] = []
            while client.view["phase"] != "over":
                await client.turn()
                if client.asked():
                    await client.act(client.view["legal"][-1])
                kept = await server.lobby.house.log.load(client.table["table"])
                told = [written.entry.told for written in kept if isinstance(written.entry, Act | Deal)]
                assert client.seq <= max(told)
            deal = next(written.entry for written in kept if isinstance(written.entry, Deal))
            game = dizhu.variant("landlord_war")
            again = dizhu.Game(game, dizhu.shuffled(game, bytes.fromhex(deal.seed), deal.first))
            for written in kept:
                if isinstance(written.entry, Act):
                    again.act(written.entry.seat, written.entry.action)
            assert again.result is not None
            assert list(again.result.points) == client.view["result"]["points"]

    asyncio.run(run())


def test_a_bot_that_fails_is_answered_for(caplog: pytest.LogCaptureFixture):
    class Broken:
        def act(self, view: dizhu.View) -> str:
            if view.phase == "bid":
                raise RuntimeError
            return "play 3 4 5"

    async def run():
        async with serving(QUICK, dealer=POSITION) as server, joined(server) as one:
            table = await sit_together(server, [one], "classic")
            for place in table.places[1:]:
                place.player = Broken()
            await one.act("bid 1")
            await one.until(lambda: one.view["phase"] == "play")
            await one.act("play 34567")
            await one.until(one.asked)
            assert one.view["counts"] == [1, 4, 4]

    asyncio.run(run())
    assert "failed" in caplog.text
    assert "not_a_combination" in caplog.text or "cards_not_held" in caplog.text


def descriptors() -> int:
    """Count what the process has open, sockets among it."""
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 the folder itself is open while it is read


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
def test_a_thousand_quick_visits_leave_nothing_behind():
    async def visit(url: str, stay: int) -> None:
        async with connect(url, compression=None) as connection:
            client = Client(connection)
            await client.hello()
            await client.sit("classic")
            if stay % 2:
                await client.answer("leave")
            if stay % 3 == 0:
                connection.transport.abort()

    async def run():
        short = replace(QUICK, play=0.02, question=0.02, empty=0.1)
        async with serving(short, dealer=dealing("3", "4", "5")) as server:
            lobby = server.lobby
            # The first ones open the connections to the database that are kept.
            await asyncio.gather(*(visit(server.url, stay) for stay in range(20)))
            await eventually(lambda: not (lobby.tables or lobby.connections or lobby.sockets))
            before, open_before = len(asyncio.all_tasks()), descriptors()
            for batch in range(50):
                await asyncio.gather(*(visit(server.url, batch + i) for i in range(20)))
            await eventually(lambda: not (lobby.tables or lobby.connections or lobby.tables.people))
            await eventually(lambda: len(asyncio.all_tasks()) <= before)
            await eventually(lambda: descriptors() <= open_before)

    asyncio.run(run())


def test_a_client_that_does_not_read_is_closed_and_may_come_back():
    async def run():
        async with serving(replace(QUICK, closing=0.2)) as server, joined(server) as other:
            server.sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            await other.sit("classic")
            slow = socket.socket()
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.setblocking(False)
            host, port = server.address.split(":")
            await asyncio.get_running_loop().sock_connect(slow, (host, int(port)))
            async with connect(server.url, sock=slow, compression=None, ping_interval=None, max_queue=1) as connection:
                client = Client(connection)
                await client.hello()
                await client.sit("classic")
                token = client.token
                account = await server.lobby.accounts.find(token)
                assert account
                kept = server.lobby.connections[account]
                # However many it takes: the table may be waiting for a disk while they come.
                async with asyncio.timeout(30):
                    while not kept.ended.done():
                        await client.send("sync", after=2**53 - 1)
                        await asyncio.sleep(0)
                assert kept.ended.result() == "slow"
                connection.transport.abort()
            await other.settle()
            async with joined(server, token) as back:
                assert back.table["seat"] == 0

    asyncio.run(run())
