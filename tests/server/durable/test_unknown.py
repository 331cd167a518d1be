"""Commits of which nobody knows how they ended, for the wire to PostgreSQL is cut: what the database has is so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sqlalchemy import select

from dizhu.server.economy.check import check
from dizhu.server.rooms import read_rooms
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.store.log import Act, Written
from dizhu.server.table import Table
from server.databases import PostgreSQL
from server.durable.proxy import Cut, Wire, wired
from server.harness import QUICK, Client, HandClock, Running, dealing, eventually, joined, serving, sit_together

POSITION = dealing("34567T", "BR89", "5566")
SHORT = dealing("3", "56", "78")
CUTS: tuple[Cut, ...] = ("before", "after")
RETRY = 1.0

ROOM = """
[beans]
variant = "classic"
kind = "beans"
level = "beginner"
coefficient = 10
bot = "random"
"""


@pytest.fixture
def url(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.fresh() as url:
        yield url


@dataclass
class Site:
    """A server whose wire to the database can be cut."""

    server: Running
    wire: Wire
    clock: HandClock

    async def log(self, table: str) -> list[Written]:
        return await self.server.lobby.house.log.load(table)

    def cut(self, moment: Cut, *, stays: bool = True) -> None:
        self.wire.cut, self.wire.stays_torn = moment, stays

    async def mend(self) -> None:
        """Let the database be there again, and the server find out."""
        assert self.wire.cuts == 1
        self.wire.torn = False
        self.clock.advance(RETRY + 0.1)


@asynccontextmanager
async def site(url: str, **parts: object) -> AsyncGenerator[Site]:
    clock = HandClock()
    async with wired(url) as (wire, wired_url):
        async with serving(replace(QUICK, retry=RETRY), database=wired_url, clock=clock, **parts) as server:
            yield Site(server, wire, clock)


def running(work: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(run())


async def audited(url: str) -> None:
    async with opened(url) as database, database.reading() as connection:
        assert (await check(connection)).faults == ()


@pytest.mark.parametrize("moment", CUTS)
def test_a_commit_that_is_cut_is_tried_again_and_done_once(url: str, moment: Cut):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one, joined(there.server) as two:
            await sit_together(there.server, [one, two], "classic")
            there.cut(moment, stays=False)
            assert (await one.act("bid 3"))["type"] == "done"
            assert there.wire.cuts == 1
            acts = [written.entry for written in await there.log(one.table["table"]) if isinstance(written.entry, Act)]
            assert [(act.seat, act.action) for act in acts] == [(0, "bid 3")]
            assert (await one.act("play 3"))["type"] == "done"

    running(work)


@pytest.mark.parametrize("moment", CUTS)
def test_what_was_refused_is_so_if_the_database_has_it(url: str, moment: Cut):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one, joined(there.server) as two:
            table = await sit_together(there.server, [one, two], "classic")
            there.cut(moment)
            answer = await one.act("bid 3")
            assert (answer["type"], answer["code"]) == ("refused", "store_failed")
            assert table.journal.doubtful
            assert (await one.act("bid 2"))["code"] == "store_failed", "nothing new before that is known"
            assert one.view["phase"] == "bid"
            await there.mend()
            if moment == "before":
                await eventually(lambda: not table.journal.doubtful)
                assert (await one.act("bid 2"))["type"] == "done"
            else:
                await one.until(lambda: one.view["phase"] == "play")
                await two.until(lambda: two.view["phase"] == "play")
                assert one.view["landlords"] == [0]
                assert (await one.act("play 3"))["type"] == "done"
                await two.until(lambda: two.view["history"])
            said = [written.entry for written in await there.log(table.id) if isinstance(written.entry, Act)]
            assert said[0].action == ("bid 3" if moment == "after" else "bid 2")

    running(work)


@pytest.mark.parametrize("moment", CUTS)
def test_the_clock_runs_on_while_nothing_can_be_saved(url: str, moment: Cut):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one, joined(there.server) as two:
            table = await sit_together(there.server, [one, two], "classic")
            there.cut(moment)
            there.clock.advance(15)
            await eventually(lambda: there.wire.cuts)
            for _ in range(5):
                there.clock.advance(RETRY)
                await asyncio.sleep(0.02)
            assert one.view["answers"] == []
            await there.mend()
            await two.until(lambda: two.view["answers"])
            assert two.view["answers"][0] == {"phase": "bid", "seat": 0, "action": "no"}
            acts = [written.entry for written in await there.log(table.id) if isinstance(written.entry, Act)]
            assert [act.seat for act in acts].count(0) == 1

    running(work)


@pytest.mark.parametrize("moment", CUTS)
def test_a_settlement_that_is_cut_is_booked_once_and_shown(url: str, tmp_path: Path, moment: Cut):
    file = tmp_path / "rooms.toml"
    file.write_text(ROOM)

    async def work() -> None:
        async with site(url, dealer=SHORT, rooms=read_rooms(file)) as there, joined(there.server) as one:
            await one.answer("quick", room="beans")
            await eventually(lambda: there.server.lobby.seeking._matchmaker.due)
            there.clock.advance(30)
            await one.until(lambda: one.table)
            await one.act("bid 3")
            await one.until(lambda: one.heard("purse"))
            there.cut(moment)
            assert (await one.act("play 3"))["code"] == "store_failed"
            await there.mend()
            if moment == "before":
                while (await one.act("play 3"))["type"] == "refused":
                    pass
            await one.until(lambda: one.view["phase"] == "over")
            won = one.table["settled"]["beans"]
            assert won[0] == 120
            table = one.table["table"]
            again = await one.fresh_table()
            assert again["settled"]["beans"] == won
            await one.answer("next")
            await one.until(lambda: one.table["hand"] == 2)
        async with opened(url) as database, database.reading() as connection:
            columns = schema.transfer.c
            booked = (await connection.execute(select(columns.key).where(columns.kind == "settlement"))).scalars().all()
            assert booked == [f"hand:{table}:1"]
        await audited(url)

    running(work)


@pytest.mark.parametrize("moment", CUTS)
def test_a_deal_that_is_cut(url: str, moment: Cut):
    async def work() -> None:
        async with site(url, dealer=SHORT) as there, joined(there.server) as one:
            await one.sit("classic")
            await one.act("bid 3")
            await one.act("play 3")
            there.cut(moment)
            assert (await one.answer("next"))["type"] == "done", "that he is ready needs no database"
            await eventually(lambda: there.wire.cuts)
            await there.mend()
            await one.until(lambda: one.table["hand"] == 2)
            assert one.view["phase"] == "bid"
            assert (await one.act("bid 3"))["type"] == "done"

    running(work)


@pytest.mark.parametrize("moment", CUTS)
def test_leaving_that_is_cut(url: str, moment: Cut):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one, joined(there.server) as two:
            table = await sit_together(there.server, [one, two], "classic")
            there.cut(moment)
            assert (await one.answer("leave"))["code"] == "store_failed"
            await there.mend()
            if moment == "after":
                await one.until(lambda: one.closed)
                assert one.closed == ["left"]
                await two.until(lambda: two.view["phase"] == "over")
                assert two.table["seats"][0]["bot"]
                assert two.table["settled"]["share"]
                assert (await one.sit("classic"))["type"] == "done"
            else:
                await eventually(lambda: not table.journal.doubtful)
                assert (await one.act("bid 3"))["type"] == "done"

    running(work)


@pytest.mark.parametrize("moment", CUTS)
def test_who_was_refused_a_seat_has_not_got_it(url: str, moment: Cut):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as host, joined(there.server) as guest:
            await host.answer("open", variant="classic", options={})
            await host.until(lambda: host.table)
            there.cut(moment)
            assert (await guest.answer("join", code=host.table["code"]))["code"] == "store_failed"
            await there.mend()
            table = actor_of(there, host)
            await eventually(lambda: not table.journal.doubtful and table.seat_of(account_of(there, guest)) is None)
            assert (await guest.answer("act", seq=0, action="no"))["code"] == "not_seated"
            assert (await guest.answer("join", code=host.table["code"]))["type"] == "done"
            await host.until(lambda: host.table["seats"][1]["account"] == guest.welcome["account"])
            assert host.table["seats"][2]["account"] is None

    running(work)


@pytest.mark.parametrize("moment", CUTS)
@pytest.mark.parametrize("step", [0, 1])
def test_a_table_that_could_not_begin_is_not_there_after_a_restart(url: str, moment: Cut, step: int):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one:
            write = there.server.lobby.house.log.append if step else there.server.lobby.house.log.open

            async def cut_first(*arguments: object) -> None:
                there.cut(moment)
                await write(*arguments)  # pyright: ignore[reportArgumentType]

            setattr(there.server.lobby.house.log, write.__name__, cut_first)
            assert (await one.answer("sit", variant="classic", bot="random"))["code"] == "store_failed"
            setattr(there.server.lobby.house.log, write.__name__, write)
            assert not there.server.lobby.tables.people
            await there.mend()
            assert (await one.sit("classic"))["type"] == "done"
            await eventually(lambda: len(there.server.lobby.tables) == 1)
            token, table = one.token, one.table["table"]
        async with serving(database=url, clock=HandClock(), dealer=POSITION) as server, joined(server, token) as one:
            assert len(server.lobby.tables) == 1
            assert one.table["table"] == table

    running(work)


def test_people_come_and_go_and_the_server_stops_while_the_database_is_away(url: str):
    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one:
            async with joined(there.server) as two:
                table = await sit_together(there.server, [one, two], "classic")
                there.cut("after")
                assert (await one.act("bid 3"))["code"] == "store_failed"
                token = two.token
            await one.until(lambda: not one.table["seats"][1]["connected"])
            async with joined(there.server) as two:
                assert two.welcome["code"] == "store_failed"
                await there.mend()
                await two.hello(token)
                for client in (one, two):
                    await client.until(lambda client=client: client.view["phase"] == "play")
                there.cut("before")
                assert (await one.act("play 3"))["code"] == "store_failed"
            assert table.journal.doubtful
            await asyncio.wait_for(there.server.lobby.close(), 5)

    running(work)


def test_a_database_that_never_answers_is_not_waited_for(url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dizhu.server.store.writer._LONGEST_SECONDS", 0.5)

    async def work() -> None:
        async with site(url, dealer=POSITION) as there, joined(there.server) as one:
            await one.sit("classic")
            there.wire.silent = True
            assert (await one.act("bid 3"))["code"] == "store_failed"
            there.wire.silent = False
            there.clock.advance(RETRY + 0.1)
            await eventually(lambda: not actor_of(there, one).journal.doubtful)
            while one.view["phase"] == "bid":
                await one.act("bid 3")
            assert one.view["landlords"] == [0]

    running(work)


def account_of(there: Site, client: Client):
    return next(one for one in there.server.lobby.connections if one.id == client.welcome["account"])


def actor_of(there: Site, client: Client) -> Table:
    actor = there.server.lobby.tables.at(account_of(there, client))
    assert actor is not None
    return actor.table
