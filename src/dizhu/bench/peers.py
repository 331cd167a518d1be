"""What RLCard and OpenSpiel do for the same questions, as a user of these libraries would ask them from Python.

Differs from dizhu, and said beside the figures: OpenSpiel's `dou_dizhu` has no four-with-two, misses some chains and
lets a bomb beat the rocket; it bids, and deals card by card through chance nodes. RLCard starts at the landlord's lead,
as our simulator does.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dizhu.bench.measure import Work

_KEPT = 200


def installed(module: str) -> bool:
    """Tell whether a peer can be imported."""
    return find_spec(module) is not None


def open_spiel_games() -> Work:
    """Play whole random games of OpenSpiel, with a list of legal actions at each decision."""
    game = import_module("pyspiel").load_game("dou_dizhu")
    draws = random.Random(1)

    def play() -> int:
        _spiel_game(game, draws)
        return 1

    return play


def open_spiel_steps() -> Work:
    """Count decisions of the same games when each also asks for the observation tensor."""
    game = import_module("pyspiel").load_game("dou_dizhu")
    draws = random.Random(1)
    return lambda: _spiel_game(game, draws, lambda state: state.observation_tensor(state.current_player()))


def _spiel_game(game: Any, draws: random.Random, at_decision: Callable[[Any], object] | None = None) -> int:
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        actions = state.legal_actions()
        if not state.is_chance_node():
            decisions += 1
            if at_decision:
                at_decision(state)
        state.apply_action(actions[int(draws.random() * len(actions))])
    return decisions


def open_spiel_moves() -> Work:
    """List the legal actions of positions kept from random games, from the first play on."""
    game = import_module("pyspiel").load_game("dou_dizhu")
    draws = random.Random(2)
    kept: list[Any] = []

    def keep(state: Any) -> None:
        if draws.random() < 0.1:
            kept.append(state.clone())

    while len(kept) < _KEPT:
        _spiel_game(game, draws, keep)

    def ask() -> int:
        for state in kept:
            state.legal_actions()
        return len(kept)

    return ask


def rlcard_games() -> Work:
    """Play whole random games of RLCard's environment."""
    play = rlcard_steps()
    return lambda: int(play() > 0)


def rlcard_steps() -> Work:
    """Count the steps of the same games: each makes a state with features and legal actions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        environment: Any = import_module("rlcard").make("doudizhu", config={"seed": 1})
    draws = random.Random(1)

    def play() -> int:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            actions = list(state["legal_actions"])
            state, _ = environment.step(actions[int(draws.random() * len(actions))])
            steps += 1
        return steps

    return play


def rlcard_moves() -> Work:
    """List the playable cards of random hands of 17 cards from scratch, as RLCard does once a hand."""
    judger: Any = import_module("rlcard.games.doudizhu.judger").DoudizhuJudger
    draws = random.Random(2)
    deck = [rank for rank in "3456789TJQKA2" for _ in range(4)] + ["B", "R"]
    order = "3456789TJQKA2BR".index
    hands = ["".join(sorted(draws.sample(deck, 17), key=order)) for _ in range(20)]

    def ask() -> int:
        for hand in hands:
            judger.playable_cards_from_hand(hand)
        return len(hands)

    return ask


def rlcard_classify(texts: list[str]) -> Callable[[], Work]:
    """Look up the kind of a combination in RLCard's table."""

    def prepare() -> Work:
        table: Any = import_module("rlcard.games.doudizhu.utils").CARD_TYPE[0]

        def ask() -> int:
            for text in texts:
                table[text]
            return len(texts)

        return ask

    return prepare
