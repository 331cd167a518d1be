"""Tables that cannot be taken up at a start, and people who turn out to sit at two."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.server import create_app
from dizhu.server.rooms import read_rooms
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.store.log import Log, Seats, Seed, Sitting, TableRow, Written
from dizhu.server.store.writer import StoreFailed
from server.durable.rooms import room_file
from server.harness import QUICK, HandClock, dealing, eventually, joined, serving

POSITION = dealing("34567T", "BR89", "5566")


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, Any]:
    return {"database": f"sqlite:///{tmp_path}/dizhu.sqlite3", "clock": HandClock(), "dealer": POSITION}


async def open_tables(url: str) -> list[str]:
    async with opened(url) as database:
        return [row.id for row in await Log(database).unfinished()]


def test_a_log_that_cannot_be_read_stops_no_other_table_and_is_not_given_up(
    parts: dict[str, Any], caplog: pytest.LogCaptureFixture
):
    async def run() -> None:
        async with serving(QUICK, **parts) as server, joined(server) as one, joined(server) as two:
            await one.sit("classic")
            await two.sit("classic")
            tables = one.table["table"], two.table["table"]
            token, other = one.token, two.token
        kept: dict[str, Any] = {}

        async def write(connection: AsyncConnection, data: str) -> None:
            event = schema.event.c
            which = (event.table_id == tables[1], event.kind == "deal")
            kept.setdefault("data", (await connection.execute(select(event.data).where(*which))).scalar_one())
            await connection.execute(update(schema.event).where(*which).values(data=data))

        async with opened(parts["database"]) as database:
            await database.writer.run(lambda connection: write(connection, '{"type": "deal", "hand": "first"}'))
        async with serving(QUICK, **parts) as server, joined(server, token) as one, joined(server, other) as two:
            assert one.table["table"] == tables[0]
            assert not two.welcome["seated"]
            assert (await one.act("bid 3"))["type"] == "done"
        assert f"table {tables[1]} cannot be read" in caplog.text
        async with opened(parts["database"]) as database:
            await database.writer.run(lambda connection: write(connection, kept["data"]))
        async with serving(QUICK, **parts) as server, joined(server, other) as two:
            assert two.table["table"] == tables[1]

    asyncio.run(run())


def test_a_room_that_is_no_more_closes_its_tables(parts: dict[str, Any], tmp_path: Path):
    rooms = read_rooms(room_file(tmp_path))

    async def run() -> None:
        async with serving(QUICK, **parts, rooms=rooms) as server, joined(server) as one:
            await one.answer("quick", room="alone")
            await one.until(lambda: one.table)
            token = one.token
        del rooms["alone"]
        async with serving(QUICK, **parts, rooms=rooms) as server, joined(server, token) as one:
            assert not one.welcome["seated"]
        assert await open_tables(parts["database"]) == []

    asyncio.run(run())


def test_a_database_that_fails_at_a_start_closes_no_table(parts: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    async def fails(*_: object) -> None:
        raise StoreFailed

    async def run() -> None:
        async with serving(QUICK, **parts) as server, joined(server) as one:
            await one.sit("classic")
            await one.act("bid 3")
            while one.view["phase"] != "over":
                await one.turn()
                await one.act(one.view["legal"][-1])
                await one.turn()
            table = one.table["table"]
        monkeypatch.setattr("dizhu.server.books.Books.settled", fails)
        app = create_app(QUICK, **parts)
        with pytest.raises(DizhuError, match="the tables cannot be taken up") as caught:
            async with app.router.lifespan_context(app):
                pass
        assert caught.value.code == "database_failed"
        assert await open_tables(parts["database"]) == [table]

    asyncio.run(run())


def test_who_sits_at_two_tables_keeps_the_one_where_something_happened_last(parts: dict[str, Any]):
    async def run() -> None:
        async with serving(QUICK, **parts) as server, joined(server) as one:
            parts["clock"].advance(60)
            await one.sit("classic")
            account, token, table = one.welcome["account"], one.token, one.table["table"]
        async with opened(parts["database"]) as database:
            for name, at in (("older", 1_000_000), ("oldest", 1)):
                seats = Seats((Sitting("He", account, None, 0), None, None))
                entries = [Written(1, at, seats), Written(2, at, Seed(1, "11" * 32))]
                await Log(database).open(TableRow(name, None, "classic", {}, name.upper()), entries)
        async with serving(QUICK, **parts) as server, joined(server, token) as one:
            assert one.table["table"] == table
            # Nobody is left at the others, so they are closed.
            await eventually(lambda: len(server.lobby.tables) == 1)
            assert (await one.answer("leave"))["type"] == "done"
            await one.until(lambda: one.closed)
            assert (await one.sit("classic"))["type"] == "done"

    asyncio.run(run())
