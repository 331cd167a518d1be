"""OpenSpiel's own algorithms on the games: search over information sets, regret minimisation, agents."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from math import perm
from typing import Any

import numpy as np
import pytest

import dizhu
from envs.small import small

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `bench`)")
openspiel: Any = import_module("dizhu.envs.openspiel")

NAMES = dizhu.variants()
PAIRS = small("two_player", ranks="56", suits=2, deal=2)


def algorithm(name: str) -> Any:
    return import_module(f"open_spiel.python.algorithms.{name}")


def dealt(game: Any, draws: np.random.RandomState) -> Any:
    """A state in which all cards are dealt."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(draws.choice(outcomes, p=chances)))
    return state


def play(game: Any, bots: list[Any], draws: np.random.RandomState) -> list[float]:
    """Let bots play a hand; returns what it was worth to each."""
    state = dealt(game, draws)
    while not state.is_terminal():
        state.apply_action(int(bots[state.current_player()].step(state)))
    return state.returns()


@pytest.mark.parametrize("bidding", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_what_a_seat_does_not_know_is_dealt_anew_and_nothing_else(name: str, bidding: bool):
    game, draws = openspiel.openspiel_game(name, bidding=bidding), np.random.RandomState(1)
    state = dealt(game, draws)
    others = 0
    while not state.is_terminal():
        player = state.current_player()
        world = state.resample_from_infostate(player, draws.uniform)
        assert world.current_player() == player
        assert world.legal_actions() == state.legal_actions()
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.information_state_tensor(player) == state.information_state_tensor(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        others += world.hand.game.deal.hands != state.hand.game.deal.hands
        again = game.new_initial_state()
        for action in world.history():
            again.apply_action(action)
        assert again.hand.game.state.words == world.hand.game.state.words
        assert again.hand.game.deal.first == state.hand.game.deal.first
        state.apply_action(int(draws.choice(state.legal_actions())))
    assert others


def test_every_deal_that_a_seat_holds_possible_is_as_likely_as_another():
    """Six cards of one suit, two each, one in the bottom and one aside: the first seat cannot tell 12 deals apart."""
    game = openspiel.openspiel_game(small("two_player", ranks="56789T", deal=2, bottom=1))
    draws = np.random.RandomState(2)
    state = dealt(game, draws)
    worlds = (state.resample_from_infostate(state.current_player(), draws.uniform) for _ in range(2400))
    counts = Counter((*world.hand.game.state.words, world.hand.game.deal.bottom) for world in worlds)
    assert len(counts) == perm(4, 3) // 2
    assert all(abs(count - 200) < 60 for count in counts.values()), counts


def test_nothing_is_dealt_anew_before_the_first_question_and_after_the_end():
    game = openspiel.openspiel_game(PAIRS, bidding=False)
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="resample"):
        state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    state = dealt(game, np.random.RandomState(1))
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(ValueError, match="resample"):
        state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))


@pytest.mark.parametrize(
    "options",
    [{}, {"max_world_samples": 5, "use_observation_string": True, "allow_inconsistent_action_sets": True}],
    ids=["information states", "observations"],
)
@pytest.mark.parametrize("name", ["happy", "five_player"])
def test_search_over_information_sets_plays_whole_hands(name: str, options: dict[str, Any]):
    game, draws = openspiel.openspiel_game(name), np.random.RandomState(3)
    evaluator = algorithm("mcts").RandomRolloutEvaluator(1, draws)
    bot = algorithm("ismcts").ISMCTSBot(game, evaluator, 2.0, 3, random_state=draws, **options)
    assert sum(play(game, [bot] * game.num_players(), draws)) == 0


def test_search_over_information_sets_is_better_than_chance():
    """As landlord of the same 60 hands, against farmers that play at random."""
    cards = small("classic", ranks="3456", suits=2, deal=2, bottom=1)
    game, draws = openspiel.openspiel_game(cards, bidding=False, reward="win"), np.random.RandomState(4)
    searching = algorithm("ismcts").ISMCTSBot(
        game, algorithm("mcts").RandomRolloutEvaluator(3, draws), 2.0, 30, random_state=draws
    )
    searching.set_resampler(lambda state, player: state.resample_from_infostate(player, draws.uniform))
    at_random = [
        import_module("open_spiel.python.bots.uniform_random").UniformRandomBot(seat, draws) for seat in range(3)
    ]

    def points(landlord: Any) -> float:
        total = 0.0
        for number in range(60):
            state = dealt(game, np.random.RandomState(number))
            leader = state.current_player()
            bots = [landlord if landlord and seat == leader else at_random[seat] for seat in range(3)]
            while not state.is_terminal():
                state.apply_action(int(bots[state.current_player()].step(state)))
            total += state.returns()[leader]
        return total

    assert points(searching) >= points(None) + 10


@pytest.fixture(scope="module", params=[True, False], ids=["bidding", "the play only"])
def solvable(request: pytest.FixtureRequest) -> tuple[Any, float]:
    """A game of four cards, and how far play at random is from an equilibrium."""
    game = openspiel.openspiel_game(PAIRS, bidding=request.param)
    uniform = import_module("open_spiel.python.policy").TabularPolicy(game)
    return game, algorithm("exploitability").nash_conv(game, uniform)


@pytest.mark.slow
def test_regret_minimisation_finds_an_equilibrium(solvable: tuple[Any, float]):
    game, at_first = solvable
    solver = algorithm("cfr").CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert algorithm("exploitability").nash_conv(game, solver.average_policy()) < at_first / 10


@pytest.mark.parametrize(("samples", "iterations"), [("OutcomeSampling", 1500), ("ExternalSampling", 200)])
def test_regret_minimisation_on_samples_comes_near_an_equilibrium(
    solvable: tuple[Any, float], samples: str, iterations: int
):
    game, at_first = solvable
    np.random.seed(5)  # the solvers draw from the global generator
    module = algorithm(f"{samples.removesuffix('Sampling').lower()}_sampling_mccfr")
    solver = getattr(module, f"{samples}Solver")(game)
    for _ in range(iterations):
        solver.iteration()
    assert algorithm("exploitability").nash_conv(game, solver.average_policy()) < at_first / 2


@pytest.mark.parametrize("name", NAMES)
def test_agents_learn_in_openspiels_environment(name: str):
    game = openspiel.openspiel_game(name)
    env = import_module("open_spiel.python.rl_environment").Environment(game)
    assert env.observation_spec()["info_state"] == tuple(game.information_state_tensor_shape())
    random_agent = algorithm("random_agent").RandomAgent
    agents = [random_agent(seat, game.num_distinct_actions()) for seat in range(game.num_players())]
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == game.information_state_tensor_size()
        step = env.step([agents[seat].step(step).action])
    assert sum(step.rewards) == 0
