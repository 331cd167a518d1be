"""Peers that take their time, and heads without end: no connection is held open for them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
import uvloop

from server.harness import PATIENCE, QUICK, Running, serving

HASTY = replace(QUICK, request=0.3, hello=0.3)
DROP = 0.02
CLOSING = b"\x88"
"""The first byte of the frame that closes a WebSocket."""


@asynccontextmanager
async def peer(server: Running) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, port = server.address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def ends(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, drops: bytes) -> bytes:
    """Send a byte again and again until the server ends the connection; returns what it said."""
    said = asyncio.create_task(reader.read())
    async with asyncio.timeout(PATIENCE):
        for drop in drops * 100_000:
            if said.done():
                break
            with suppress(ConnectionError):
                writer.write(bytes([drop]))
                await writer.drain()
            await asyncio.sleep(DROP)
        with suppress(ConnectionError):
            return await said
    return b""


HEAD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    ("first", "drops"),
    [
        (b"", b"\r\n"),
        (b"GET /", b"a"),
        (HEAD, b"X"),
        (HEAD, b"X: y\r\n"),
        (HEAD + b"Content-Length: 1000000\r\n\r\n", b"x"),
        (b"POST /api/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (HEAD + b"\r\n", b"\r\n"),
        (HEAD + b"\r\n" + HEAD, b"X"),
        (b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n", b"X"),
    ],
    ids=["blank lines", "the first line", "a header", "headers", "a body", "chunks", "idle", "the next", "an upgrade"],
)
def test_who_sends_a_byte_at_a_time_is_dropped(first: bytes, drops: bytes):
    async def run():
        async with serving(HASTY) as server, peer(server) as (reader, writer):
            writer.write(first)
            await ends(reader, writer, drops)

    asyncio.run(run())


def test_who_says_nothing_is_dropped():
    async def run():
        async with serving(HASTY) as server:
            async with peer(server) as (reader, _), asyncio.timeout(PATIENCE):
                assert await reader.read() == b""
            async with peer(server) as (reader, writer), asyncio.timeout(PATIENCE):
                key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key)
                assert (await reader.readline()).startswith(b"HTTP/1.1 101")
                await reader.readuntil(CLOSING)

    asyncio.run(run())


def test_who_asks_much_at_once_and_reads_nothing_leaves_no_traceback(caplog: pytest.LogCaptureFixture):
    async def run():
        async with serving(HASTY) as server:
            server.sockets[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            async with peer(server) as (_, writer), asyncio.timeout(PATIENCE):
                writer.write(b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 100 + HEAD)
                # The last request is never whole. Whatever is written then, the server has ended the connection.
                with suppress(ConnectionError):
                    while True:
                        writer.write(b"X")
                        await writer.drain()
                        await asyncio.sleep(DROP)

    # As a server runs; the loop of tests does not mind what is written to a closed connection.
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("size", [20_000, 2_000_000])
@pytest.mark.parametrize("part", ["line", "header", "headers"])
def test_a_head_without_end_is_refused(part: str, size: int):
    async def run():
        async with serving() as server, peer(server) as (reader, writer):
            match part:
                case "line":
                    head = b"GET /" + b"a" * size
                case "header":
                    head = HEAD + b"X: " + b"a" * size
                case _:
                    head = HEAD + b"X: y\r\n" * (size // 6)
            writer.write(head)
            async with asyncio.timeout(PATIENCE):
                try:
                    await writer.drain()
                    said = await reader.read()
                except ConnectionError:
                    # It came before all of the head was sent, which makes of it a reset.
                    said = b"HTTP/1.1 400"
                assert said.startswith(b"HTTP/1.1 400")

    asyncio.run(run())


def test_a_head_of_usual_size_is_answered_and_the_connection_kept():
    async def run():
        async with serving() as server, peer(server) as (reader, writer):
            for _ in range(3):
                writer.write(HEAD + b"Cookie: " + b"a" * 8_000 + b"\r\n\r\n")
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                assert head.startswith(b"HTTP/1.1 200")
                assert await reader.readexactly(3) == b"ok\n"

    asyncio.run(run())
