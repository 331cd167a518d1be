"""Behind a proxy: who asks, and how, is believed from those alone whom the host trusts."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from server.harness import QUICK, Client, Running, serving

TRUSTING = replace(QUICK, proxies=frozenset({"127.0.0.0/8"}), address_connections=1)
SECURE = "strict-transport-security"


async def head(server: Running, **headers: str) -> httpx.Headers:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    async with httpx.AsyncClient() as client:
        return (await client.get(f"http://{server.address}/healthz", headers=sent)).headers


async def come(server: Running, address: str) -> ClientConnection:
    headers = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
    return await connect(server.url, additional_headers=headers, compression=None)


def test_a_trusted_proxy_says_who_asks_and_how():
    async def run():
        async with serving(TRUSTING) as server:
            assert SECURE in await head(server, X_Forwarded_Proto="https")
            assert SECURE not in await head(server, X_Forwarded_Proto="http")
            async with await come(server, "192.0.2.1"), await come(server, "192.0.2.2"):
                assert set(server.lobby.sockets) == {"192.0.2.1", "192.0.2.2"}
                with pytest.raises(InvalidStatus):
                    await come(server, "192.0.2.1")
                # What the client has written himself stands before what the proxy has added.
                with pytest.raises(InvalidStatus):
                    await come(server, "198.51.100.7, 192.0.2.2")

    asyncio.run(run())


def test_nobody_else_is_believed():
    async def run():
        for settings in (QUICK, replace(QUICK, proxies=frozenset({"192.0.2.0/24"}))):
            async with serving(settings) as server:
                assert SECURE not in await head(server, X_Forwarded_Proto="https")
                async with await come(server, "192.0.2.1"):
                    assert set(server.lobby.sockets) == {"127.0.0.1"}

    asyncio.run(run())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_cookie_that_came_by_https_goes_by_nothing_else(scheme: str):
    async def run():
        async with serving(TRUSTING) as server:
            headers = {"X-Forwarded-Proto": scheme}
            origin = Origin(f"{scheme}://{server.address}")
            async with connect(server.url, origin=origin, additional_headers=headers, compression=None) as connection:
                await Client(connection).hello()
                assert connection.response is not None
                cookie = connection.response.headers["Set-Cookie"].split("; ")
                assert ("Secure" in cookie) == (scheme == "https")

    asyncio.run(run())
