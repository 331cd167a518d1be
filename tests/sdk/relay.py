"""A stretch of network between client and server that can be cut, and that can lose a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


@dataclass
class Relay:
    """Carries messages both ways.

    here: the address from which the server sees the client come. lost: says which messages of the server do not
    arrive. up: whether new connections pass.
    """

    server: str
    here: str = "127.0.0.1"
    lost: Callable[[str | bytes], bool] = lambda _: False
    up: bool = True
    address: str = ""
    sockets: set[ServerConnection] = field(default_factory=set[ServerConnection])

    async def carry(self, near: ServerConnection) -> None:
        if not self.up:
            await near.close()
            return
        async with connect(f"ws://{self.server}/ws", compression=None, local_addr=(self.here, 0)) as far:
            self.sockets.add(near)
            ways = [asyncio.create_task(self._there(near, far)), asyncio.create_task(self._back(near, far))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            self.sockets.discard(near)

    async def _there(self, near: ServerConnection, far: ClientConnection) -> None:
        try:
            async for message in near:
                await far.send(message)
        except ConnectionClosed:
            return

    async def _back(self, near: ServerConnection, far: ClientConnection) -> None:
        try:
            async for message in far:
                if not self.lost(message):
                    await near.send(message)
        except ConnectionClosed:
            return

    async def cut(self) -> None:
        """End all connections that there are, without a word."""
        for socket in list(self.sockets):
            socket.transport.abort()


@asynccontextmanager
async def relayed(server: str, here: str = "127.0.0.1") -> AsyncGenerator[Relay]:
    relay = Relay(server, here)
    async with serve(relay.carry, "127.0.0.1", 0, compression=None) as listening:
        host, port = listening.sockets[0].getsockname()[:2]
        relay.address = f"http://{host}:{port}"
        yield relay
