"""A world without threads, clocks and chance: an event loop whose time is virtual, SQLite in its one thread, and
secrets drawn from a seed. So a run is a function of its seed.
"""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

import aiosqlite.core

from dizhu.server.clock import Clock

T = TypeVar("T")

EPOCH = 1_750_000_000.0
"""The time of day at which every world begins, in seconds since 1970."""


class Stuck(Exception):
    """Nothing is ready and no timer runs: whoever is waited for will never come."""


class _NoSelector(selectors.SelectSelector):
    """Passes virtual time instead of waiting for sockets, of which there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise Stuck
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """Whatever waits for a time gets it at once, in order. What a callback raises ends the run."""

    def __init__(self) -> None:
        self._virtual = _NoSelector()
        super().__init__(self._virtual)
        self._fault: BaseException | None = None
        self.set_exception_handler(lambda _, context: self._fail(context))

    def time(self) -> float:
        return self._virtual.now

    def run_to_the_end(self, main: Coroutine[Any, Any, T]) -> T:
        """Run something as `run_until_complete` does. Raises also what nobody waited for."""
        task = self.create_task(main, name="main")
        task.add_done_callback(lambda _: self.stop())
        self.run_forever()
        if self._fault is not None:
            raise self._fault
        return task.result()

    def _fail(self, context: dict[str, Any]) -> None:
        if self._fault is None:
            self._fault = context.get("exception") or AssertionError(context["message"])
        self.stop()


class VirtualClock(Clock):
    """The server's clock in virtual time; it knows who waits for something to do."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Queue[Any]] = set()

    def waits(self, inbox: asyncio.Queue[Any]) -> bool:
        """Tell whether nothing is being done with what came out of a queue."""
        return inbox in self._waiting

    async def receive(self, inbox: asyncio.Queue[T], until: float | None) -> T | None:
        self._waiting.add(inbox)
        try:
            return await super().receive(inbox, until)
        finally:
            self._waiting.discard(inbox)

    def wall(self) -> int:
        return round((EPOCH + self.now()) * 1000)


class _NoThread:
    daemon = True

    def __init__(self, **_: Any) -> None: ...

    def start(self) -> None: ...


_SLOW = frozenset({"execute", "executemany", "commit", "rollback"})


def _inline(delay: Callable[[], float]) -> type:
    class Inline:
        """Does at once what a thread would do; answers of the database itself come after a virtual time."""

        def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
            future, function = item
            try:
                outcome, value = aiosqlite.core.set_result, function()
            except BaseException as error:  # noqa: BLE001 as aiosqlite does
                outcome, value = aiosqlite.core.set_exception, error
            if future is None:
                return
            if getattr(getattr(function, "func", None), "__name__", "") in _SLOW:
                future.get_loop().call_later(delay(), outcome, future, value)
            else:
                outcome(future, value)

    return Inline


@contextmanager
def determined(seed: int, slowest: float = 0.0) -> Iterator[Random]:
    """Take threads and chance out of everything; gives a generator for the test's own choices.

    slowest: how long the database may take for a step, in virtual seconds.
    """
    choices, database, secrets = (Random(f"{seed} {name}") for name in ("choices", "database", "secrets"))
    with (
        patch.object(aiosqlite.core, "SimpleQueue", _inline(lambda: database.random() * slowest)),
        patch.object(aiosqlite.core, "Thread", _NoThread),
        # All of `secrets` comes from here.
        patch.object(random, "_urandom", secrets.randbytes),
    ):
        yield choices


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run in virtual time, and see that nothing goes on after the end."""
    loop = VirtualLoop()
    try:
        result = loop.run_to_the_end(main)
        left = asyncio.all_tasks(loop)
        assert not left, f"these tasks go on: {left}"
        return result
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        with suppress(BaseException):
            loop.run_until_complete(asyncio.sleep(60))
        loop.close()
