"""Waiting until something is so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Changes:
    """Wakes all who wait for a condition whenever something may have changed."""

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    def happened(self) -> None:
        """Let all who wait look again."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds; what it raises is raised."""
        while not condition():
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
