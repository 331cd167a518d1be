"""What the server says over HTTP: files, headers, cookies, origins."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from dizhu.protocol.asyncapi import document
from dizhu.server.settings import Rate
from server.harness import QUICK, Client, HandClock, eventually, serving


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Dou Dizhu</title>")
    (tmp_path / "assets" / "index-abc123.js").write_text("export {};\n" * 200)
    (tmp_path.parent / "secret.txt").write_text("secret")
    return tmp_path


def get(bundle: Path, *paths: str) -> list[httpx.Response]:
    async def run() -> list[httpx.Response]:
        async with serving(replace(QUICK, bundle=bundle)) as server, httpx.AsyncClient() as client:
            return [await client.get(f"http://{server.address}{path}") for path in paths]

    return asyncio.run(run())


def test_the_page_is_asked_for_anew_and_its_parts_are_kept(bundle: Path):
    page, script, missing = get(bundle, "/", "/assets/index-abc123.js", "/assets/gone.js")
    assert page.headers["cache-control"] == "no-cache"
    assert "Dou Dizhu" in page.text
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["content-encoding"] == "gzip"
    assert missing.status_code == 404
    assert "immutable" not in missing.headers.get("cache-control", "")


def test_every_answer_is_guarded(bundle: Path):
    for response in get(bundle, "/", "/healthz", "/nothing", "/assets/index-abc123.js"):
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["x-frame-options"] == "DENY"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cross-origin-opener-policy"] == "same-origin"
        assert response.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in response.headers


def test_nothing_outside_the_bundle_is_served(bundle: Path):
    for response in get(bundle, "/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
        assert response.status_code == 404


def test_health(bundle: Path):
    (response,) = get(bundle, "/healthz")
    assert (response.status_code, response.text) == (200, "ok\n")


def test_the_socket_is_described_to_programs(bundle: Path):
    (response,) = get(bundle, "/api/asyncapi.json")
    assert response.json() == json.loads(json.dumps(document()))


def test_health_is_that_of_the_database(tmp_path: Path):
    file, clock = tmp_path / "dizhu.sqlite3", HandClock()

    async def run():
        async with serving(QUICK, database=f"sqlite:///{file}", clock=clock) as server, httpx.AsyncClient() as client:

            async def health() -> tuple[int, str]:
                response = await client.get(f"http://{server.address}/healthz")
                return response.status_code, response.text

            assert await health() == (200, "ok\n")
            with sqlite3.connect(file) as other:
                other.execute("ALTER TABLE alembic_version RENAME TO gone")
            # Strangers who ask again and again do not make it write again and again.
            assert await health() == (200, "ok\n")
            clock.advance(1)
            assert await health() == (503, "the database takes no writes\n")
            with sqlite3.connect(file) as other:
                other.execute("ALTER TABLE gone RENAME TO alembic_version")
            clock.advance(1)
            assert await health() == (200, "ok\n")

    asyncio.run(run())


async def browse(url: str, address: str, cookie: str | None = None) -> tuple[Client, str | None]:
    """Connect as a browser does: with an origin, and perhaps with a cookie."""
    headers = {"Cookie": cookie} if cookie else {}
    connection = await connect(url, origin=Origin(f"http://{address}"), additional_headers=headers, compression=None)
    assert connection.response is not None
    client = Client(connection)
    await client.hello()
    return client, connection.response.headers.get("Set-Cookie")


def test_a_browser_is_known_by_a_cookie_that_scripts_cannot_read():
    async def run():
        async with serving() as server:
            first, cookie = await browse(server.url, server.address)
            assert cookie is not None
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
            assert first.welcome["token"] is None
            await first.sit("classic")
            again, anew = await browse(server.url, server.address, cookie.split(";")[0])
            assert anew is None
            assert again.welcome["name"] == first.welcome["name"]
            assert again.table["seat"] == 0
            forged, anew = await browse(server.url, server.address, "dizhu_session=forged")
            assert anew is not None
            assert not forged.welcome["seated"]
            for client in (first, again, forged):
                await client.socket.close()

    asyncio.run(run())


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1"])
def test_a_page_from_elsewhere_may_not_connect(origin: str):
    async def run():
        async with serving() as server:
            with pytest.raises(InvalidStatus) as refused:
                await connect(server.url, origin=Origin(origin), compression=None)
            assert refused.value.response.status_code == 403
            assert not server.lobby.connections

    asyncio.run(run())


def test_named_origins_are_the_only_ones():
    async def run():
        settings = replace(QUICK, origins=frozenset({"https://play.example"}))
        async with serving(settings) as server:
            async with connect(server.url, origin=Origin("https://play.example"), compression=None) as connection:
                assert (await Client(connection).hello())["type"] == "welcome"
            with pytest.raises(InvalidStatus):
                await connect(server.url, origin=Origin(f"http://{server.address}"), compression=None)

    asyncio.run(run())


def test_too_many_connections_from_one_address_are_refused():
    async def run():
        async with serving(replace(QUICK, address_connects=Rate(burst=3, per_second=0))) as server:
            for _ in range(3):
                async with connect(server.url, compression=None):
                    pass
            with pytest.raises(InvalidStatus):
                await connect(server.url, compression=None)

    asyncio.run(run())


def test_too_many_open_connections_of_one_address_are_refused():
    async def run():
        async with serving(replace(QUICK, address_connections=2)) as server:
            async with connect(server.url, compression=None), connect(server.url, compression=None):
                with pytest.raises(InvalidStatus):
                    await connect(server.url, compression=None)
            await eventually(lambda: not server.lobby.sockets)
            async with connect(server.url, compression=None) as connection:
                assert (await Client(connection).hello())["type"] == "welcome"

    asyncio.run(run())


def test_logs_name_no_token_and_no_card(caplog: pytest.LogCaptureFixture):
    caplog.set_level("DEBUG", logger="dizhu")
    tokens: list[Any] = []

    async def run():
        async with serving() as server:
            async with connect(server.url, compression=None) as connection:
                client = Client(connection)
                tokens.append((await client.hello())["token"])
                await client.sit("classic")
                await client.answer("act", seq=client.seq, action="play 3h 4h 5h")
                await connection.send("{")
                tokens.extend(client.view["hands"][0])

    asyncio.run(run())
    assert not [token for token in tokens if json.dumps(token) in caplog.text or token in caplog.text.split()]
