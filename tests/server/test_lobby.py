"""Rooms and quick match, private tables, spectators."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

import dizhu
from dizhu.server.rooms import Room, read_rooms
from dizhu.server.settings import Rate
from server.harness import QUICK, Client, HandClock, Running, dealing, eventually, joined, serving

ROOMS = """
[plain]
variant = "classic"
kind = "points"
bot = "random"
fill = 8

[pair]
variant = "two_player"
kind = "beans"
level = "beginner"
coefficient = 10
fee = 5
need = 100
bot = "random"
fill = 8

[dear]
variant = "classic"
kind = "beans"
level = "high"
need = 1000000
bot = "random"
"""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Room]:
    file: Path = tmp_path_factory.mktemp("rooms") / "rooms.toml"
    file.write_text(ROOMS, encoding="utf-8")
    return read_rooms(file)


@asynccontextmanager
async def visiting(server: Running, count: int, addresses: bool = False) -> AsyncGenerator[list[Client]]:
    """Connect several clients, each from an address of its own if wanted."""
    async with AsyncExitStack() as stack:
        clients: list[Client] = []
        for number in range(count):
            local = (f"127.0.0.{number + 2}", 0) if addresses else None
            socket = await stack.enter_async_context(connect(server.url, compression=None, local_addr=local))
            client = Client(socket)
            await client.hello()
            clients.append(client)
        yield clients


async def seated(*clients: Client) -> None:
    for client in clients:
        await client.until(lambda client=client: client.table)


# --- quick match -----------------------------------------------------------------------------------------------------


def test_people_meet_each_other_before_bots_come(rooms: dict[str, Room]):
    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, visiting(server, 2) as (one, two):
            assert (await one.answer("quick", room="plain"))["type"] == "done"
            assert one.heard("queue")[-1] == {
                "type": "queue", "room": "plain", "waiting": 1, "seats": 3, "fill_ms": 8000
            }  # fmt: skip
            clock.advance(3)
            await two.answer("quick", room="plain")
            await one.until(lambda: one.heard("queue")[-1]["waiting"] == 2)
            assert one.heard("queue")[-1]["fill_ms"] == 5000
            await asyncio.sleep(0.02)
            assert not server.lobby.tables
            clock.advance(5)
            await seated(one, two)
            assert [seat["bot"] for seat in one.table["seats"]] == [False, False, True]
            assert [seat["account"] for seat in one.table["seats"]] == [
                one.welcome["account"], two.welcome["account"], None
            ]  # fmt: skip
            assert one.table["setting"]["room"] == "plain"
            assert one.table["code"] is None

    asyncio.run(run())


def test_three_sit_down_at_once(rooms: dict[str, Room]):
    async def run():
        async with serving(QUICK, rooms=rooms, clock=HandClock()) as server, visiting(server, 7) as clients:
            for client in clients:
                await client.answer("quick", room="plain")
            await seated(*clients[:6])
            assert len(server.lobby.tables) == 2
            assert not clients[6].table
            assert clients[6].heard("queue")[-1]["waiting"] == 1

    asyncio.run(run())


def test_looking_for_a_table_can_be_given_up(rooms: dict[str, Room]):
    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, visiting(server, 1) as (one,):
            assert (await one.answer("cancel"))["code"] == "not_waiting"
            await one.answer("quick", room="plain")
            assert (await one.answer("quick", room="plain"))["code"] == "already_waiting"
            assert (await one.answer("sit", variant="classic", bot="random"))["code"] == "already_waiting"
            assert (await one.answer("cancel"))["type"] == "done"
            clock.advance(100)
            await asyncio.sleep(0.02)
            assert not server.lobby.tables
            assert (await one.answer("quick", room="nowhere"))["code"] == "unknown_room"
            assert (await one.answer("quick", room="dear"))["detail"] == {"needed": 1_000_000, "beans": 3_000}

    asyncio.run(run())


def test_who_goes_away_is_not_seated(rooms: dict[str, Room]):
    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, visiting(server, 1) as (one,):
            async with joined(server) as other:
                await other.answer("quick", room="plain")
            await eventually(lambda: len(server.lobby.connections) == 1)
            await one.answer("quick", room="plain")
            clock.advance(8)
            await seated(one)
            assert [seat["bot"] for seat in one.table["seats"]] == [False, True, True]

    asyncio.run(run())


@pytest.mark.parametrize(("room", "addresses", "meet"), [("pair", False, False), ("pair", True, True)])
def test_accounts_of_one_address_are_kept_apart_where_beans_are_at_stake(
    rooms: dict[str, Room], room: str, addresses: bool, meet: bool
):
    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, visiting(server, 2, addresses) as (one, two):
            await one.answer("quick", room=room)
            await two.answer("quick", room=room)
            clock.advance(8)
            await seated(one, two)
            assert (one.table["table"] == two.table["table"]) is meet

    asyncio.run(run())


def test_who_has_blocked_somebody_does_not_meet_him(rooms: dict[str, Room]):
    async def run():
        clock = HandClock()
        async with serving(QUICK, rooms=rooms, clock=clock) as server, visiting(server, 2) as (one, two):
            for client in (one, two):
                await client.answer("quick", room="plain")
            clock.advance(8)
            await seated(one, two)
            assert (await one.answer("block", seat=1, on=True))["type"] == "done"
            for client in (one, two):
                await client.answer("leave")
                await client.until(lambda client=client: client.closed)
                client.table = {}
                await client.answer("quick", room="plain")
            clock.advance(8)
            await seated(one, two)
            assert one.table["table"] != two.table["table"]

    asyncio.run(run())


# --- beans -----------------------------------------------------------------------------------------------------------


async def play_out(*clients: Client) -> None:
    """Play a hand to its end, each with his first answer."""

    async def play(client: Client) -> None:
        await client.turn()
        while client.view["phase"] != "over":
            await client.act(client.view["legal"][0])
            await client.turn()

    await asyncio.gather(*(play(client) for client in clients))


def test_beans_are_won_and_lost(rooms: dict[str, Room]):
    async def run():
        async with serving(QUICK, rooms=rooms) as server, visiting(server, 2, addresses=True) as (one, two):
            for client in (one, two):
                await client.answer("quick", room="pair")
            await seated(one, two)
            assert one.table["setting"]["coefficient"] == 10
            await play_out(one, two)
            for client in (one, two):
                await client.until(lambda client=client: len(client.heard("purse")) == 3)
            points = one.view["result"]["points"]
            changes = [10 * won - 5 for won in points]
            assert one.table["settled"]["beans"] == changes
            assert one.table["settled"]["points"] is None
            purses = [client.heard("purse")[-1]["beans"] for client in (one, two)]
            assert purses == [3_000 + change for change in changes]

    asyncio.run(run())


def test_who_leaves_a_hand_takes_its_result_all_the_same(rooms: dict[str, Room]):
    async def run():
        async with serving(QUICK, rooms=rooms) as server, visiting(server, 2, addresses=True) as (one, two):
            for client in (one, two):
                await client.answer("quick", room="pair")
            await seated(one, two)
            await one.answer("leave")
            await one.until(lambda: one.closed)
            assert (await one.answer("sit", variant="classic", bot="random"))["type"] == "done"
            await play_out(two)
            change = two.table["settled"]["beans"][0]
            account = await server.lobby.accounts.find(one.token)
            assert account is not None
            assert (await server.lobby.house.books.purse(account)).beans == 3_000 + change

    asyncio.run(run())


def test_a_hand_for_beans_that_all_have_left_is_played_to_its_end(rooms: dict[str, Room]):
    async def run():
        async with serving(QUICK, rooms=rooms) as server, visiting(server, 2, addresses=True) as (one, two):
            for client in (one, two):
                await client.answer("quick", room="pair")
            await seated(one, two)
            for client in (one, two):
                await client.answer("leave")
                await client.until(lambda client=client: client.closed)
            await eventually(lambda: not server.lobby.tables)
            accounts = [await server.lobby.accounts.find(client.token) for client in (one, two)]
            owned = [(await server.lobby.house.books.purse(account)).beans for account in accounts if account]
            assert sum(owned) == 6_000 - 2 * 5
            assert owned[0] != owned[1]

    asyncio.run(run())


# --- private tables --------------------------------------------------------------------------------------------------


def test_a_private_table_is_joined_by_its_code_and_begins_when_all_are_ready():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, visiting(server, 4) as (one, two, three, four):
            await one.answer("open", variant="classic", options={"cap": 16})
            await seated(one)
            assert one.table["view"] is None
            assert one.table["hand"] == 0
            assert one.table["host"] == 0
            assert one.table["setting"]["options"] == {"cap": 16}
            code = one.table["code"]
            assert (await two.answer("join", code="22222222"))["code"] == "unknown_table"
            assert (await two.answer("join", code=code.lower()))["type"] == "done"
            await seated(two)
            assert (await two.answer("act", seq=two.seq, action="bid 1"))["code"] == "not_your_turn"
            for client in (one, two):
                await client.answer("next")
            assert (await three.answer("join", code=code))["type"] == "done"
            await seated(three)
            assert (await four.answer("join", code=code))["code"] == "table_full"
            assert (await four.answer("sit", variant="classic", bot="random"))["type"] == "done"
            await three.answer("next")
            for client in (one, two, three):
                await client.until(lambda client=client: client.table["hand"] == 1)
            assert one.view["cap"] == 16
            assert one.view["phase"] == "bid"
            assert not any(seat["ready"] for seat in one.table["seats"])

    asyncio.run(run())


def test_no_bot_is_seated_in_a_game_that_it_cannot_play(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dizhu.server.players._has_networks", lambda _: False)

    async def run():
        async with serving(QUICK, clock=HandClock()) as server, visiting(server, 2) as (one, two):
            assert (await one.sit("classic", "hard"))["code"] == "unknown_bot"
            assert not server.lobby.tables
            assert (await one.sit("classic", "rule"))["type"] == "done"
            await two.answer("open", variant="classic")
            await seated(two)
            assert (await two.answer("fill", bot="hard"))["code"] == "unknown_bot"
            assert (await two.answer("fill", bot="rule"))["type"] == "done"

    asyncio.run(run())


def test_the_host_gives_empty_seats_to_bots_and_hands_his_right_on():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, visiting(server, 2) as (one, two):
            await one.answer("open", variant="happy")
            await seated(one)
            await two.answer("join", code=one.table["code"])
            await seated(two)
            assert (await two.answer("fill", bot="random"))["code"] == "not_host"
            assert (await one.answer("fill", bot="nobody"))["code"] == "unknown_bot"
            await one.answer("leave")
            await two.until(lambda: two.table["seats"][0]["account"] is None)
            assert two.table["seats"][0]["bot"] is False
            await two.answer("next")
            assert (await two.answer("fill", bot="random"))["type"] == "done"
            await two.until(lambda: two.table["hand"] == 1)
            assert [seat["bot"] for seat in two.table["seats"]] == [True, False, True]

    asyncio.run(run())


def test_nobody_sits_down_in_the_middle_of_a_hand():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, visiting(server, 2) as (one, two):
            await one.answer("open", variant="classic")
            await seated(one)
            await one.answer("next")
            await one.answer("fill", bot="random")
            await one.until(lambda: one.table["hand"] == 1)
            assert (await two.answer("join", code=one.table["code"]))["code"] == "hand_running"

    asyncio.run(run())


def test_a_seat_whose_player_has_gone_is_free_again():
    async def run():
        clock = HandClock()
        settings = replace(QUICK, absent=30)
        async with serving(settings, clock=clock) as server, visiting(server, 1) as (one,):
            await one.answer("open", variant="two_player")
            await seated(one)
            async with joined(server) as other:
                await other.answer("join", code=one.table["code"])
                await seated(other)
            await one.until(lambda: not one.table["seats"][1]["connected"])
            clock.advance(29)
            await asyncio.sleep(0.02)
            await one.answer("sync", after=one.seq)
            assert one.table["seats"][1]["account"] is not None
            clock.advance(2)
            await one.until(lambda: one.table["seats"][1]["account"] is None)

    asyncio.run(run())


def test_players_add_to_the_shuffle_of_a_seed_they_know_to_be_fixed():
    async def run():
        async with serving(QUICK) as server, visiting(server, 2) as (one, two):
            await one.answer("open", variant="two_player")
            await seated(one)
            await two.answer("join", code=one.table["code"])
            await seated(two)
            promised = one.table["next_commitment"]
            assert (await one.answer("next", entropy="zz"))["code"] == "bad_message"
            assert (await one.answer("next", entropy="00" * 33))["code"] == "bad_message"
            await one.answer("next", entropy="0102")
            await two.answer("next", entropy="ff" * 32)
            await one.until(lambda: one.table["hand"] == 1)
            await two.until(lambda: two.table["hand"] == 1)
            assert one.table["commitment"] == promised
            assert one.table["next_commitment"] != promised
            await play_out(one, two)
            seed = bytes.fromhex(one.table["seed"])
            assert hashlib.sha256(seed).hexdigest() == promised
            game = dizhu.variant("two_player")
            deal = dizhu.shuffled(game, seed, one.view["first"], [b"\1\2", b"\xff" * 32])
            assert sorted(one.view["aside"]) == sorted(deal.aside)

    asyncio.run(run())


# --- spectators ------------------------------------------------------------------------------------------------------


def test_a_spectator_sees_what_is_public():
    async def run():
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(QUICK, clock=HandClock(), dealer=dealer) as server:
            async with visiting(server, 2, addresses=True) as (one, watcher):
                await one.sit("classic")
                assert (await watcher.answer("watch", table="nowhere"))["code"] == "unknown_table"
                assert (await watcher.answer("watch", table=one.table["table"]))["type"] == "done"
                await seated(watcher)
                assert watcher.table["seat"] is None
                assert watcher.view["hands"] == [None, None, None]
                assert watcher.view["counts"] == [6, 4, 4]
                await one.act("bid 3")
                await watcher.until(lambda: watcher.view["phase"] == "play")
                assert watcher.view["hands"] == [None, None, None]
                assert (await watcher.answer("act", seq=watcher.seq, action="pass"))["code"] == "not_seated"
                assert (await watcher.answer("sit", variant="classic", bot="random"))["code"] == "already_seated"
                assert (await watcher.answer("leave"))["type"] == "done"
                await watcher.until(lambda: watcher.closed)
                assert (await watcher.answer("sit", variant="classic", bot="random"))["type"] == "done"

    asyncio.run(run())


def test_nobody_watches_from_where_a_player_is_connected():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, visiting(server, 2) as (one, other):
            await one.sit("classic")
            assert (await other.answer("watch", table=one.table["table"]))["code"] == "may_not_watch"
            assert (await other.answer("sit", variant="classic", bot="random"))["type"] == "done", "he is free"

    asyncio.run(run())


def test_a_spectator_who_goes_changes_nothing():
    async def run():
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(QUICK, clock=HandClock(), dealer=dealer) as server, visiting(server, 1) as (one,):
            await one.sit("classic")
            async with connect(server.url, compression=None, local_addr=("127.0.0.9", 0)) as socket:
                watcher = Client(socket)
                await watcher.hello()
                await watcher.answer("watch", table=one.table["table"])
                await seated(watcher)
            (actor,) = server.lobby.tables
            await eventually(lambda: not actor.table.watchers)
            await one.settle()
            assert not one.events

    asyncio.run(run())


def test_tables_of_rooms_are_listed_for_spectators(rooms: dict[str, Room]):
    async def run():
        async with serving(QUICK, rooms=rooms, clock=HandClock()) as server, visiting(server, 4) as clients:
            for client in clients[:3]:
                await client.answer("quick", room="plain")
            await seated(*clients[:3])
            await clients[3].answer("open", variant="classic")
            async with httpx.AsyncClient(base_url=f"http://{server.address}") as http:
                (listed,) = (await http.get("/api/tables")).json()["tables"]
                assert (await http.get("/api/tables?room=pair")).json()["tables"] == []
            assert listed == {
                "table": clients[0].table["table"],
                "room": "plain",
                "variant": "classic",
                "names": [client.welcome["name"] for client in clients[:3]],
                "hand": 1,
                "watching": 0,
            }

    asyncio.run(run())


def test_nobody_opens_tables_without_end():
    async def run():
        async with serving(replace(QUICK, opened=Rate(1, 0.001))) as server, visiting(server, 1) as (one,):
            await one.answer("open", variant="classic")
            await one.answer("leave")
            await one.until(lambda: one.closed)
            assert (await one.answer("sit", variant="classic", bot="random"))["code"] == "too_many_tables"

    asyncio.run(run())


def test_whoever_comes_for_the_first_time_has_beans(rooms: dict[str, Room]):
    async def run():
        async with serving(QUICK, rooms=rooms) as server, visiting(server, 1) as (one,):
            await one.until(lambda: one.heard("purse"))
            assert one.heard("purse") == [{"type": "purse", "beans": 3_000, "three_player": 0, "five_player": 0}]

    asyncio.run(run())
