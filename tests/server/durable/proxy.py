"""A wire to PostgreSQL that can be cut at the worst moment: when a commit is on its way, or its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Literal

from sqlalchemy.engine import make_url

Cut = Literal["before", "after"]
"""The next commit never arrives, or it is carried out and nobody hears of it."""

_START = 8
"""The bytes of a request for encryption, which comes before everything else."""
_COMMIT = b"COMMIT"


class Wire:
    """cut: at the next commit. stays_torn: that ends all connections, and none can be made. silent: nothing passes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: set[asyncio.StreamWriter] = set()
        self.cut: Cut | None = None
        self.stays_torn = False
        self.torn = False
        self.silent = False
        self.cuts = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        if self.torn:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        ends = {writer, far_writer}
        self._writers |= ends
        try:
            there = asyncio.create_task(self._carry(reader, far_writer, self._asked))
            back = asyncio.create_task(self._carry(far_reader, writer, self._answered))
            await asyncio.wait({there, back}, return_when=asyncio.FIRST_COMPLETED)
            for task in (there, back):
                task.cancel()
            await asyncio.gather(there, back, return_exceptions=True)
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passes: Callable[[bytes], bool]
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                while self.silent:
                    await asyncio.sleep(0.005)
                if not passes(data):
                    return
                writer.write(data)

    def _asked(self, data: bytes) -> bool:
        """A statement on its own is a message Q with the text of it."""
        if self.cut == "before" and data[:1] == b"Q" and _COMMIT in data:
            self._tear()
            return False
        return True

    def _answered(self, data: bytes) -> bool:
        """What was done is told by a message C with its name."""
        if self.cut == "after" and b"C\x00\x00\x00\x0b" + _COMMIT in data:
            self._tear()
            return False
        return True

    def _tear(self) -> None:
        self.cut = None
        self.cuts += 1
        self.torn = self.stays_torn
        if self.torn:
            self.drop()

    def drop(self) -> None:
        """Cut all that is open now."""
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def wired(url: str) -> AsyncGenerator[tuple[Wire, str]]:
    """Lay a wire to a database; tells its URL by way of it."""
    address = make_url(url)
    assert address.port is not None
    wire = Wire(address.port)
    server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield wire, address.set(port=port).render_as_string(hide_password=False)
    finally:
        server.close()
        wire.drop()
        await asyncio.sleep(0)
