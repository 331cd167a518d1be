"""What must not be lost: everything that happens at a table is appended here before anyone is told of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand began. Seed and first seat give the cards; the seed is a secret until the hand has ended."""

    seq: int
    hand: int
    seed: bytes
    first: int


@dataclass(frozen=True, slots=True)
class Act:
    """A seat carried out an action; with the deals this is all a table is made of."""

    seq: int
    seat: int
    action: str


Entry = Deal | Act


class EventStore(Protocol):
    """An append-only log for each table."""

    async def append(self, table: str, entries: Sequence[Entry]) -> None:
        """Keep entries, whole and in order; on return they are safe."""
        ...

    async def close(self, table: str) -> None:
        """No more entries will come from this table."""
        ...


class MemoryStore:
    """Keeps the newest entries of open tables while the server runs."""

    def __init__(self, kept: int = 1_000) -> None:
        self._kept = kept
        self.entries: dict[str, deque[Entry]] = {}

    async def append(self, table: str, entries: Sequence[Entry]) -> None:
        """Keep entries, and forget the oldest beyond the limit."""
        self.entries.setdefault(table, deque(maxlen=self._kept)).extend(entries)

    async def close(self, table: str) -> None:
        """Forget a table."""
        self.entries.pop(table, None)
