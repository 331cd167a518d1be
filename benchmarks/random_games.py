"""How many random games a second, when a Python loop asks for the legal moves at each decision and picks one?

Each contestant plays whole hands with players that choose evenly among what is legal. They play in turn, round after
round, so that whatever else the machine does meets all alike; the median round counts.

Differs: RLCard has no bidding and starts with the landlord's lead; OpenSpiel deals card by card from Python. Both are
what a user of these libraries gets.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

import dizhu

ROUNDS = 5
SECONDS = 1.0

Player = Callable[[random.Random], int]
"""Plays one whole hand and returns the number of decisions."""


def dizhu_player(name: str) -> Player:
    """Return a player of whole hands of one of our variants."""
    variant = dizhu.variant(name)

    def play(generator: random.Random) -> int:
        game = dizhu.Game(variant, dizhu.shuffled(variant, generator.randbytes(32)))
        decisions = 0
        while game.turn:
            seat = game.turn[0]
            game.act(seat, generator.choice(game.legal(seat)))
            decisions += 1
        return decisions

    return play


def open_spiel_player() -> Player:
    """Return a player of OpenSpiel's `dou_dizhu`."""
    import pyspiel

    spiel = pyspiel.load_game("dou_dizhu")

    def play(generator: random.Random) -> int:
        state = spiel.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(generator.choice(state.legal_actions()))
        return decisions

    return play


def rlcard_player() -> Player:
    """Return a player of RLCard's `doudizhu`."""
    import rlcard

    environment = rlcard.make("doudizhu", config={"seed": 1})

    def play(generator: random.Random) -> int:
        state, _ = environment.reset()
        decisions = 0
        while not environment.is_over():
            state, _ = environment.step(generator.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def contestants() -> dict[str, Player]:
    """Return all who take part, by name: our six games and those of the two libraries."""
    ours = {f"dizhu {name}": dizhu_player(name) for name in dizhu.variants()}
    return {**ours, "OpenSpiel": open_spiel_player(), "RLCard": rlcard_player()}


def measure(players: dict[str, Player], *, rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, float]:
    """Return the games a second of each player: the median of interleaved rounds."""
    rates: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds):
        for name, play in players.items():
            generator = random.Random(number)
            games, begin = 0, time.perf_counter()
            while (passed := time.perf_counter() - begin) < seconds:
                play(generator)
                games += 1
            rates[name].append(games / passed)
    return {name: median(rounds_of_one) for name, rounds_of_one in rates.items()}


def report() -> None:
    """Measure and print a table with the ratios to both libraries."""
    rates = measure(contestants())
    print(f"{'random games':24}{'games/s':>10}{'x OpenSpiel':>14}{'x RLCard':>12}")
    for name, rate in rates.items():
        print(f"{name:24}{rate:10.0f}{rate / rates['OpenSpiel']:14.2f}{rate / rates['RLCard']:12.1f}")
