"""The economy over HTTP: profiles, leaderboards, histories, rooms and the daily grant."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from dizhu.server.economy.days import DAY, day_began
from dizhu.server.economy.grants import BEGIN_WITH, DAILY, welcome
from dizhu.server.rooms import read_rooms
from server.api.harness import Api, api
from server.economy.bank import NOON, Bank, ended, lost, populate, room, won

POINTS = room("classic-points")
BEANS = room(coefficient=10, fee=5)


@asynccontextmanager
async def served(url: str) -> AsyncGenerator[tuple[Api, Bank]]:
    """The API over a database with five players and a table."""
    async with api(url) as served_:
        served_.app.state.rooms = read_rooms()
        served_.app.state.clock = served_.clock
        served_.clock.seconds = NOON / 1000
        bank = Bank(served_.database)
        await bank.run(populate)
        yield served_, bank


async def guest(served_: Api) -> tuple[httpx.AsyncClient, int]:
    """A new player, and his number."""
    caller = served_.caller()
    answer = await caller.post("/api/session", json={})
    return caller, answer.json()["me"]["id"]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_profiles(database_url: str):
    async def run() -> None:
        async with served(database_url) as (site, bank):
            caller, me = await guest(site)
            await bank.finish(ended(won(), POINTS, (me, 2, 3)))
            own = (await caller.get("/api/profile")).json()["profile"]
            assert own["account"] == me
            assert own["three_player"] == {"points": 12, "rank": 1, "title": 1, "highest_title": 1}
            assert own["five_player"] == {"points": 0, "rank": None, "title": 0, "highest_title": 0}
            assert own["tallies"] == [{"game": "classic", "role": "landlord", "hands": 1, "won": 1}]
            assert (own["best_multiplier"], own["claimed"], own["since"]) == (2, False, NOON)
            anybody = site.caller()
            assert (await anybody.get(f"/api/profile/{me}")).json()["profile"] == own
            assert code(await anybody.get("/api/profile")) == (401, "no_session")
            for nobody in (0, 99, "me", 2**53):
                assert (await anybody.get(f"/api/profile/{nobody}")).status_code in (400, 404)
            assert code(await anybody.get("/api/profile/99")) == (404, "unknown_account")

    asyncio.run(run())


def test_leaderboards(database_url: str):
    async def run() -> None:
        async with served(database_url) as (site, bank):
            await bank.finish(ended(won(), POINTS, (1, 2, 3), 1, NOON - 30 * DAY))
            await bank.finish(ended(lost(1), POINTS, (1, 2, None), 2))
            anybody = site.caller()

            async def board(**query: Any) -> list[tuple[int, str, int]]:
                answer = await anybody.get("/api/leaderboard", params=query)
                return [(line["rank"], line["name"], line["amount"]) for line in answer.json()["lines"]]

            assert await board() == [(1, "Player 1", 8), (2, "Player 2", -4), (3, "Player 3", -6)]
            assert await board(period="day") == [(1, "Player 2", 2), (2, "Player 1", -4)]
            assert await board(ladder="three_player", period="week", count=1) == [(1, "Player 2", 2)]
            assert await board(ladder="beans") == []
            for bad in ({"period": "year"}, {"ladder": "chess"}, {"count": 0}, {"count": 101}, {"page": 2}):
                assert code(await anybody.get("/api/leaderboard", params=bad)) == (400, "bad_request")

    asyncio.run(run())


def test_the_history_of_whoever_asks_in_pages(database_url: str):
    async def run() -> None:
        async with served(database_url) as (site, bank):
            caller, me = await guest(site)
            outcomes = [await bank.finish(ended(lost(), None, (me, None, 3), number)) for number in range(1, 6)]
            await bank.finish(ended(lost(), None, (1, 2, 3), 6))
            shares: list[str] = []
            query: dict[str, Any] = {"count": 2}
            sizes: list[int] = []
            while True:
                page = (await caller.get("/api/history", params=query)).json()
                shares += [hand["share"] for hand in page["hands"]]
                sizes.append(len(page["hands"]))
                if page["next"] is None:
                    break
                query["before"] = page["next"]
            assert sizes == [2, 2, 1]
            assert shares == [outcome.share for outcome in reversed(outcomes)]
            first = (await caller.get("/api/history")).json()["hands"][0]
            assert (first["role"], first["won"], first["points"], first["seat"]) == ("landlord", False, -12, 0)
            assert code(await site.caller().get("/api/history")) == (401, "no_session")

    asyncio.run(run())


def test_the_rooms_are_those_of_the_host_in_his_order(tmp_path: Any):
    async def run() -> None:
        async with served(f"sqlite:///{tmp_path}/dizhu.sqlite3") as (site, _):
            listed = (await site.caller().get("/api/rooms")).json()["rooms"]
            assert [one["id"] for one in listed] == list(read_rooms())
            (beginner,) = [one for one in listed if one["id"] == "happy-beginner"]
            assert beginner == {
                "id": "happy-beginner", "variant": "happy", "options": {"cap": 32}, "kind": "beans",
                "level": "beginner",
                "name": None, "coefficient": 10, "fee": 5, "need": 200, "threshold": 500, "play": 20, "question": 15,
                "offer": 10, "redeal": "first", "fill": 5,
            }  # fmt: skip

    asyncio.run(run())


def test_the_daily_grant(database_url: str):
    async def run() -> None:
        async with served(database_url) as (site, bank):
            caller, me = await guest(site)
            assert code(await caller.post("/api/grant", json={})) == (409, "not_broke")
            await welcome(site.database, me, NOON)
            await bank.give(me, -BEGIN_WITH)
            assert (await caller.post("/api/grant", json={})).json() == {"given": DAILY, "beans": DAILY}
            await bank.give(me, -DAILY)
            refused = await caller.post("/api/grant", json={})
            assert code(refused) == (409, "granted_today")
            assert refused.json()["detail"] == {"until": day_began(NOON) + DAY}
            site.clock.seconds += DAY / 1000
            assert (await caller.post("/api/grant", json={})).json() == {"given": DAILY, "beans": DAILY}
            assert code(await site.caller().post("/api/grant", json={})) == (401, "no_session")

    asyncio.run(run())


@pytest.mark.parametrize("path", ["/api/profile", "/api/leaderboard", "/api/history", "/api/rooms", "/api/grant"])
def test_it_is_all_described(tmp_path: Any, path: str):
    async def run() -> None:
        async with served(f"sqlite:///{tmp_path}/dizhu.sqlite3") as (site, _):
            described = (await site.caller().get("/api/openapi.json")).json()
            (operation,) = described["paths"][path].values()
            assert operation["summary"].endswith(".")
            assert operation["responses"]["200"]["content"]["application/json"]["schema"]

    asyncio.run(run())
