"""Hands as a player meets them: the turns of one after another, and how it ended."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dizhu.game.view import Result, View
from dizhu.protocol import Settled
from dizhu.sdk.errors import Lost, Refused

if TYPE_CHECKING:
    from dizhu.sdk.client import Client

_LATE = ("stale", "not_your_turn", "hand_over")


@dataclass(slots=True)
class Turn:
    """A question to the own seat. seconds: how long there is for the answer. seq: the event that was the newest."""

    view: View
    seconds: float
    seq: int
    _client: Client

    async def act(self, action: str) -> bool:
        """Answer, by one of `view.legal`. False: the question is not open any more, because the time is over.

        An answer of which nobody knows whether it arrived is given again; it counts once only.
        Raises Refused with the code of the rules if the action is illegal, and then one may act again.
        """
        while True:
            try:
                await self._client.act(action, self.seq)
            except Lost:
                continue
            except Refused as error:
                if error.code not in _LATE:
                    raise
                return False
            return True


class Hand:
    """A hand, from where one comes to it until its end; a deal that nobody wanted is followed by another.

        async for turn in hand:
            await turn.act(turn.view.legal[0])
        print(hand.points)

    result, settled, seed, points: None before the end. settled: the name of the replay, and what was won.
    points: those of the own seat.
    """

    def __init__(self, client: Client) -> None:
        self.result: Result | None = None
        self.settled: Settled | None = None
        self.seed: str | None = None
        self.points: int | None = None
        self._client = client

    async def __aiter__(self) -> AsyncGenerator[Turn]:
        """Give the turns of the own seat. A turn that is not answered is given again when something has happened."""
        client = self._client
        before = -1
        while True:
            await client.until(lambda before=before: self._over() or (client.asked and client.seated().seq != before))
            if self._over():
                return
            if client.seat is not None and client.seat.auto:
                await self._take_back()
                continue
            table = client.seated()
            assert table.view is not None
            yield Turn(table.view, client.seconds_left, table.seq, client)
            before = table.seq

    async def finish(self) -> None:
        """Wait for the end of the hand without playing any more."""
        await self._client.until(self._over)

    def _over(self) -> bool:
        if self.result is None:
            table = self._client.seated()
            if table.view is not None and table.view.result is not None and table.seat is not None:
                self.result, self.settled, self.seed = table.view.result, table.settled, table.seed
                self.points = self.result.points[table.seat]
        return self.result is not None

    async def _take_back(self) -> None:
        try:
            await self._client.auto(on=False)
        except Lost:
            return
