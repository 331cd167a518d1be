"""The server's time: the only place that waits for it."""

from __future__ import annotations

import asyncio
import time
from typing import TypeVar

T = TypeVar("T")


class Clock:
    """Real time, in seconds from some moment; tests have one that they move by hand."""

    def now(self) -> float:
        """Tell the present time."""
        return asyncio.get_running_loop().time()

    def wall(self) -> int:
        """Tell the time of day in milliseconds since 1970. It may jump: only for what is written down."""
        return time.time_ns() // 1_000_000

    async def receive(self, inbox: asyncio.Queue[T], until: float | None) -> T | None:
        """Take the next thing out of a queue, or None at the time `until`. What is there already comes first."""
        if until is None or not inbox.empty():
            return await inbox.get()
        try:
            async with asyncio.timeout_at(until):
                return await inbox.get()
        except TimeoutError:
            return None
