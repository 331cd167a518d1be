"""The games as OpenSpiel games: its own checks, its algorithms, and the same hands as in `dizhu.Game`."""

from __future__ import annotations

import copy
from collections import Counter
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import dizhu
from dizhu.envs.information import information_row, information_text
from dizhu.rules import cards as c
from envs.small import small

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `bench`)")
openspiel: Any = import_module("dizhu.envs.openspiel")

NAMES = dizhu.variants()


def dealt(game: Any, draws: np.random.Generator) -> Any:
    """A state in which all cards are dealt."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        assert abs(sum(chances) - 1) < 1e-9
        state.apply_action(int(draws.choice(outcomes, p=chances)))
    return state


@pytest.mark.slow
@pytest.mark.parametrize("bidding", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_openspiel_finds_no_fault(name: str, bidding: bool):
    game = pyspiel.load_game(f"{openspiel.NAME}(variant={name},bidding={bidding})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("bidding", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_hands_are_those_of_the_game(name: str, bidding: bool):
    game, draws = openspiel.openspiel_game(name, bidding=bidding), np.random.default_rng(1)
    for _ in range(3):
        state = dealt(game, draws)
        deal = state.hand.game.deal
        cards = [card for group in (*deal.hands, deal.bottom, deal.aside) for card in group]
        assert Counter(cards) == Counter(dizhu.variant(name).deck.cards)
        while not state.is_terminal():
            hand, player = state.hand, state.current_player()
            assert player == hand.game.turn[0]
            legal = state.legal_actions()
            assert legal == sorted(set(legal))
            texts = {game.numbers.ids.text(number) for number in legal}
            assert texts == set(hand.game.legal(player))
            assert state.returns() == [0.0] * game.num_players()
            state.apply_action(int(draws.choice(legal)))
        result = state.hand.game.result
        expected = result.points if result else (0,) * game.num_players()
        assert state.returns() == [float(points) for points in expected]
        assert sum(state.returns()) == 0
        assert max(map(abs, state.returns())) <= game.max_utility()


def test_a_clone_goes_its_own_way():
    state = dealt(openspiel.openspiel_game("classic"), np.random.default_rng(2))
    other = state.clone()
    before = str(state), state.history()
    other.apply_action(other.legal_actions()[-1])
    assert (str(state), state.history()) == before
    assert str(other) != str(state)
    assert copy.deepcopy(state.hand).moment == state.hand.moment


def test_states_are_read_back_from_text():
    game = openspiel.openspiel_game("happy")
    state = dealt(game, np.random.default_rng(3))
    for _ in range(12):
        state.apply_action(state.legal_actions()[0])
    again = game.deserialize_state(state.serialize())
    assert again.hand.game.record() == state.hand.game.record()


def test_observations_and_information_states_are_the_rows_of_the_package():
    game = openspiel.openspiel_game("classic", bidding=False)
    state = game.new_initial_state()
    assert not any(state.observation_tensor(0))
    assert not any(state.information_state_tensor(0))
    assert state.information_state_string(0) == "seat 0 before the deal"
    state = dealt(game, np.random.default_rng(4))
    for player in range(3):
        row = state.hand.observe(player)["observation"]
        np.testing.assert_array_equal(state.observation_tensor(player), row)
        row = information_row(state.hand, player)
        np.testing.assert_array_equal(state.information_state_tensor(player), row)
        assert state.information_state_string(player) == information_text(state.hand, player)


def test_information_states_tell_nothing_hidden():
    """The other two have exchanged their hands: the one to lead cannot tell."""
    game = openspiel.openspiel_game("classic", bidding=False)
    state = dealt(game, np.random.default_rng(5))
    history, me = state.history(), state.current_player()
    assert history[0] == me
    others = [1 + 17 * seat for seat in range(3) if seat != me]
    swapped = history.copy()
    for first, second in zip(range(others[0], others[0] + 17), range(others[1], others[1] + 17), strict=True):
        swapped[first], swapped[second] = history[second], history[first]
    world = game.new_initial_state()
    for action in swapped:
        world.apply_action(action)
    assert world.hand.game.deal != state.hand.game.deal
    assert world.information_state_string(me) == state.information_state_string(me)
    assert world.observation_tensor(me) == state.observation_tensor(me)


def test_search_of_openspiel_finds_the_play_that_wins():
    """Jokers first, then the 4: the 4 first would be beaten by a 5, and the hand lost."""
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    game = openspiel.openspiel_game("classic", bidding=False, reward="win")
    state = near_the_end(game, ["4BR", "5", "6"])
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.0, 60, evaluator, random_state=np.random.RandomState(1))
    best = bot.step(state)
    assert game.numbers.ids.decode(best) in {"B", "R", "BR"}


def near_the_end(game: Any, hands: list[str]) -> Any:
    """A state whose hand is put in place of the dealt one."""
    state = dealt(game, np.random.default_rng(6))
    state.hand = game.numbers.begin(np.random.default_rng(6), {"hands": hands})
    return state


def test_scales_of_rewards():
    for reward, utility in (("points", "ZERO_SUM"), ("win", "GENERAL_SUM"), ("log", "GENERAL_SUM")):
        game = openspiel.openspiel_game("classic", reward=reward)
        assert game.get_type().utility == getattr(pyspiel.GameType.Utility, utility)
    state = near_the_end(openspiel.openspiel_game("classic", bidding=False, reward="log"), ["BR", "4", "5"])
    state.apply_action(state.legal_actions()[-1])
    assert state.returns() == [4.0, -3.0, -3.0]


def test_cards_and_seats_are_named():
    game = openspiel.openspiel_game("five_player")
    state = game.new_initial_state()
    assert state.action_to_string(0).startswith("mark 3")
    state.apply_action(0)
    assert state.action_to_string(4) == "first seat 4"
    state.apply_action(4)
    assert state.action_to_string(52).startswith("deal ")
    state = dealt(game, np.random.default_rng(7))
    deal = state.hand.game.deal
    assert deal.marked in deal.hands[deal.first]
    assert c.size(state.hand.game.state.words[deal.first]) == 24


def test_cards_that_were_seen_early_are_remembered_in_copies_and_in_text():
    game = openspiel.openspiel_game("happy")
    state = dealt(game, np.random.default_rng(8))
    while state.hand.game.phase == "open":
        state.apply_action(game.numbers.ids.encode("no"))
    assert "early 2" in state.information_state_string(2)
    for other in (state.clone(), game.deserialize_state(state.serialize())):
        for player in range(3):
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)


def test_what_cannot_be_drawn_or_answered_changes_nothing():
    state = openspiel.openspiel_game("classic").new_initial_state()
    state.apply_action(0)
    state.apply_action(7)
    for outcome in (7, 54, 10**6):
        with pytest.raises(ValueError, match="chance cannot draw"):
            state.apply_action(outcome)
    assert state.history() == [0, 7]
    state = dealt(openspiel.openspiel_game("classic", bidding=False), np.random.default_rng(9))
    before = state.history(), str(state)
    with pytest.raises(dizhu.IllegalAction):
        state.apply_action(27_471)
    assert (state.history(), str(state)) == before


def test_a_game_of_ones_own_is_given_as_it_is():
    game = openspiel.openspiel_game(small("two_player", ranks="56", suits=2, deal=2))
    assert game.num_distinct_actions() == 4 + 1 + 9
    state = dealt(game, np.random.default_rng(1))
    with pytest.raises(dizhu.UnknownName, match="small_two_player"):
        state.serialize()


def test_observers_show_what_one_player_knows():
    game = openspiel.openspiel_game("classic")
    make: Any = import_module("open_spiel.python.observation").make_observation
    seen, known = make(game), make(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert set(seen.dict) ^ set(known.dict) == {"history", "plays", "passes", "held"}
    for wrong in ({"public_info": False}, {"private_info": pyspiel.PrivateInfoType.NONE}):
        with pytest.raises(ValueError, match="one player"):
            make(game, pyspiel.IIGObservationType(perfect_recall=True, **wrong))


def test_wrong_parameters_are_refused():
    with pytest.raises(dizhu.UnknownName):
        openspiel.openspiel_game("whist")
    with pytest.raises(ValueError, match="scales"):
        openspiel.openspiel_game(reward="beans")
    with pytest.raises(ValueError, match="no parameters"):
        openspiel.openspiel_game().make_py_observer(None, {"wide": True})
