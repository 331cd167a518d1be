"""A client that keeps every frame, with the moment at which it came."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from starlette.applications import Starlette

from server.simulation.wire import Wire


class Lag:
    """Every message takes as long."""

    def delay(self) -> float:
        return 0.01


@dataclass
class Player:
    """A client, as code beside the server's in one loop. frames: all that came, and when."""

    app: Starlette
    address: str
    frames: list[tuple[float, str]] = field(default_factory=list)
    waiting: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)
    ids: count[int] = field(default_factory=lambda: count(1))
    token: str = ""
    account: int = 0
    wire: Wire | None = None

    async def connect(self) -> None:
        self.wire = Wire(self.app, self.address, Lag(), self.hear, lambda _: None)
        welcome = await self.tell("hello", protocol=1, token=None)
        self.token, self.account = welcome["token"], welcome["account"]

    def hear(self, text: str) -> None:
        self.frames.append((asyncio.get_running_loop().time(), text))
        if text.startswith(('{"type":"refused"', '{"type":"done"', '{"type":"welcome"')):
            message = json.loads(text)
            self.waiting.pop(message["id"]).set_result(message)

    async def tell(self, type_: str, **fields: Any) -> dict[str, Any]:
        """Send a command, and wait for its answer."""
        assert self.wire is not None
        id = next(self.ids)
        self.waiting[id] = asyncio.get_running_loop().create_future()
        self.wire.send(json.dumps({"type": type_, "id": id, **fields}))
        return await self.waiting[id]

    def heard(self, type_: str) -> list[tuple[float, dict[str, Any]]]:
        """List the messages of a type that have come."""
        messages = ((at, json.loads(text)) for at, text in self.frames)
        return [(at, message) for at, message in messages if message["type"] == type_]

    def events(self, *kinds: str) -> list[tuple[float, dict[str, Any]]]:
        """List the events of some kinds that have come."""
        return [(at, message) for at, message in self.heard("event") if message["event"]["kind"] in kinds]

    async def pause(self) -> None:
        """Let some time go by."""
        await asyncio.sleep(0.05)

    async def end(self) -> None:
        """Be gone, and wait until the server has seen it."""
        assert self.wire is not None
        self.wire.shut_down()
        await self.wire.task
