"""The players of `load.py`: tables of three connections each, in one process, as light as can be.

Reads orders from standard input and writes answers to standard output, one JSON object a line:

    {"seat": 100}                   connect and seat so many tables more
    {"rate": 500}                   from now on so many moves a second, by all tables together
    {"measure": 10}                 measure for so many seconds

A move is measured from the moment when its command is written to the moment when the last of the three seats has read
what came of it. Each table has a time for its next move and keeps to it, however late the one before came.
"""

from __future__ import annotations

import asyncio
import base64
import os
import random
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any, cast

import msgspec
import uvloop
from msgspec import UNSET, Struct, UnsetType

SEATS = 3
AT_ONCE = 40
SEATING_SECONDS = 180.0
HEADER = 2
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
MASKED = 0x80


class View(Struct):
    """What is needed of a view, or of its changes."""

    phase: str | UnsetType = UNSET
    turn: tuple[int, ...] | UnsetType = UNSET
    legal: tuple[str, ...] | UnsetType = UNSET


class Happened(Struct):
    """What is needed of an event."""

    kind: str


class Welcome(Struct, tag="welcome"):
    """The answer to `hello`."""


class Done(Struct, tag="done"):
    """The answer to all other commands."""


class Refused(Struct, tag="refused"):
    """The answer that should not be."""

    code: str


class Table(Struct, tag="table"):
    """The whole table."""

    seq: int
    code: str
    seat: int
    view: View | None


class Event(Struct, tag="event"):
    """An event."""

    seq: int
    event: Happened
    changes: View


class Purse(Struct, tag="purse"):
    """Of no interest here."""


class Closed(Struct, tag="closed"):
    """The end of a table or a connection."""

    code: str


decode = msgspec.json.Decoder[Any](Welcome | Done | Refused | Table | Event | Purse | Closed).decode


