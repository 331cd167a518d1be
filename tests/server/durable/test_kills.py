"""Servers that are killed at any moment while people play: nothing that anybody was told is lost, or done twice."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import pytest

from dizhu.server.rooms import read_rooms
from server.durable.audit import audit
from server.durable.nursery import Process, nursery
from server.durable.rooms import people, room_file
from server.durable.witness import Facts, Person

KILLS = int(os.environ.get("DIZHU_KILLS", "100")) // 2
"""For each of the two databases."""
EARLY = 0.15
MOST_EVENTS = 80
"""A life ends at a random moment: after up to so many events, but some end before the server serves."""


async def life(process: Process, everybody: list[Person], chance: random.Random) -> None:
    """Let people play at a server until it is killed, maybe before it serves."""
    if chance.random() < EARLY:
        await asyncio.sleep(chance.uniform(0, 0.2))
        process.end()
        return
    facts = everybody[0].facts
    enough = len(facts.events) + chance.randrange(MOST_EVENTS)
    address = process.serve()
    playing = [asyncio.create_task(person.play(f"ws://{address}/ws")) for person in everybody]
    while len(facts.events) < enough and not any(task.done() for task in playing):
        await asyncio.sleep(chance.uniform(0, 0.02))
    process.end()
    await asyncio.gather(*playing)


@pytest.mark.slow
def test_whatever_was_told_outlives_every_kill(database_url: str, tmp_path: Path):
    rooms = room_file(tmp_path)
    facts, chance = Facts(), random.Random(KILLS)
    everybody = people(facts, chance)

    async def run() -> None:
        with nursery(tmp_path) as servers:
            for _ in range(KILLS):
                await life(servers.start(database_url, rooms), everybody, chance)
            assert "Traceback" not in servers.log
        seen = await audit(database_url, read_rooms(rooms), facts)
        assert seen["events"] > KILLS * MOST_EVENTS / 4
        assert seen["actions"] > KILLS * MOST_EVENTS / 10
        assert seen["settlements"] > KILLS / 5

    asyncio.run(run())
