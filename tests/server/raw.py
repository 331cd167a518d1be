"""A WebSocket client that sends any bytes whatever, many frames at a time, and counts what comes back."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
CONTINUED = 0

PATIENCE = 10.0
_ANSWERS = (b'{"type":"refused"', b'{"type":"done"', b'{"type":"welcome"', b'{"type":"advice"')
_MASKED = 0x80
_FINAL = 0x80
_KEY = b"\0\0\0\0"
"""A mask like any other, and one that leaves the payload as it is."""


def frame(payload: bytes, opcode: int = TEXT, *, final: bool = True, reserved: int = 0, masked: bool = True) -> bytes:
    """Write a frame of a client; `reserved`: the bits that must be 0."""
    size = len(payload)
    first = (_FINAL if final else 0) | reserved << 4 | opcode
    mask = _MASKED if masked else 0
    if size < 126:
        head = bytes((first, mask | size))
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, mask | 126, size)
    else:
        head = struct.pack("!BBQ", first, mask | 127, size)
    return head + (_KEY if masked else b"") + payload


def upgrade(address: str, *more: str, path: str = "/ws", version: int = 13, method: str = "GET") -> bytes:
    """Write the request that opens a WebSocket."""
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {address}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Sec-WebSocket-Version: {version}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


class Raw:
    """An open WebSocket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def receive(self) -> tuple[int, bytes]:
        """Take the next frame, its opcode and payload; pings are answered. Raises IncompleteReadError at the end."""
        opcode, payload = await self._frame()
        while opcode == PING:
            self.send(frame(payload, PONG))
            opcode, payload = await self._frame()
        return opcode, payload

    async def _frame(self) -> tuple[int, bytes]:
        first, size = await self.reader.readexactly(2)
        if size == 126:
            (size,) = struct.unpack("!H", await self.reader.readexactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
        return first & 15, await self.reader.readexactly(size)

    async def answers(self, count: int) -> list[bytes]:
        """Take so many answers to commands; what else is told is left out."""
        async with asyncio.timeout(PATIENCE):
            found: list[bytes] = []
            while len(found) < count:
                opcode, payload = await self.receive()
                assert opcode == TEXT, f"the server closes: {payload}"
                if payload.startswith(_ANSWERS):
                    found.append(payload)
            return found

    async def end(self) -> int | None:
        """Wait for the end; tells the code of the close frame if there was one."""
        code = None
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    opcode, payload = await self.receive()
                    if opcode == CLOSE:
                        code = struct.unpack("!H", payload[:2])[0]
        return code


@asynccontextmanager
async def knocking(address: str, request: bytes, local: str = "127.0.0.1") -> AsyncGenerator[Raw]:
    """Connect from an address and send a request; what is answered is not read."""
    host, port = address.split(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(local, 0))
    try:
        writer.write(request)
        yield Raw(reader, writer)
    finally:
        writer.transport.abort()


@asynccontextmanager
async def opened(address: str, local: str = "127.0.0.1") -> AsyncGenerator[Raw]:
    """Open a WebSocket."""
    async with knocking(address, upgrade(address), local) as raw:
        head = await raw.reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head, head
        yield raw


def fragments(payload: bytes, pieces: Sequence[int]) -> bytes:
    """Write a message in several frames, cut at some places."""
    cuts = [0, *sorted(pieces), len(payload)]
    parts = [payload[begin:end] for begin, end in pairwise(cuts)]
    return b"".join(
        frame(part, TEXT if number == 0 else CONTINUED, final=number == len(parts) - 1)
        for number, part in enumerate(parts)
    )
