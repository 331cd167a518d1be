"""Who comes back after a restart finds everything as he left it, between the hands as well as in them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import dizhu
from dizhu.server.economy.check import check
from dizhu.server.rooms import read_rooms
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.terms import room_terms
from server.harness import QUICK, Client, HandClock, dealing, eventually, joined, serving

POSITION = dealing("34567T", "BR89", "5566")
SHORT = dealing("3", "56", "78")

ROOMS = "".join(
    f"""
[{variant.replace("_", "-")}-{kind}]
variant = "{variant}"
kind = "{kind}"
{'level = "beginner"' if kind == "beans" else ""}
fill = 0
bot = "random"
"""
    for variant in dizhu.variants()
    for kind in ("beans", "points")
)


def kept(table: dict[str, Any]) -> dict[str, Any]:
    """All of a table that a restart leaves as it is: not who is there, and who has asked for what."""
    soft = {"connected": True, "auto": False, "ready": False}
    seats = [{**seat, **soft} for seat in table["seats"]]
    return {**table, "seats": seats, "seq": 0, "clock": None}


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Any]:
    """What a server and the one after it share."""
    file = tmp_path / "rooms.toml"
    file.write_text(ROOMS)
    return {"database": f"sqlite:///{tmp_path}/dizhu.sqlite3", "rooms": read_rooms(file), "clock": HandClock()}


async def seek(client: Client, room: str) -> None:
    await client.answer("quick", room=room)
    await client.until(lambda: client.table and client.view)


async def play(client: Client) -> None:
    """Play to the end of the hand."""
    await client.turn()
    while client.view["phase"] != "over":
        await client.act(client.view["legal"][-1])
        await client.turn()


@pytest.mark.parametrize("room", ["classic-beans", "five-player-points", "happy-beans"])
def test_the_settlement_is_shown(parts: dict[str, Any], room: str):
    async def run() -> None:
        async with serving(QUICK, **parts) as server, joined(server) as one:
            await seek(one, room)
            await play(one)
            await one.settle()
            shown, token, purse = one.table, one.token, one.heard("purse")[-1]
            assert shown["settled"]["beans" if room.endswith("beans") else "points"]
            assert shown["seed"]
        async with serving(QUICK, **parts) as server, joined(server, token) as one:
            assert kept(one.table) == kept(shown)
            await one.until(lambda: one.heard("purse"))
            assert one.heard("purse")[-1] == purse
            await one.answer("next")
            await one.until(lambda: one.table["hand"] > shown["hand"])
            assert one.table["commitment"] == shown["next_commitment"]

    asyncio.run(run())


def test_a_deal_that_nobody_wanted_is_shown_and_the_next_one_follows(parts: dict[str, Any]):
    class Unwilling:
        def act(self, view: dizhu.View) -> str:
            return "no"

    async def run() -> None:
        async with serving(QUICK, **parts, dealer=POSITION) as server, joined(server) as one:
            await seek(one, "auction-beans")
            account = next(iter(server.lobby.connections))
            actor = server.lobby.tables.at(account)
            assert actor is not None
            for place in actor.table.places[1:]:
                place.player = Unwilling()
            server.lobby.house.stopping = True
            await one.act("no")
            await one.until(lambda: one.view["phase"] == "redeal")
            shown, token = one.table, one.token
        async with serving(QUICK, **parts, dealer=POSITION) as server, joined(server, token) as one:
            assert kept(one.table) == kept(shown)
            await one.until(lambda: one.table["hand"] == 2)

    asyncio.run(run())


def test_a_private_table_still_waits(parts: dict[str, Any]):
    async def run() -> None:
        async with serving(QUICK, **parts) as server, joined(server) as host, joined(server) as guest:
            await host.answer("open", variant="classic", options={"cap": 8})
            await host.until(lambda: host.table)
            await guest.answer("join", code=host.table["code"])
            await guest.until(lambda: guest.table)
            shown, tokens = guest.table, (host.token, guest.token)
        async with serving(QUICK, **parts) as server, joined(server, tokens[1]) as guest:
            assert kept(guest.table) == kept(shown)
            assert guest.table["view"] is None
            assert guest.table["setting"]["options"] == {"cap": 8}
            async with joined(server, tokens[0]) as host, joined(server) as third:
                await third.answer("join", code=shown["code"])
                for client in (host, guest, third):
                    await client.answer("next")
                for client in (host, guest, third):
                    await client.until(lambda client=client: client.view)
                    assert client.table["hand"] == 1
                    assert client.table["commitment"] == shown["next_commitment"]

    asyncio.run(run())


def test_a_table_of_a_room_whose_server_died_before_the_first_deal_deals(parts: dict[str, Any]):
    async def run() -> None:
        async with serving(QUICK, **parts) as server, joined(server) as one:
            account, token = next(iter(server.lobby.connections)), one.token
            log = server.lobby.house.log

            async def dies(*_: object) -> None:
                await asyncio.Future()

            log.append = dies  # pyright: ignore[reportAttributeAccessIssue]
            actor = server.lobby.tables.open(room_terms(parts["rooms"]["classic-beans"]), [account], "random")
            async with asyncio.timeout(10):
                while not (await log.unfinished()):
                    await asyncio.sleep(0.01)
            assert actor.table.hand is None
        async with serving(QUICK, **parts) as server, joined(server, token) as one:
            await one.until(lambda: one.table.get("hand") == 1)

    asyncio.run(run())


def test_who_left_a_hand_takes_its_result_also_after_a_restart(parts: dict[str, Any]):
    async def run() -> None:
        async with serving(QUICK, **parts, dealer=SHORT) as server, joined(server) as one:
            await seek(one, "auction-beans")
            account, name = one.welcome["account"], one.welcome["name"]
            table = one.table["table"]
            server.lobby.house.stopping = True
            actor = server.lobby.tables.named(table)
            actor.table.hold(1e9)
            assert (await one.answer("leave"))["type"] == "done"
            await one.until(lambda: one.closed)
        async with serving(QUICK, **parts, dealer=SHORT) as server:
            await eventually(lambda: not server.lobby.tables)
        async with opened(parts["database"]) as database, database.reading() as connection:
            seats = schema.hand_seat
            rows = (await connection.execute(select(seats).order_by(seats.c.seat))).all()
            assert [(row.account_id, row.name) for row in rows] == [(account, name), (None, "Bot 2"), (None, "Bot 3")]
            entries = schema.entry.c
            booked = select(entries.amount).join_from(schema.entry, schema.transfer)
            mine = booked.where(schema.transfer.c.kind == "settlement", entries.account_id == account)
            assert (await connection.execute(mine)).scalar_one() == rows[0].beans != 0
            assert (await check(connection)).faults == ()

    asyncio.run(run())
