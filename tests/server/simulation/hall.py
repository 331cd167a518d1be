"""A server in virtual time that is spoken to step by step, by code that does not run in its loop."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from unittest.mock import patch

from dizhu.server import Settings, create_app
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.lobby import Lobby
from dizhu.server.rooms import read_rooms
from server.accounts.harness import cheap
from server.databases import MEMORY
from server.simulation import audit
from server.simulation.loop import VirtualClock, VirtualLoop, determined
from server.simulation.player import Lag
from server.simulation.visit import Visit
from server.simulation.wire import Wire, ask

T = TypeVar("T")


class Inline(Executor):
    """Does at once what threads would do."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def passwords() -> Passwords:
    made = cheap()
    made._threads = Inline()  # pyright: ignore[reportAttributeAccessIssue]
    return made


class Hall:
    """A server, from its making to `close`."""

    def __init__(self, settings: Settings, rooms: str) -> None:
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)))
        self._stack.enter_context(determined(0, 0.001))
        self._stack.enter_context(patch("dizhu.server.accounts.database.Passwords", passwords))
        (folder / "rooms.toml").write_text(rooms, encoding="utf-8")
        self._app = create_app(
            settings,
            database=f"sqlite:///{folder / 'dizhu.sqlite3'}",
            rooms=read_rooms(folder / "rooms.toml"),
            clock=VirtualClock(),
        )
        self._loop = VirtualLoop()
        self._wires: list[Wire] = []
        self._lifespan = self._app.router.lifespan_context(self._app)
        self._run(self._lifespan.__aenter__())

    @property
    def lobby(self) -> Lobby:
        return self._app.state.lobby

    @property
    def now(self) -> float:
        return self._loop.time()

    def do(self, what: Callable[[], T]) -> T:
        """Do something while the loop runs."""

        async def work() -> T:
            return what()

        return self._run(work())

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._run(asyncio.sleep(seconds))

    def visit(self, address: str) -> Visit:
        """Open a connection."""

        def opened() -> Visit:
            visit = Visit(Counter())
            visit.wire = Wire(self._app, address, Lag(), lambda text: visit.hear(text, self.now), lambda _: None)
            self._wires.append(visit.wire)
            return visit

        return self.do(opened)

    def http(self, method: str, path: str, body: object = None, *, token: str | None = None) -> tuple[int, Any]:
        """Make a request; tells the status and the answer."""
        status, text = self._run(ask(self._app, method, path, body, token=token))
        return status, json.loads(text)

    def close(self) -> None:
        """Stop, and see that everything that was booked is in order."""
        try:
            self._run(self._end())
        finally:
            self._loop.close()
            self._stack.close()

    async def _end(self) -> None:
        await audit.check_ledger(self._app.state.database)
        await self.lobby.close()
        for wire in self._wires:
            wire.shut_down()
        await asyncio.gather(*(wire.task for wire in self._wires))
        await self._lifespan.__aexit__(None, None, None)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_to_the_end(work)
