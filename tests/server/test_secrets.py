"""Every byte that is sent to a seat, looked through for what the seat may not know."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

import dizhu
from server.harness import QUICK, Client, HandClock, dealing, joined, serving, sit_together

CARD = re.compile(r'"((?:[3-9TJQKA2][shcd])|B|R)"')


async def play_together(clients: list[Client]) -> None:
    """Play a hand (deals that nobody wanted included) to its end, everybody answering for himself."""
    while clients[0].view["phase"] != "over":
        await asyncio.gather(*(client.settle() for client in clients))
        for client in clients:
            legal = client.view["legal"]
            if client.asked() and legal:
                # Open hands, calls, robs and doublings come first in the list, bids and the strong plays last.
                answer = legal[0] if {"open", "call", "rob", "double", "declare"} & set(legal) else legal[-1]
                await client.act(answer)
                break
    await asyncio.gather(*(client.settle() for client in clients))


def known(deal: dizhu.Deal, seat: int, view: dict[str, Any], played: set[str]) -> set[str]:
    """Say from the deal, by the rule book, which cards a seat may have seen."""
    if view["phase"] == "over":
        return {card for cards in (*deal.hands, deal.bottom, deal.aside) for card in cards}
    shown = {seat, *view["opened"]}
    if view["revealed"] and deal.marked and seat in view["landlords"]:
        shown |= set(view["landlords"])
    dealt = {"before": 0, "early": 12}.get(view["moment"], 99)
    cards = {card for other in shown for card in deal.hands[other][:dealt]} | played
    if deal.marked:
        cards.add(deal.marked)
    if view["landlords"] and (shown & set(view["landlords"]) or bottom_is_shown(view)):
        cards |= set(deal.bottom)
    return cards


def bottom_is_shown(view: dict[str, Any]) -> bool:
    return view["variant"] not in ("auction", "five_player")


def look_through(client: Client, seat: int, deals: dict[str, dizhu.Deal], seeds: dict[str, str]) -> None:
    """Go through the frames of a client as he got them: no card that he may not know, no seed before the end."""
    played: set[str] = set()
    view: dict[str, Any] = {}
    commitment = ""
    for frame in client.frames:
        message = json.loads(frame)
        if message["type"] == "table":
            view = message["view"]
            if view is None:
                continue
        elif message["type"] == "event":
            if message["event"]["kind"] == "deal":
                played.clear()
            view = {**view, **message["changes"]}
            played |= set(message["event"]["cards"]) if message["event"]["kind"] == "play" else set()
        else:
            assert not CARD.search(frame)
            continue
        commitment = message["commitment"] or commitment
        seen = set(CARD.findall(frame))
        assert seen <= known(deals[commitment], seat, view, played), (view["phase"], seen)
        if view["phase"] not in ("over", "redeal"):
            assert seeds[commitment] not in frame
        assert all(hand is None or other in allowed(view, seat) for other, hand in enumerate(view["hands"]))


def allowed(view: dict[str, Any], seat: int) -> set[int]:
    if view["phase"] == "over":
        return set(range(5))
    pair = set(view["landlords"]) if view["revealed"] and view["variant"] == "five_player" else set[int]()
    return {seat, *view["opened"], *(pair if seat in pair else ())}


@pytest.mark.parametrize("variant", dizhu.variants())
def test_nobody_is_sent_what_he_may_not_know(variant: str):
    deals: dict[str, dizhu.Deal] = {}
    seeds: dict[str, str] = {}

    def recording(game: dizhu.Variant, seed: bytes, first: int | None, entropy: Sequence[bytes]) -> dizhu.Deal:
        deal = dizhu.shuffled(game, seed, first, entropy)
        assert deal.commitment is not None
        deals[deal.commitment], seeds[deal.commitment] = deal, seed.hex()
        return deal

    async def run():
        game = dizhu.variant(variant)
        async with serving(QUICK, clock=HandClock(), dealer=recording) as server:
            connections = [joined(server) for _ in range(game.seats)]
            clients = [await connection.__aenter__() for connection in connections]
            await sit_together(server, clients, variant)
            for hand in (1, 2, 3):
                await play_together(clients)
                if hand < 3:
                    for client in clients:
                        await client.answer("next")
                    for client in clients:
                        number = client.table["hand"]
                        await client.until(
                            lambda client=client, number=number: client.view["phase"] != "over" or number < 0
                        )
            for connection in connections:
                await connection.__aexit__(None, None, None)
            for seat, client in enumerate(clients):
                assert len(client.frames) > 100
                look_through(client, seat, deals, seeds)

    asyncio.run(run())


def frames_of(client: Client) -> list[str]:
    """What a client was told of the table, without what is drawn by lot for each table."""
    told = (json.loads(frame) for frame in client.frames if '"type":"table"' in frame or '"type":"event"' in frame)
    lots = {"table": None, "seats": None, "next_commitment": None}
    return [json.dumps({**m, "commitment": bool(m["commitment"]), **lots}, sort_keys=True) for m in told]


@pytest.mark.parametrize("variant", ["classic", "landlord_war"])
def test_two_worlds_alike_to_a_seat_are_told_alike(variant: str):
    """Seat 1 could beat the table in one world and not in the other: nobody else can tell."""

    async def world(hand: str) -> tuple[list[str], list[str]]:
        clock = HandClock()
        dealer = dealing("334567T", hand, "5566JJ")
        async with serving(QUICK, clock=clock, dealer=dealer) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                clients = [one, two, three]
                await sit_together(server, clients, variant)
                while one.view["phase"] != "play":
                    for client in clients:
                        await client.settle()
                        if client.asked() and client.view["phase"] != "play":
                            bold = client is one and "double" not in client.view["legal"]
                            await client.act(next(a for a in reversed(client.view["legal"]) if bold == (a != "no")))
                await one.act("play 34567")
                clock.advance(4)
                await two.until(two.asked)
                assert ("play BR" in two.view["legal"]) == ("BR" in hand)
                await two.act("pass")
                await three.until(three.asked)
                await three.act("pass")
                await one.settle()
                await three.settle()
                return frames_of(one), frames_of(three)

    assert asyncio.run(world("BR89")) == asyncio.run(world("3489"))


def test_a_table_resumed_in_the_bidding_hides_the_bottom():
    async def run():
        dealer = dealing("34567T", "5566", "789J", bottom="89T")
        async with serving(QUICK, dealer=dealer) as server, joined(server) as one:
            await one.sit("classic")
            async with joined(server, one.token) as back:
                assert back.view["phase"] == "bid"
                assert set(CARD.findall("".join(back.frames))) == {"3s", "4s", "5s", "6s", "7s", "Ts"}

    asyncio.run(run())


def test_an_answer_to_all_is_held_back():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "happy")
                await one.act("open")
                await two.settle()
                assert [m["event"] for m in two.events] == [{"kind": "answered", "seat": 0, "value": None, "cards": []}]
                assert two.events[0]["changes"] == {"turn": [1, 2]}
                await two.act("no")
                await three.act("no")
                assert three.view["opened"] == [0]

    asyncio.run(run())
