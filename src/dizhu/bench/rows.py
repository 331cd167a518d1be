"""The questions that `dizhu bench` asks."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count, pairwise
from typing import Any

from dizhu import sim, variant
from dizhu.bench import peers
from dizhu.bench.measure import OURS, PEERS, Row, Work
from dizhu.bench.start import start_up
from dizhu.sim import plain

_GAME = "landlord_war"
_NATIVE_GAMES = 200
_HANDS = 256


def rows() -> list[Row]:
    """Build all rows, each with the peers that are installed."""
    spiel, rlcard = peers.installed("pyspiel"), peers.installed("rlcard")

    def row(name: str, title: str, unit: str, *prepare: Callable[[], Work] | None, lower: bool = False) -> Row:
        here = (True, spiel, rlcard)
        names = (OURS, *PEERS)
        entries = {who: make for who, make, there in zip(names, prepare, here, strict=True) if make and there}
        return Row(name, title, unit, entries, lower)

    loops = (peers.open_spiel_games, peers.rlcard_games)
    steps = (peers.open_spiel_steps, peers.rlcard_steps)
    texts = _combinations()
    return [
        row("games_list", "random games, list of moves", "games/s", _games(sim.rules(variant(_GAME))), *loops),
        row("games_index", "random games, by index", "games/s", _index_games, *loops),
        row("games_native", "random games, one call", "games/s", _native_games, *loops),
        row("games_pure", "random games, no compiler", "games/s", _games(plain.Rules(variant(_GAME))), *loops),
        row("moves_call", "generation", "calls/s", _moves, peers.open_spiel_moves, peers.rlcard_moves),
        row("classify_call", "classification", "calls/s", _classify(texts), None, peers.rlcard_classify(texts)),
        row("beats_call", "comparison", "calls/s", _beats(texts), None, None),
        row("env_steps", "PettingZoo steps", "steps/s", _env_steps, *steps),
        row("vector_steps", f"VectorEnv steps, {_HANDS} hands", "steps/s", _vector_steps, *steps),
        row("import_ms", "import", "ms", *(start_up(who, "ms") for who in (OURS, *PEERS)), lower=True),
        row("memory_mb", "memory after import", "MB", *(start_up(who, "MB") for who in (OURS, *PEERS)), lower=True),
    ]


def _games(rules: sim.Rules) -> Callable[[], Work]:
    def prepare() -> Work:
        draws, seeds = random.Random(1), count()

        def play() -> int:
            table = rules.deal(next(seeds))
            while not table.over:
                moves = table.moves()
                table.play(moves[int(draws.random() * len(moves))])
            return 1

        return play

    return prepare


def _index_games() -> Work:
    rules, draws, seeds = sim.rules(variant(_GAME)), random.Random(1), count()

    def play() -> int:
        table = rules.deal(next(seeds))
        while not table.over:
            table.play_index(int(draws.random() * table.count()))
        return 1

    return play


def _native_games() -> Work:
    rules, seeds = sim.rules(variant(_GAME)), count()

    def play() -> int:
        rules.play_random(_NATIVE_GAMES, next(seeds))
        return _NATIVE_GAMES

    return play


def _moves() -> Work:
    """Ask for the moves of positions of random games, the same share of leads and follows as there."""
    rules, draws = sim.rules(variant(_GAME)), random.Random(2)
    words = variant(_GAME).grammar.words
    kept: list[tuple[int, int]] = []
    for seed in range(40):
        table = rules.deal(seed)
        while not table.over:
            if draws.random() < 0.1:
                kept.append((table.hands[table.turn], table.key))
            table.play_index(int(draws.random() * table.count()))

    def ask() -> int:
        for hand, key in kept:
            words(hand, key)
        return len(kept)

    return ask


def _combinations() -> list[str]:
    game, draws = variant(_GAME), random.Random(3)
    return draws.sample([combo.text for combo in game.grammar.moves(game.deck.word)], 1000)


def _classify(texts: list[str]) -> Callable[[], Work]:
    def prepare() -> Work:
        classify = variant(_GAME).classify

        def ask() -> int:
            for text in texts:
                classify(text)
            return len(texts)

        return ask

    return prepare


def _beats(texts: list[str]) -> Callable[[], Work]:
    def prepare() -> Work:
        beats = variant(_GAME).beats

        def ask() -> int:
            for cards, against in pairwise(texts):
                beats(cards, against)
            return len(texts) - 1

        return ask

    return prepare


def _env_steps() -> Work:
    from dizhu.envs import env

    environment: Any = env(_GAME, bidding=False)
    seeds, draws = count(), random.Random(1)

    def play() -> int:
        environment.reset(seed=next(seeds))
        steps = 0
        for _ in environment.agent_iter():
            observation, _, over, cut, _ = environment.last()
            if over or cut:
                environment.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            environment.step(int(legal[int(draws.random() * len(legal))]))
            steps += 1
        return steps

    return play


def _vector_steps() -> Work:
    import numpy as np

    from dizhu.envs.vector import VectorEnv

    environment, draws = VectorEnv(_GAME, _HANDS, seed=1), np.random.default_rng(1)

    def step() -> int:
        starts = environment.arrays.starts
        environment.step((draws.random(_HANDS) * np.diff(starts)).astype(np.int32))
        return _HANDS

    return step
