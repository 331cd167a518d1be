"""Whom a player has blocked: listed for him alone, and taken back."""

from __future__ import annotations

import asyncio

import httpx

from dizhu.server.store.social import Social
from server.api.harness import Api, api


async def guest(site: Api) -> tuple[httpx.AsyncClient, int, str]:
    """A new player, his number and his name."""
    caller = site.caller()
    me = (await caller.post("/api/session", json={})).json()["me"]
    return caller, me["id"], me["name"]


def test_blocks_are_listed_and_taken_back(database_url: str):
    async def run() -> None:
        async with api(database_url) as site:
            one, me, _ = await guest(site)
            (two, second, _), (_, third, name) = await guest(site), await guest(site)
            social = Social(site.database)
            await social.block(me, second, 1000, on=True)
            await social.block(me, third, 2000, on=True)
            blocks = (await one.get("/api/blocks")).json()["blocks"]
            assert [block["account"] for block in blocks] == [third, second]
            assert blocks[0] == {"account": third, "name": name, "at": 2000}
            assert (await two.get("/api/blocks")).json()["blocks"] == []
            for _ in range(2):
                answer = await one.request("DELETE", "/api/blocks", json={"account": third})
                assert answer.status_code == 200
                assert await social.blocked(me) == {second}
            assert (await site.caller().get("/api/blocks")).json()["code"] == "no_session"

    asyncio.run(run())
