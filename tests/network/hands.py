"""Hands for the tests of networks: random play of any game, as the seats in turn see it."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator

import dizhu
from dizhu import bots
from dizhu.game.view import View
from dizhu.network import Stored
from dizhu.network.facts import layout
from dizhu.network.stored import HEADS, MIDDLE, NARROW, WIDE, quantised

GAMES = dizhu.variants()


def views(name: str, hands: int, seed: int = 0) -> Iterator[View]:
    """Play random hands; yield what every seat sees that is asked for a move."""
    variant = dizhu.variant(name)
    for number in range(hands):
        draws = random.Random(f"{name} {seed} {number}")
        game = dizhu.Game(variant, dizhu.shuffled(variant, draws.randbytes(32)))
        player = bots.create("random", number)
        while game.turn:
            seat = game.turn[0]
            view = game.view(seat)
            if view.phase == "play":
                yield view
            game.act(seat, player.act(view))


def untrained(name: str, seed: int = 1) -> Stored:
    """Networks of a game with random weights, as large as trained ones."""
    variant = dizhu.variant(name)
    facts, roles = layout(variant).size, 3 if variant.marked else variant.seats
    draws = random.Random(seed)
    sizes = (
        (facts * WIDE, 0.2),
        (WIDE, 0.2),
        (WIDE * MIDDLE, 0.1),
        (MIDDLE, 0.1),
        (MIDDLE * NARROW, 0.15),
        (NARROW, 0.1),
    )
    heads = ((HEADS * NARROW, 0.2), (8, 0.0))
    weights = [draws.gauss(0, spread) for _ in range(roles) for count, spread in (*sizes, *heads) for _ in range(count)]
    return quantised(name, facts, roles, array("f", weights).tobytes())
