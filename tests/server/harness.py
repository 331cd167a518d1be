"""A server on a free port, and clients that speak JSON to it as any client would."""

from __future__ import annotations

import asyncio
import json
import socket
import tempfile
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection, connect

import dizhu
from dizhu.server import Settings, create_app
from dizhu.server.actor import Enter
from dizhu.server.clock import Clock
from dizhu.server.hand import Dealer
from dizhu.server.listen import Server, listen
from dizhu.server.lobby import Lobby
from dizhu.server.settings import Rate
from dizhu.server.table import Table
from dizhu.server.terms import free_terms

T = TypeVar("T")

NO_LIMIT = Rate(1e9, 1e9)
QUICK = Settings(
    bot_pause=(0.0, 0.0),
    stand_in="random",
    redeal=0.0,
    grace=0.0,
    grace_back=0.0,
    commands=NO_LIMIT,
    address_commands=NO_LIMIT,
    address_connects=NO_LIMIT,
    guests=NO_LIMIT,
    opened=NO_LIMIT,
    address_connections=10_000,
    bundle=None,
)
"""No pauses and no limits: for tests of what happens, not of when."""

PATIENCE = 10.0
NEWS = ("seats", "hand", "commitment", "seed", "next_commitment", "settled")


async def eventually(condition: Callable[[], object]) -> None:
    """Wait for something that happens by itself."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.001)


@dataclass
class Running:
    """A server that runs."""

    address: str
    lobby: Lobby
    database: str
    sockets: list[socket.socket]

    @property
    def url(self) -> str:
        return f"ws://{self.address}/ws"


@asynccontextmanager
async def serving(settings: Settings = QUICK, **parts: Any) -> AsyncGenerator[Running]:
    with tempfile.TemporaryDirectory(prefix="dizhu-") as folder, listen("127.0.0.1", 0) as listener:
        parts.setdefault("database", f"sqlite:///{folder}/dizhu.sqlite3")
        app = create_app(settings, **parts)
        server = Server(app, announce=False)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0.001)
        host, port = listener.getsockname()
        try:
            yield Running(f"{host}:{port}", app.state.lobby, parts["database"], [listener])
        finally:
            server.should_exit = True
            await task


@dataclass
class Client:
    """Keeps its view as the browser does: from a whole table, then from changes."""

    socket: ClientConnection
    frames: list[str] = field(default_factory=list)
    table: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    welcome: dict[str, Any] = field(default_factory=dict)
    ids: count[int] = field(default_factory=lambda: count(1))

    @property
    def view(self) -> dict[str, Any]:
        return self.table["view"]

    @property
    def seq(self) -> int:
        return self.table["seq"]

    @property
    def token(self) -> str:
        """The session; a client that came with a token knows it already."""
        return self.welcome["token"]

    def heard(self, type_: str) -> list[dict[str, Any]]:
        """List the messages of a type that have come."""
        return [message for frame in self.frames if (message := json.loads(frame))["type"] == type_]

    async def send(self, type_: str, **fields: Any) -> int:
        number = fields.pop("id", None) or next(self.ids)
        await self.socket.send(json.dumps({"type": type_, "id": number, **fields}))
        return number

    async def receive(self) -> dict[str, Any]:
        """Take in the next message."""
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(text, str)
        self.frames.append(text)
        message = json.loads(text)
        match message["type"]:
            case "table":
                self.table = message
            case "event":
                self._apply(message)
            case "closed":
                self.closed.append(message["code"])
            case _:
                pass
        return message

    async def answer(self, type_: str, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        number = await self.send(type_, **fields)
        while True:
            message = await self.receive()
            if message.get("id") == number:
                return message

    async def until(self, condition: Callable[[], object]) -> None:
        """Take in messages until something holds."""
        while not condition():
            await self.receive()

    async def hello(self, token: str | None = None) -> dict[str, Any]:
        self.welcome = await self.answer("hello", protocol=1, token=token)
        if token is not None and self.welcome["type"] == "welcome":
            self.welcome["token"] = token
        if self.welcome.get("seated"):
            await self.until(lambda: self.table or self.closed)
        return self.welcome

    async def sit(self, variant: str, bot: str = "random") -> dict[str, Any]:
        answer = await self.answer("sit", variant=variant, bot=bot)
        if answer["type"] == "done":
            await self.until(lambda: self.table)
        return answer

    async def act(self, action: str, **fields: Any) -> dict[str, Any]:
        """Answer the open question, and take in what comes of it."""
        answer = await self.answer("act", **{"seq": self.seq, "action": action, **fields})
        await self.until(lambda: self.seq >= answer.get("seq", 0))
        return answer

    async def fresh_table(self) -> dict[str, Any]:
        """Ask for the whole table."""
        await self.answer("sync", after=2**53 - 1)
        while (await self.receive())["type"] != "table":
            pass
        return self.table

    def asked(self) -> bool:
        return self.table["seat"] in self.view["turn"]

    async def settle(self) -> None:
        """Take in all that the table has sent by now: the answer to a command that is always refused comes after it."""
        assert (await self.answer("act", seq=self.seq, action="leave"))["code"] == "not_allowed"

    async def turn(self) -> None:
        """Wait until the seat is asked or the hand is over."""
        await self.until(lambda: self.asked() or self.view["phase"] == "over")

    def _apply(self, message: dict[str, Any]) -> None:
        assert message["seq"] == self.seq + 1, "events come in order, none is missing"
        self.events.append(message)
        self.table = moved_on(self.table, message)


def moved_on(table: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """Tell what a table becomes by an event, as a client works it out."""
    event = message["event"]
    view = {**(table["view"] or {}), **message["changes"]} or None
    if event["kind"] == "deal":
        assert view is not None
        view["history"] = []
    elif event["kind"] in ("play", "pass"):
        assert view is not None
        view["history"] = [*view["history"], {"seat": event["seat"], "cards": event["cards"]}]
    told = {name: message[name] for name in NEWS if message[name] is not None}
    if event["kind"] == "deal":
        told |= {"seed": None, "settled": None}
    return {**table, **told, "seq": message["seq"], "view": view, "clock": message["clock"]}


class HandClock(Clock):
    """Time that stands still until a test moves it."""

    def __init__(self) -> None:
        self._now = 1000.0

    def now(self) -> float:
        return self._now

    def wall(self) -> int:
        return round(self._now * 1000)

    def advance(self, seconds: float) -> None:
        self._now += seconds

    async def receive(self, inbox: asyncio.Queue[T], until: float | None) -> T | None:
        await asyncio.sleep(0)
        while inbox.empty():
            if until is not None and self._now >= until:
                return None
            await asyncio.sleep(0.001)
        return inbox.get_nowait()


def dealing(*hands: str, bottom: str = "", marked: str | None = None, first: int = 0) -> Dealer:
    """Make a dealer that deals the same position each time."""

    def deal(variant: dizhu.Variant, _seed: bytes, _first: int | None, _entropy: Sequence[bytes]) -> dizhu.Deal:
        return dizhu.position(variant, list(hands), bottom, first, marked)

    return deal


async def sit_together(server: Running, clients: list[Client], variant: str, bot: str = "random") -> Table:
    """Seat several people at one table, in order."""
    lobby = server.lobby
    people = [await lobby.accounts.find(client.token) for client in clients]
    accounts = [person for person in people if person is not None]
    actor = lobby.tables.open(free_terms(dizhu.variant(variant), lobby.house.settings), accounts, bot)
    for account, client in zip(accounts, clients, strict=True):
        actor.put(Enter(account, lobby.connections[account]))
        await client.until(lambda client=client: client.table)
    for client in clients:
        await client.settle()
        client.events.clear()
    return actor.table


@asynccontextmanager
async def joined(server: Running, token: str | None = None) -> AsyncGenerator[Client]:
    """Connect a client and greet the server."""
    async with connect(server.url, compression=None) as connection:
        client = Client(connection)
        await client.hello(token)
        yield client
