"""Whole hands through real sockets."""

from __future__ import annotations

import asyncio
import hashlib

import pytest

import dizhu
from server.harness import Client, joined, serving


async def play_hand(client: Client) -> None:
    """Play a hand to its end: the last of the legal answers, which is the strongest play."""
    await client.turn()
    while client.view["phase"] != "over":
        answer = await client.act(client.view["legal"][-1])
        assert answer["type"] == "done", answer
        await client.turn()
    await client.until(lambda: client.events[-1]["event"]["kind"] == "over")


@pytest.mark.parametrize("variant", dizhu.variants())
def test_hands_of_every_game(variant: str):
    async def run():
        async with serving() as server, joined(server) as client:
            assert (await client.sit(variant, "rule"))["type"] == "done"
            score = 0
            for hand in (1, 2):
                await client.until(lambda: client.view["phase"] != "redeal")
                assert not client.table["seed"]
                await play_hand(client)
                assert client.table["hand"] >= hand
                result = client.view["result"]
                score += result["points"][client.table["seat"]]
                assert client.table["seats"][client.table["seat"]]["score"] == score
                seed = bytes.fromhex(client.table["seed"])
                assert hashlib.sha256(seed).hexdigest() == client.table["commitment"]
                kept = client.table
                assert await client.fresh_table() == kept, "what was put together from changes is the whole table"
                assert (await client.answer("next"))["type"] == "done"
                await client.until(lambda number=kept["hand"]: client.table["hand"] > number)

    asyncio.run(run())


@pytest.mark.parametrize("variant", ["classic", "happy"])
def test_the_cards_are_those_of_the_seed(variant: str):
    async def run():
        async with serving() as server, joined(server) as client:
            await client.sit(variant)
            await play_hand(client)
            game = dizhu.variant(variant)
            first = client.view["first"] if game.first == "rotates" else None
            deal = dizhu.shuffled(game, bytes.fromhex(client.table["seed"]), first)
            assert deal.first == client.view["first"]
            shown = client.view["hands"]
            for seat, cards in enumerate(deal.hands):
                assert set(shown[seat]) <= {*cards, *deal.bottom}

    asyncio.run(run())


def test_the_first_bidder_moves_one_seat_each_hand():
    async def run():
        async with serving() as server, joined(server) as client:
            await client.sit("classic")
            first = client.view["first"]
            for _ in range(3):
                hand = client.table["hand"]
                await play_hand(client)
                await client.answer("next")
                await client.until(lambda hand=hand: client.table["hand"] > hand)
                first = (first + client.table["hand"] - hand) % 3
                assert client.view["first"] == first

    asyncio.run(run())
