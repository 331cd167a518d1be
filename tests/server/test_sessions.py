"""One session for the socket and for the API, and what becomes of a connection when its session ends."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx
import pytest
from websockets.asyncio.client import connect

from dizhu.server.settings import Rate
from dizhu.server.store.database import opened
from dizhu.server.store.log import Log
from server.harness import QUICK, Client, HandClock, Running, eventually, joined, serving


def bearer(client: Client) -> dict[str, str]:
    return {"authorization": f"Bearer {client.token}"}


async def ask(server: Running, method: str, path: str, **fields: object) -> httpx.Response:
    async with httpx.AsyncClient(base_url=f"http://{server.address}") as http:
        return await http.request(method, path, **fields)  # type: ignore[arg-type]


def test_a_token_of_the_socket_opens_the_api():
    async def run():
        async with serving() as server, joined(server) as client:
            me = (await ask(server, "GET", "/api/me", headers=bearer(client))).json()
            assert me["name"] == client.welcome["name"]
            assert (await ask(server, "GET", "/api/me")).json()["code"] == "no_session"

    asyncio.run(run())


def test_a_cookie_of_the_api_is_the_session_of_the_socket():
    async def run():
        async with serving() as server:
            answer = await ask(server, "POST", "/api/session", json={}, headers={"origin": f"http://{server.address}"})
            cookie = answer.headers["set-cookie"].partition(";")[0]
            headers = {"cookie": cookie, "origin": f"http://{server.address}"}
            async with connect(server.url, compression=None, additional_headers=headers) as socket:
                client = Client(socket)
                welcome = await client.hello()
                assert welcome["token"] is None
            me = (await ask(server, "GET", "/api/me", headers={"cookie": cookie})).json()
            assert me["name"] == welcome["name"]

    asyncio.run(run())


@pytest.mark.parametrize("code", ["logged_out", "suspended"])
def test_a_connection_ends_with_its_session(code: str):
    async def run():
        clock = HandClock()
        async with serving(replace(QUICK, sessions=5), clock=clock) as server:
            async with joined(server) as client, joined(server) as other:
                account = client.welcome["account"]
                if code == "suspended":
                    await server.lobby.accounts.suspend(account, "cheating")
                else:
                    await server.lobby.accounts.log_out_everywhere(account)
                clock.advance(5)
                await client.until(lambda: client.closed)
                assert client.closed == [code]
                await other.sit("classic")
                async with connect(server.url, compression=None) as socket:
                    back = Client(socket)
                    answer = await back.answer("hello", protocol=1, token=client.token)
                    assert answer["code"] == ("suspended" if code == "suspended" else "unknown_token")

    asyncio.run(run())


def test_a_suspended_browser_is_told_so():
    async def run():
        async with serving() as server:
            origin = {"origin": f"http://{server.address}"}
            answer = await ask(server, "POST", "/api/session", json={}, headers=origin)
            headers = {"cookie": answer.headers["set-cookie"].partition(";")[0], **origin}
            account = (await ask(server, "GET", "/api/me", headers=headers)).json()["id"]
            await server.lobby.accounts.suspend(account, "cheating")
            async with connect(server.url, compression=None, additional_headers=headers) as socket:
                client = Client(socket)
                await client.until(lambda: client.closed)
                assert client.closed == ["suspended"]

    asyncio.run(run())


def test_an_address_makes_no_guests_without_end():
    async def run():
        async with serving(replace(QUICK, guests=Rate(2, 0.001))) as server, joined(server) as one, joined(server):
            async with connect(server.url, compression=None) as socket:
                assert (await Client(socket).answer("hello", protocol=1, token=None))["code"] == "too_many_guests"
            async with joined(server, one.token) as again:
                assert again.welcome["account"] == one.welcome["account"]
            await eventually(lambda: server.lobby.connections)

    asyncio.run(run())


def test_the_host_closes_a_table_while_the_server_runs():
    async def run():
        clock = HandClock()
        async with serving(replace(QUICK, sessions=5), clock=clock) as server, joined(server) as client:
            await client.sit("classic")
            async with opened(server.database) as database:
                await Log(database).close(client.table["table"], 1)
            clock.advance(5)
            await client.until(lambda: client.closed)
            assert client.closed == ["closed"]
            await eventually(lambda: not server.lobby.tables)
            assert (await client.sit("classic"))["type"] == "done"

    asyncio.run(run())