class Line(asyncio.Protocol):
    """A WebSocket with no more to it than is needed, and what its player knows."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.game: Game | None = None
        self.seat = 0
        self.seq = 0
        self.code = ""
        self.phase = ""
        self.legal: tuple[str, ...] = ()
        self.turn: tuple[int, ...] = ()
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.table: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._number = 0
        self._open = False
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the WebSocket."""
        # uvloop's transports are none of asyncio's by name.
        self._transport = transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            "GET /ws HTTP/1.1",
            "Host: load",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            "\r\n",
        )
        transport.write("\r\n".join(head).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Note it: no connection should be lost."""
        self.load.lost += 1

    def data_received(self, data: bytes) -> None:
        """Take in all messages that are whole."""
        self._buffer += data
        if not self._open:
            head, end, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._open = True
            self.say("hello", '"protocol":1,"token":null')
        for kind, payload in self._frames():
            if kind == TEXT:
                self._hear(decode(payload))
            elif kind == PING:
                self._write(PONG, payload)

    def say(self, kind: str, fields: str = "") -> None:
        """Send a command."""
        self._number += 1
        more = f",{fields}" if fields else ""
        self._write(TEXT, f'{{"type":"{kind}","id":{self._number}{more}}}'.encode())

    def _write(self, kind: int, payload: bytes) -> None:
        # The mask may be any number, and nothing is changed by zero.
        assert len(payload) < 126
        assert self._transport is not None
        if self._transport.is_closing():
            return
        self._transport.write(bytes((kind, MASKED | len(payload), 0, 0, 0, 0)) + payload)

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        buffer, at = self._buffer, 0
        while len(buffer) - at >= HEADER:
            begin, size = at + HEADER, buffer[at + 1]
            if size >= 126:
                begin += 2 if size == 126 else 8
                size = int.from_bytes(buffer[at + HEADER : begin])
            if len(buffer) < begin + size:
                break
            yield buffer[at], buffer[begin : begin + size]
            at = begin + size
        self._buffer = buffer[at:]

    def _hear(self, message: Any) -> None:  # noqa: ANN401 what a decoder gives
        match message:
            case Event(seq, event, changes):
                self.seq = seq
                self._know(changes)
                if event.kind != "seats" and self.game is not None:
                    self.game.heard(self, seq)
            case Table(seq, code, seat, view):
                self.seq, self.code, self.seat = seq, code, seat
                if view is not None:
                    self._know(view)
                if not self.table.done():
                    self.table.set_result(None)
            case Welcome():
                self.welcome.set_result(None)
            case Refused(code):
                self.load.refused[code] = self.load.refused.get(code, 0) + 1
            case Closed(code):
                self.load.refused[f"closed {code}"] = self.load.refused.get(f"closed {code}", 0) + 1
            case _:
                pass

    def _know(self, view: View) -> None:
        self.phase = self.phase if view.phase is UNSET else view.phase
        self.turn = self.turn if view.turn is UNSET else view.turn
        self.legal = self.legal if view.legal is UNSET else view.legal


class Game:
    """A table of three, who play hand after hand."""

    def __init__(self, load: Load, lines: list[Line]) -> None:
        self.load = load
        self.lines = lines
        self._missing = set(lines)
        self._after = max(line.seq for line in lines)
        self._written: float | None = None
        self._due = perf_counter()
        for line in lines:
            line.game = self

    def begin(self) -> None:
        """Ask for the next hand."""
        self._wait()
        self._written = None
        for line in self.lines:
            line.say("next")

    def heard(self, line: Line, seq: int) -> None:
        """A seat has read something new; when all have, the next move has its time."""
        if seq <= self._after:
            return
        self._missing.discard(line)
        if self._missing:
            return
        now = perf_counter()
        if self._written is not None:
            self.load.moved(now - self._written)
            self._written = None
        self._after = 1 << 60
        # By chance a little earlier or later, so that tables do not fall into step.
        self._due = max(self._due + self.load.pause * random.uniform(0.8, 1.2), now)
        asyncio.get_running_loop().call_later(self._due - now, self._move)

    def _move(self) -> None:
        if self.lines[0].phase == "over":
            self.begin()
            return
        line = next((line for line in self.lines if line.seat in line.turn and line.legal), None)
        if line is None:
            self.load.stuck += 1
            return
        # Bids are high, leads low; who can beat what lies there does so or not.
        action = line.legal[-1] if line.phase == "bid" else random.choice(line.legal[:2])
        self._wait()
        self._written = perf_counter()
        line.say("act", f'"seq":{line.seq},"action":"{action}"')

    def _wait(self) -> None:
        self._missing = set(self.lines)
        self._after = max(line.seq for line in self.lines)


class Load:
    """All tables of this process."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.games: list[Game] = []
        self.pause = 1.0
        self.lost = 0
        self.stuck = 0
        self.refused: dict[str, int] = {}
        self._begun = False
        self._moves: list[float] = []

    def moved(self, seconds: float) -> None:
        """A move has arrived everywhere."""
        self._moves.append(seconds)

    async def seat(self, count: int) -> dict[str, Any]:
        """Seat some tables more, a few at the same time."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one() -> None:
            async with gate:
                self.games.append(await self._table())

        async with asyncio.timeout(SEATING_SECONDS), asyncio.TaskGroup() as group:
            for _ in range(count):
                group.create_task(one())
        return {"tables": len(self.games)}

    async def _table(self) -> Game:
        loop = asyncio.get_running_loop()
        lines: list[Line] = []
        for _ in range(SEATS):
            _, line = await loop.create_connection(lambda: Line(self), self.host, self.port)
            lines.append(line)
            await line.welcome
            if line is lines[0]:
                line.say("open", '"variant":"classic"')
            else:
                line.say("join", f'"code":"{lines[0].code}"')
            await line.table
        return Game(self, lines)

    async def begin(self, rate: float) -> dict[str, Any]:
        """Set how many moves a second there are; the first time, the tables begin, spread over one pause."""
        self.pause = len(self.games) / rate
        if not self._begun:
            self._begun = True
            for game in self.games:
                await asyncio.sleep(min(self.pause, 4.0) / len(self.games))
                game.begin()
        return {"pause": self.pause}

    async def measure(self, seconds: float) -> dict[str, Any]:
        """Measure for a while."""
        self._moves = []
        begun, used = perf_counter(), os.times()
        await asyncio.sleep(seconds)
        spent = perf_counter() - begun
        now = os.times()
        return {
            "moves": [round(move * 1e6) for move in self._moves],
            "seconds": spent,
            "processor": (now.user + now.system - used.user - used.system) / spent,
            "lost": self.lost,
            "stuck": self.stuck,
            "refused": self.refused,
        }


async def main() -> None:
    """Do as one is told."""
    load = Load(sys.argv[1], int(sys.argv[2]))
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        ((order, value),) = msgspec.json.decode(line).items()
        answer = await {"seat": load.seat, "rate": load.begin, "measure": load.measure}[order](value)
        sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
        sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(main())
