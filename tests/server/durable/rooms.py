"""Rooms with short clocks, and people who play in them."""

from __future__ import annotations

import random
from pathlib import Path

from server.durable.witness import Facts, Person

_ROOMS = """
[beans]
variant = "classic"
kind = "beans"
level = "beginner"
coefficient = 3
fee = 1
need = 5
play = 2
question = 1
offer = 1
redeal = "first"
fill = 0.3
bot = "random"

[alone]
variant = "auction"
kind = "beans"
level = "beginner"
need = 1
play = 1
question = 1
fill = 0
bot = "random"

[points]
variant = "happy"
kind = "points"
play = 2
question = 1
offer = 1
fill = 0.3
bot = "random"
"""


def room_file(folder: Path) -> Path:
    """Write down the rooms."""
    file = folder / "rooms.toml"
    file.write_text(_ROOMS)
    return file


def people(facts: Facts, chance: random.Random) -> list[Person]:
    """Make two at a private table, three in a room for beans, three in one for points, and one alone with bots."""

    def person(number: int, room: str | None, leaves: int = 0, host: Person | None = None) -> Person:
        return Person(facts, room, f"127.0.1.{number}", random.Random(chance.random()), leaves, host)

    host = person(1, None)
    return [
        host,
        person(2, None, host=host),
        *(person(number, "beans", leaves=5) for number in (3, 4, 5)),
        *(person(number, "points", leaves=5) for number in (6, 7, 8)),
        person(9, "alone"),
    ]
