"""One table's side of the log: numbers its entries, and knows when it cannot be sure what is in there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from dizhu.server.clock import Clock
from dizhu.server.store.log import Entry, Finish, Log, TableRow, Written
from dizhu.server.store.writer import StoreFailed

T = TypeVar("T")


class Journal:
    """Writes what happens at one table.

    doubtful: an entry was given to the database, and nobody knows whether it is there. `missed` finds out.
    """

    def __init__(self, log: Log, row: TableRow, clock: Clock) -> None:
        self.row = row
        self.doubtful = False
        self._log = log
        self._clock = clock
        self._seq = 0

    async def open(self, *entries: Entry) -> None:
        """Begin the log of the table."""
        await self._log.open(self.row, self._numbered(entries))
        self._seq += len(entries)

    async def write(self, *entries: Entry) -> None:
        """Make entries safe. Raises StoreFailed."""
        try:
            await self._log.append(self.row.id, self._numbered(entries))
        except StoreFailed:
            self.doubtful = True
            raise
        self._seq += len(entries)

    async def finish(self, entries: Sequence[Entry], finish: Finish[T]) -> T:
        """Make the last entries of a hand safe, and in the same moment what its end brings about."""
        try:
            result = await self._log.finish(self.row.id, self._numbered(entries), finish)
        except StoreFailed:
            self.doubtful = True
            raise
        self._seq += len(entries)
        return result

    async def missed(self) -> list[Written]:
        """After a failure: read the log; it is empty if no more is in it than was known. Raises StoreFailed."""
        entries = await self._log.load(self.row.id)
        return entries if entries and entries[-1].seq > self._seq else []

    def go_on_after(self, seq: int) -> None:
        """Write behind an entry that is there: the table was built from the log up to it."""
        self._seq = seq

    async def close(self) -> None:
        """No more entries will come."""
        await self._log.close(self.row.id, self._clock.wall())

    def _numbered(self, entries: Sequence[Entry]) -> list[Written]:
        at = self._clock.wall()
        return [Written(seq, at, entry) for seq, entry in enumerate(entries, start=self._seq + 1)]
