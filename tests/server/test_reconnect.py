"""Coming back: in every phase, in time and too late, twice at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

import dizhu
from server.harness import QUICK, Client, HandClock, Running, dealing, eventually, joined, serving, sit_together

ALL_PHASES = {
    "auction": {"bid", "play", "over"},
    "classic": {"bid", "play", "over"},
    "five_player": {"declare", "double", "play", "over"},
    "happy": {"open before", "open early", "open late", "open landlord", "call", "rob", "double", "play", "over"},
    "landlord_war": {"call", "rob", "double", "play", "over"},
    "two_player": {"call", "rob", "play", "over"},
}


def question(view: dict[str, Any]) -> str:
    return " ".join(filter(None, (view["phase"], view["moment"])))


async def away(server: Running) -> None:
    """Wait until the server knows that nobody is connected."""
    await eventually(lambda: not any(place.connection for table in server.lobby.tables for place in table.table.places))


@pytest.mark.parametrize("variant", dizhu.variants())
def test_every_phase_is_found_as_it_was_left(variant: str):
    async def run():
        clock = HandClock()
        async with serving(QUICK, clock=clock) as server:
            async with joined(server) as client:
                await client.sit(variant)
                token, found = client.token, await alone(client)
            phases: set[str] = set()
            for _ in range(3_000):
                if phases == ALL_PHASES[variant]:
                    return
                await away(server)
                before = found
                clock.advance(3)
                async with joined(server, token) as client:
                    left = client.table["clock"]
                    if before["clock"]:
                        limit = before["clock"]["limit_ms"]
                        assert left == {"limit_ms": limit, "left_ms": before["clock"]["left_ms"] - 3_000}
                    assert {**client.table, "clock": before["clock"]} == before, "same seat, same view, same question"
                    phases.add(question(client.view))
                    found = await step(client)
            pytest.fail(f"only {phases} came up")

    asyncio.run(run())


async def step(client: Client) -> dict[str, Any]:
    """Answer the open question so that all phases come up, and wait for the next one."""
    if client.view["phase"] == "over":
        hand = client.table["hand"]
        await client.answer("next")
        await client.until(lambda: client.table["hand"] > hand)
    else:
        bold = client.view["phase"] in ("call", "rob", "double")
        await client.act(client.view["legal"][0 if bold else -1])
    return await alone(client)


async def alone(client: Client) -> dict[str, Any]:
    """Wait until the seat is asked, and all others have answered, or the hand is over."""
    await client.until(lambda: client.view["turn"] == [0] or client.view["phase"] == "over")
    await client.settle()
    return client.table


def test_the_scene_of_a_return_is_whole():
    async def run():
        clock = HandClock()
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(QUICK, clock=clock, dealer=dealer) as server, joined(server) as one:
            async with joined(server) as two, joined(server) as three:
                table = await sit_together(server, [one, two, three], "classic")
                await one.act("bid 3")
                await one.act("play 34567")
                token = two.token
                await two.socket.close()
                await three.until(lambda: not three.table["seats"][1]["connected"])
                clock.advance(7)
                async with joined(server, token) as back:
                    view = back.view
                    assert back.table["seat"] == 1
                    assert view["hands"] == [None, ["8s", "9s", "B", "R"], None]
                    assert (view["phase"], view["turn"], view["counts"]) == ("play", [1], [1, 4, 4])
                    assert (view["table"]["kind"], view["table"]["seat"]) == ("solo_chain", 0)
                    assert view["last"][0]["cards"] == ["3s", "4s", "5s", "6s", "7s"]
                    assert view["landlords"] == [0]
                    assert back.table["clock"] == {"limit_ms": 20_000, "left_ms": 13_000}
                    assert {"play BR", "pass"} <= set(view["legal"])
                    await three.until(lambda: three.table["seats"][1]["connected"])
                assert not table.places[1].auto

    asyncio.run(run())


def test_sync_gives_exactly_what_was_missed():
    async def run():
        clock = HandClock()
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(QUICK, clock=clock, dealer=dealer) as server, joined(server) as client:
            await client.sit("classic")
            seen = client.seq
            for action in ("bid 3", "play 34567"):
                await client.act(action)
            await client.until(client.asked)
            await client.settle()
            first = [{**message, "clock": None} for message in client.events]
            newest = client.seq
            client.table["seq"], client.events = seen, []
            clock.advance(3)
            assert (await client.answer("sync", after=seen))["seq"] == newest
            await client.until(lambda: client.seq == newest)
            again = [{**message, "clock": None} for message in client.events]
            assert again == first
            assert [message["seq"] for message in again] == list(range(seen + 1, newest + 1))
            now = {"limit_ms": 20_000, "left_ms": 17_000}
            assert all(message["clock"] == now for message in client.events), "the clock is that of the open question"

    asyncio.run(run())


def test_sync_gives_the_table_when_events_are_gone():
    async def run():
        async with serving() as server, joined(server) as client:
            await client.sit("five_player")
            while client.seq < 40:
                await client.turn()
                await client.act(client.view["legal"][0])
            await client.turn()
            await client.settle()
            before = client.table
            await client.answer("sync", after=1)
            assert (await client.receive())["type"] == "table"
            assert client.table == {**before, "clock": client.table["clock"]}

    asyncio.run(run())


def test_a_new_connection_takes_the_seat_and_the_old_one_harms_nobody():
    async def run():
        async with serving() as server, joined(server) as old:
            await old.sit("classic")
            await alone(old)
            async with joined(server, old.token) as new:
                assert new.table["view"] == old.view
                await old.until(lambda: old.closed)
                assert old.closed == ["replaced"]
                await old.socket.wait_closed()
                await new.settle()
                assert (await new.fresh_table())["seats"][0]["connected"]
                assert len(server.lobby.connections) == 1

    asyncio.run(run())


def test_many_reloads_in_a_row_leave_one_connection():
    async def run():
        async with serving() as server:
            async with joined(server) as first:
                await first.sit("classic")
                token = first.token
            for _ in range(20):
                async with joined(server, token) as client, joined(server, token) as newer:
                    assert newer.table["seat"] == client.table["seat"] == 0
            await away(server)
            (actor,) = server.lobby.tables
            assert actor.table.places[0].connection is None
            assert not actor.table.places[0].auto

    asyncio.run(run())


def test_a_hand_without_its_player_is_played_to_the_end():
    async def run():
        clock = HandClock()
        async with serving(replace(QUICK, empty=10**6), clock=clock) as server:
            async with joined(server) as client:
                await client.sit("two_player")  # it is never dealt again
                token = client.token
            await away(server)
            (actor,) = server.lobby.tables
            for _ in range(5_000):
                if actor.table.hand and actor.table.hand.game.phase == "over":
                    break
                clock.advance(21)
                await asyncio.sleep(0.002)
            async with joined(server, token) as back:
                assert back.view["phase"] == "over"
                assert back.table["seats"][0]["auto"]
                await back.answer("next")
                await back.until(lambda: back.table["hand"] > 1)

    asyncio.run(run())
