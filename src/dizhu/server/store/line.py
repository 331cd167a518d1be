"""A line of those who want one of a few places, served in order however many they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Line:
    """Lets so many in at once. patience: so many seconds nobody comes out before it is given up."""

    def __init__(self, places: int, patience: float) -> None:
        self._places = asyncio.Semaphore(places)
        self._patience = patience
        self._served = 0

    @asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """Wait for a place and take it. Raises TimeoutError if those who have one seem to keep it for ever."""
        if self._places.locked():
            await self._wait()
        else:
            await self._places.acquire()
        try:
            yield
        finally:
            self._served += 1
            self._places.release()

    async def _wait(self) -> None:
        """A long line is no reason to give up: as long as it moves, everybody's turn comes."""
        turn = asyncio.ensure_future(self._places.acquire())
        served = None
        try:
            while not turn.done() and served != self._served:
                served = self._served
                await asyncio.wait({turn}, timeout=self._patience)
        except asyncio.CancelledError:
            if not turn.cancel():
                self._places.release()
            raise
        if not turn.done():
            turn.cancel()
            raise TimeoutError
