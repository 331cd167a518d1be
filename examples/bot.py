"""A bot that plays on a server: python examples/bot.py http://127.0.0.1:8000 --room classic-points --hands 10."""

from __future__ import annotations

import argparse
import asyncio

from dizhu import View, bots, sdk


def choose(view: View) -> str:
    """Choose one of `view.legal`; the place for ideas of your own."""
    return bots.create("rule", seed=0).act(view)


async def play(address: str, room: str, hands: int, token: str | None = None) -> list[int]:
    """Play hands in a room; returns the points of each."""
    points: list[int] = []
    async with sdk.connect(address, token=token) as client:
        await client.quick(room)
        async for hand in client.hands(hands):
            async for turn in hand:
                await turn.act(choose(turn.view))
            points.append(hand.points or 0)
        await client.leave()
        print(f"{client.token}  # with --token you are the same player next time")
    return points


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Let a bot play on a server.")
    parser.add_argument("address", help="of the server, as http://127.0.0.1:8000")
    parser.add_argument("--room", default="classic-points")
    parser.add_argument("--hands", type=int, default=10)
    parser.add_argument("--token", help="of an account; without one the bot is a new guest")
    options = parser.parse_args()
    print(asyncio.run(play(options.address, options.room, options.hands, options.token)))
