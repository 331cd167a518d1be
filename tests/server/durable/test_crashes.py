"""Servers that die in the middle of a commit: at every durable step of a hand, just before it and just after it."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dizhu.game.deal import Deal, shuffled
from dizhu.game.variant import Variant
from dizhu.protocol import ActCommand, DoneMessage, LeaveCommand
from dizhu.server.accounts import Account, DatabaseAccounts
from dizhu.server.rooms import Room, read_rooms
from dizhu.server.store.database import Database, opened
from server.durable.audit import audit
from server.durable.witness import Facts
from server.durable.world import Mortal, World, world

HANDS = int(os.environ.get("DIZHU_CRASHED_HANDS", "50")) // 2
"""For each of the two databases."""
LEAVES = 0.02
CARDS = 4

ROOMS = "".join(
    f"""
[{variant.replace("_", "-")}]
variant = "{variant}"
kind = "{kind}"
{'level = "beginner"' if kind == "beans" else ""}
bot = "random"
"""
    for variant, kind in [
        ("classic", "beans"),
        ("happy", "beans"),
        ("auction", "points"),
        ("two_player", "beans"),
        ("landlord_war", "points"),
        ("five_player", "beans"),
    ]
)


def short(variant: Variant, seed: bytes, first: int | None, entropy: Sequence[bytes]) -> Deal:
    """Deal few cards to each, for a hand of few steps; every tenth hand is a whole one."""
    deal = shuffled(variant, seed, first, entropy)
    if seed[0] % 10 == 0:
        return deal
    hands = [hand[:CARDS] for hand in deal.hands]
    if deal.marked is not None and deal.marked not in hands[deal.first]:
        hands[deal.first] = (deal.marked, *hands[deal.first][1:])
    return replace(deal, hands=tuple(hands))


class Hand:
    """A hand from the opening of its table until all have left, however many lives of the server that takes."""

    def __init__(self, database: Database, room: Room, people: Sequence[Account], facts: Facts, seed: int) -> None:
        self.database, self.room, self.people, self.facts = database, room, people, facts
        self.chance = random.Random(seed)
        self.crashes = 0
        self.over = False
        self.ids = iter(range(10**6))

    async def play(self, rooms: dict[str, Room]) -> None:
        """Let the server die at every commit: before it, and then it is done in the next life, or after it."""
        spared, ended = 0, False
        while not ended:
            after = self.chance.random() < 0.5
            self.database.writer = Mortal(self.database, spared, after=after)
            life = await world(self.database, rooms, self.people, self.facts, short)
            ended = await self._live(life)
            self.crashes += not ended
            spared = 0 if after else 1
            await life.throw_away()

    async def _live(self, life: World) -> bool:
        """Go on until everything is done, or until the server dies: then False."""
        if life.actor is None and self.over:
            return True
        if not await life.sit(self.room):
            return False
        while (actor := life.actor) is not None:
            view = actor.table.view(None)
            assert view is not None
            self.over = self.over or view.phase == "over"
            if self.over:
                alive = await self._leave(life, next(one for one in self.people if life.tables.at(one) is actor))
            else:
                alive = await self._answer(life)
            if not alive:
                return False
        return self.over

    async def _answer(self, life: World) -> bool:
        assert life.actor is not None
        table = life.actor.table
        seat = self.chance.choice([seat for seat in table.turns.asked if table.places[seat].account is not None])
        account = table.places[seat].account
        assert account is not None
        if self.chance.random() < LEAVES and len(list(table.players())) > 1:
            return await self._leave(life, account)
        legal = table.seat_view(seat).legal
        action = legal[-1] if self.chance.random() < 0.8 else self.chance.choice(legal)
        answer = await life.command(account, ActCommand(next(self.ids), table.teller.seq, action))
        if answer is None:
            return False
        assert isinstance(answer, DoneMessage), answer
        self.facts.done.append((table.id, seat, action, answer.seq))
        return True

    async def _leave(self, life: World, account: Account) -> bool:
        assert life.actor is not None
        table = life.actor.table.id
        answer = await life.command(account, LeaveCommand(next(self.ids)))
        if answer is not None:
            assert isinstance(answer, DoneMessage), answer
            self.facts.left.append((table, account.id, answer.seq))
        return answer is not None


@pytest.mark.slow
def test_hands_go_on_wherever_the_server_dies_and_are_settled_once(database_url: str, tmp_path: Path):
    file = tmp_path / "rooms.toml"
    file.write_text(ROOMS)
    rooms, facts = read_rooms(file), Facts()

    async def run() -> None:
        crashes = 0
        async with opened(database_url) as database:
            accounts = DatabaseAccounts(database)
            people = [(await accounts.guest())[0] for _ in range(5)]
            first = database.writer
            for number in range(HANDS):
                room = list(rooms.values())[number % len(rooms)]
                hand = Hand(database, room, people[: room.game.seats], facts, number)
                await hand.play(rooms)
                crashes += hand.crashes
            database.writer = first
        seen = await audit(database_url, rooms, facts, short)
        assert seen["hands"] == HANDS
        assert crashes > HANDS * 8

    asyncio.run(run())
