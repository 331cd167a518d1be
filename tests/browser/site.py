"""The real server in a thread of its own, with its client, and what a test may ask it."""

from __future__ import annotations

import asyncio
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TypeVar
from unittest.mock import patch

from websockets.exceptions import InvalidState

import dizhu
from dizhu import bots
from dizhu.bots import Bot
from dizhu.server import Settings, create_app
from dizhu.server.clock import Clock
from dizhu.server.economy import grants
from dizhu.server.hand import Dealer
from dizhu.server.listen import Server, listen
from dizhu.server.lobby import Lobby
from dizhu.server.players import default_action
from dizhu.server.store.database import Database
from dizhu.server.table import Table
from server.harness import QUICK, HandClock

T = TypeVar("T")

PATIENCE = 20.0
POLL = 0.005
STEP = 1.0
"""The pause of a bot, and so the time to move a `StepClock` by for the next one to act."""

HASTY = replace(QUICK, bundle=Settings().bundle, play=600, question=600, offer=600, closing=0.2)
"""Bots answer at once, people have all the time they want."""

BY_HAND = replace(HASTY, bot_pause=(STEP, STEP), redeal=STEP)
"""With a `StepClock`: a bot answers when the test says so."""


class StepClock(HandClock):
    """Time that a test moves. It is looked at less often than the server's own tests do, for a browser is slower."""

    async def receive(self, inbox: asyncio.Queue[T], until: float | None) -> T | None:
        while inbox.empty():
            if until is not None and self.now() >= until:
                return None
            await asyncio.sleep(POLL)
        return inbox.get_nowait()


class Scripted:
    """A bot that follows a script: for each seat its actions in order, each when it is allowed.

    Without a line that fits it declines, and plays like `player`; without one it passes, or leads its lowest card.
    """

    def __init__(self, lines: dict[int, list[str]], player: Bot | None = None) -> None:
        self._lines = {seat: list(line) for seat, line in lines.items()}
        self._player = player

    def act(self, view: dizhu.View) -> str:
        assert view.seat is not None
        line = self._lines.get(view.seat, [])
        if line and line[0] in view.legal:
            return line.pop(0)
        if self._player is not None and view.phase == "play":
            return self._player.act(view)
        return default_action(view)


def playing_bot() -> Bot:
    """Make the bot that the client asks for, such that it always plays the same."""
    names = bots.names()
    return bots.create("rule" if "rule" in names else names[-1], seed=1)


def shuffling(seed: int, first: int = 0) -> Dealer:
    """Make a dealer of real deals, the same each time. `first` begins the first hand, where no marked card tells."""

    def deal(variant: dizhu.Variant, _: bytes, asked: int | None, _entropy: Sequence[bytes]) -> dizhu.Deal:
        start = None if variant.marked else first if asked is None else asked
        return dizhu.shuffled(variant, seed.to_bytes(32, "big"), start)

    return deal


@dataclass
class Site:
    """A server that runs, with at most one table."""

    url: str
    clock: Clock
    _server: Server
    _loop: asyncio.AbstractEventLoop
    _lobby: Lobby
    _database: Database

    def ask(self, question: Callable[[], T]) -> T:
        """Call a function in the server's thread, between two of its own doings."""

        async def asked() -> T:
            return question()

        return self._run(asked())

    @property
    def table(self) -> Table:
        (actor,) = self._lobby.tables
        return actor.table

    @property
    def seq(self) -> int:
        return self.ask(lambda: self.table.teller.seq)

    @property
    def asked(self) -> set[int]:
        """The seats that have been told that they are asked."""
        return self.ask(lambda: set(self.table.turns.asked))

    @property
    def idle(self) -> bool:
        """Whether nothing happens but by the player on the first seat."""
        table = self.table
        return self.ask(
            lambda: (
                table.seat_view(0).phase == "over" or (set(table.turns.asked) == {0} and not table.places[0].automatic)
            )
        )

    def view(self, seat: int = 0) -> tuple[int, dizhu.View]:
        """What the server shows a seat, and the number of its newest event."""
        return self.ask(lambda: (self.table.teller.seq, self.table.seat_view(seat)))

    def step(self, steps: int = 1) -> None:
        """Let bots answer, one after the other; for a server with a `StepClock`."""
        for _ in range(steps):
            before = self.seq
            self.pass_time(STEP)
            # Who waits for the first seat alone waits for no bot, though one may have answered just before.
            until(lambda before=before: self.seq > before or self.idle)

    def pass_time(self, seconds: float) -> None:
        """Let time pass; for a server with a `StepClock`."""
        assert isinstance(self.clock, StepClock)
        self.clock.advance(seconds)

    def others(self) -> None:
        """Let bots answer until the first seat is asked or the hand is over."""
        while not (0 in self.view()[1].turn or self.view()[1].phase == "over"):
            self.step()

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return self.ask(lambda: len(self._lobby.tables))

    @property
    def searching(self) -> bool:
        """Whether anybody looks for a table."""
        return self.ask(lambda: any(map(self._lobby.seeking.waits, self._lobby.connections)))

    def give(self, beans: int) -> None:
        """Give the one player beans, or take some."""

        async def give() -> None:
            (account,) = self._lobby.connections
            at = self.clock.wall()
            await self._database.writer.run(lambda connection: grants.give(connection, account.id, beans, at, "test"))

        self._run(give())

    def end(self, code: str) -> None:
        """End all connections as the server does, with a reason."""
        self.ask(lambda: [connection.end(code) for connection in self._lobby.connections.values()])

    def cut(self) -> None:
        """Break all connections, as a network does."""

        def abort() -> None:
            for protocol in list(self._server.server_state.connections):
                protocol.transport.abort()

        self.ask(abort)

    def _run(self, doing: Awaitable[T]) -> T:
        async def done() -> T:
            return await doing

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(PATIENCE)


def until(condition: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(POLL)


@contextmanager
def running(dealer: Dealer, bot: Bot, settings: Settings = HASTY, clock: Clock | None = None) -> Iterator[Site]:
    """Serve on a free port; every seat without a person is played by `bot`."""
    started: list[Site] = []
    ready = threading.Event()

    async def serve() -> None:
        watch = clock or Clock()
        with tempfile.TemporaryDirectory(prefix="dizhu-") as folder, listen("127.0.0.1", 0) as listener:
            app = create_app(settings, database=f"sqlite:///{folder}/dizhu.sqlite3", clock=watch, dealer=dealer)
            server = Server(app, announce=False)
            task = asyncio.create_task(server.serve(sockets=[listener]))
            while not server.started:
                await asyncio.sleep(0.001)
            host, port = listener.getsockname()
            url = f"http://{host}:{port}/"
            started.append(Site(url, watch, server, asyncio.get_running_loop(), app.state.lobby, app.state.database))
            ready.set()
            await task

    def run() -> None:
        # uvicorn says goodbye to a browser that is itself just closing, and then stops with this.
        with suppress(InvalidState):
            asyncio.run(serve())

    with patch("dizhu.server.places.new_bot", lambda _: bot):
        thread = threading.Thread(target=run, name="server")
        thread.start()
        try:
            assert ready.wait(PATIENCE), "the server did not start"
            (site,) = started
            yield site
        finally:
            for site in started:
                site._server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive(), "the server did not stop"
