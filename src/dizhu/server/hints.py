"""What the best bot would answer, for a player who asks. It is worked out in a thread while the table goes on."""

from __future__ import annotations

import asyncio

from dizhu.bots.advice import advice
from dizhu.errors import IllegalAction
from dizhu.server.commands import asked_of
from dizhu.server.table import Table

Advice = asyncio.Task[tuple[str, ...]]


class Hints:
    """The advice to the seats of a table, worked out once for each question however often it is asked for."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._found: dict[int, tuple[int, Advice]] = {}

    def to(self, seat: int, seq: int) -> tuple[int, Advice]:
        """Advise a seat whose player has seen event `seq`: the event that put the question, and what will be said.

        Raises IllegalAction `not_your_turn` or `stale`.
        """
        asked = asked_of(self._table, seat, seq)
        if asked is None:
            raise IllegalAction("not_your_turn", "the seat is not asked anything")
        known = self._found.get(seat)
        if known is None or known[0] != asked.seq:
            view = self._table.seat_view(seat)
            known = self._found[seat] = asked.seq, asyncio.create_task(asyncio.to_thread(advice, view), name="hint")
        return known
