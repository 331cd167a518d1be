"""A database that fails while people play: what was acknowledged is there, the rest refused, and then all goes on."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from dizhu.server.rooms import Room, read_rooms
from server.databases import QUICK as QUICK_POSTGRESQL
from server.databases import PostgreSQL, running_postgresql
from server.durable.audit import audit
from server.durable.rooms import people, room_file
from server.durable.witness import Facts
from server.harness import QUICK, HandClock, Running, dealing, joined, serving, sit_together

POSITION = dealing("34567T", "BR89", "5566")
DAY = 24 * 60 * 60 * 1000
BUSY_SECONDS = 0.2
SETTINGS = replace(QUICK, retry=0.1)
NOTICED_SECONDS = 0.5
EVENTS = 80
"""That many are told before, between and after the troubles."""

Trouble = Callable[[Running, Callable[[], Awaitable[None]]], Awaitable[None]]
"""Makes the database fail, waits until a table has noticed and others may have, and mends it."""


async def full(server: Running, noticed: Callable[[], Awaitable[None]]) -> None:
    """No page can be added to the file."""
    engine = server.lobby.house.log._database._writers

    async def asked(pragma: str) -> int:
        # Past SQLAlchemy, which would begin to write and wait for the lock: the limit is the connection's own.
        async with engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            async with driver.execute(f"PRAGMA {pragma}") as cursor:
                (count,) = await cursor.fetchone()
        return count

    await asked(f"max_page_count = {await asked('page_count')}")
    await noticed()
    await asked(f"max_page_count = {2**30}")


async def locked(server: Running, noticed: Callable[[], Awaitable[None]]) -> None:
    """Somebody else writes to the file, and does not come to an end."""
    file = make_url(server.database).database
    assert file is not None
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
    await noticed()
    other.execute("ROLLBACK")
    other.close()


async def play_through(url: str, rooms: dict[str, Room], trouble: Trouble, times: int) -> None:
    """Let people play; again and again there is trouble."""
    facts = Facts()
    everybody = people(facts, random.Random(7))
    async with serving(SETTINGS, database=url, rooms=rooms) as server:
        playing = [asyncio.create_task(person.play(server.url)) for person in everybody]

        async def until(condition: Callable[[], bool]) -> None:
            while not condition():
                for task in playing:
                    assert not task.done(), task.exception()
                await asyncio.sleep(0.01)

        async def more_events() -> None:
            enough = len(facts.events) + EVENTS
            await until(lambda: len(facts.events) >= enough)

        async def noticed() -> None:
            await until(lambda: any(actor.table._held for actor in server.lobby.tables))
            await asyncio.sleep(NOTICED_SECONDS)

        async with asyncio.timeout(120):
            await more_events()
            for _ in range(times):
                await trouble(server, noticed)
                await more_events()
        everywhere = {actor.table.id for actor in server.lobby.tables}
        assert len(everywhere) >= 4
    await asyncio.gather(*playing)
    seen = await audit(url, rooms, facts)
    assert seen["events"] > EVENTS * (times + 1)
    assert facts.refused["store_failed"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [full, locked])
def test_a_file_that_cannot_be_written(
    trouble: Trouble, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr("dizhu.server.store.database._BUSY_SECONDS", BUSY_SECONDS)
    rooms = read_rooms(room_file(tmp_path))
    asyncio.run(play_through(f"sqlite:///{tmp_path}/dizhu.sqlite3", rooms, trouble, 3))
    assert 1 <= caplog.text.count("the database failed") <= 10, "the log is not flooded"


@pytest.fixture
def restartable() -> Iterator[PostgreSQL]:
    with running_postgresql(*QUICK_POSTGRESQL) as instance:
        yield instance


@pytest.mark.slow
def test_postgresql_restarted_at_once_while_it_works(restartable: PostgreSQL, tmp_path: Path):
    async def restarted(_: Running, noticed: Callable[[], Awaitable[None]]) -> None:
        restartable.stop()
        await noticed()
        await asyncio.to_thread(restartable.start)

    rooms = read_rooms(room_file(tmp_path))
    url = restartable.url("postgres")
    asyncio.run(play_through(url, rooms, restarted, 3))


class Calendar(HandClock):
    """A clock whose time of day can be put right."""

    ahead = 0

    def wall(self) -> int:
        return super().wall() + self.ahead


@pytest.mark.parametrize(("jump", "left"), [(DAY, 5_000), (-DAY, 15_000)])
def test_a_time_of_day_that_jumps_changes_no_clock_and_no_order(jump: int, left: int, tmp_path: Path):
    async def run() -> None:
        clock = Calendar()
        parts = {"database": f"sqlite:///{tmp_path}/dizhu.sqlite3", "clock": clock, "dealer": POSITION}
        async with serving(QUICK, **parts) as server, joined(server) as one, joined(server) as two:
            await sit_together(server, [one, two], "classic")
            clock.ahead = jump
            clock.advance(10)
            two.table = await two.fresh_table()
            assert two.table["clock"] == {"limit_ms": 15_000, "left_ms": 5_000}
            clock.ahead = 0
            tokens = one.token, two.token
        clock.ahead = jump
        async with serving(QUICK, **parts) as server, joined(server, tokens[0]) as one:
            assert one.table["clock"] == {"limit_ms": 15_000, "left_ms": left}
            assert (await one.act("bid 3"))["type"] == "done"
            # His clock runs, wherever the time of day goes.
            clock.ahead = 0
            clock.advance(20.1)
            await one.until(lambda: one.view["history"])
            acted = one.seq
        async with serving(QUICK, **parts) as server, joined(server, tokens[1]) as two:
            assert two.view["history"]
            assert two.seq > acted

    asyncio.run(run())
