"""A client of the server, for programs that play.

    from dizhu import sdk

    async with sdk.connect("http://127.0.0.1:8000") as client:
        await client.quick("classic-points")
        async for hand in client.hands(3):
            async for turn in hand:
                await turn.act(turn.view.legal[0])
            print(hand.points)

`turn.view` is a `dizhu.View`, as bots get it. docs/bots.md tells more.
"""

from __future__ import annotations

from dizhu.sdk.client import Client, connect
from dizhu.sdk.errors import Ended, Lost, Refused, Unreachable
from dizhu.sdk.hands import Hand, Turn
from dizhu.sdk.http import log_in, replay

__all__ = ["Client", "Ended", "Hand", "Lost", "Refused", "Turn", "Unreachable", "connect", "log_in", "replay"]
