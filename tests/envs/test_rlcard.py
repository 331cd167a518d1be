"""RLCard's interface: its agents play here, and see what they see there."""

from __future__ import annotations

import copy
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import dizhu
from dizhu.envs.rlcard_env import RLCardEnv
from dizhu.rules import cards as c


@pytest.fixture(scope="module")
def rlcard() -> Any:
    return pytest.importorskip("rlcard", reason="RLCard is not installed")


def ours_like(theirs: Any, **options: Any) -> RLCardEnv:
    """Our environment with the cards that RLCard has dealt."""
    hands = theirs.get_perfect_information()["hand_cards"]
    bottom = theirs.game.round.seen_cards
    env = RLCardEnv(**options)
    landlord = c.format_cards(c.parse(hands[0]) - c.parse(bottom))
    env.reset({"hands": [landlord, *hands[1:]], "bottom": bottom})
    return env


def assert_alike(ours: Any, theirs: Any, exact: bool) -> None:
    """The same facts in both; `seen_cards` loses copies in RLCard, and legal actions come in another order there."""
    for name in ("landlord", "trace", "self", "current_hand", "others_hand", "num_cards_left", "played_cards"):
        assert ours["raw_obs"][name] == theirs["raw_obs"][name], name
    assert set(ours["raw_legal_actions"]) == set(theirs["raw_legal_actions"])
    assert ours["legal_actions"].keys() == theirs["legal_actions"].keys()
    for number, row in ours["legal_actions"].items():
        np.testing.assert_array_equal(row, theirs["legal_actions"][number])
    assert ours["obs"].shape == theirs["obs"].shape
    if exact:
        np.testing.assert_array_equal(ours["obs"], theirs["obs"])
    else:
        # All but the last turns of landlord and farmer, where RLCard writes the first ones.
        slips = slice(0, 0) if len(ours["obs"]) == 790 else slice(756, 864)
        assert np.array_equal(np.delete(ours["obs"], slips), np.delete(theirs["obs"], slips))


@pytest.mark.parametrize("exact", [True, False])
def test_states_are_those_of_rlcard(rlcard: Any, exact: bool):
    theirs, draws = rlcard.make("doudizhu", config={"seed": 3}), np.random.default_rng(3)
    for _ in range(6):
        their_state, player = theirs.reset()
        env = ours_like(theirs, exact=exact)
        state = env.get_state(player)
        while not theirs.is_over():
            assert env.get_player_id() == player
            assert_alike(state, their_state, exact)
            number = int(draws.choice(list(state["legal_actions"])))
            their_state, player = theirs.step(number)
            state, _ = env.step(number)
        assert env.is_over()
        np.testing.assert_array_equal(env.get_payoffs(), theirs.get_payoffs())
        full, their_full = env.get_perfect_information(), theirs.get_perfect_information()
        assert full["hand_cards"] == their_full["hand_cards"]
        if exact:
            for seat in range(3):
                np.testing.assert_array_equal(env.get_state(seat)["obs"], theirs.get_state(seat)["obs"])


@pytest.mark.usefixtures("rlcard")
def test_rlcards_own_agents_play_here():
    agents, models = import_module("rlcard.agents"), import_module("rlcard.models.doudizhu_rule_models")
    helpers = import_module("rlcard.utils")
    env = RLCardEnv(seed=4)
    env.set_agents([models.DouDizhuRuleAgentV1(), *(agents.RandomAgent(env.num_actions) for _ in range(2))])
    for is_training in (False, True):
        trajectories, payoffs = env.run(is_training=is_training)
        assert sorted(payoffs.tolist()) in ([0, 0, 1], [0, 1, 1])
        assert all(len(steps) % 2 for steps in trajectories)
        transitions = helpers.reorganize(trajectories, payoffs)
        assert transitions[0][-1][2] == payoffs[0]
    rewards = helpers.tournament(env, 5)
    assert all(0 <= reward <= 1 for reward in rewards)


class Lowest:
    use_raw = False

    def step(self, state: dict[str, Any]) -> int:
        return next(iter(state["legal_actions"]))

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.step(state), {}


def test_step_back_restores_everything_and_shares_nothing():
    env, draws = RLCardEnv(seed=5), np.random.default_rng(5)
    assert env.step_back() is False
    kept: list[Any] = []
    state, seat = env.reset()
    while not env.is_over():
        snapshot = (state, seat, env.hand.moment, env.get_perfect_information(), list(env.action_recorder))
        kept.append((snapshot, copy.deepcopy(snapshot[0])))
        state, seat = env.step(int(draws.choice(list(state["legal_actions"]))))
    for (state, seat, moment, full, record), untouched in reversed(kept):
        back = env.step_back()
        assert back
        assert back[1] == seat == env.get_player_id()
        assert env.hand.moment == moment
        assert env.get_perfect_information() == full
        assert env.action_recorder == record
        for mine in (back[0], untouched):
            assert mine["raw_obs"] == state["raw_obs"]
            np.testing.assert_array_equal(mine["obs"], state["obs"])
            assert mine["raw_legal_actions"] == state["raw_legal_actions"]
        back[0]["raw_obs"]["trace"].append("spoilt")
        back[0]["raw_obs"]["played_cards"][0] = "spoilt"
        assert env.get_state(seat)["raw_obs"] == state["raw_obs"]
    assert env.step_back() is False


def test_step_back_can_be_forbidden():
    env = RLCardEnv(seed=5, allow_step_back=False)
    env.step(next(iter(env.get_state(0)["legal_actions"])))
    with pytest.raises(dizhu.IllegalAction):
        env.step_back()


def test_cards_come_in_any_order():
    states: list[Any] = []
    for action in ([20, 30], [30, 20], "BR", "RB"):
        env = RLCardEnv()
        env.reset({"hands": ["3BR", "45", "67"]})
        state, seat = env.step(action, raw_action=True)
        states.append((seat, state["raw_obs"], env.action_recorder))
    assert all(state == states[0] for state in states)


def test_a_play_that_does_not_beat_is_refused_and_nothing_changes():
    env = RLCardEnv()
    env.reset({"hands": ["59", "36", "78"]})
    env.step("5", raw_action=True)
    before, steps = env.get_state(1), env.timestep
    for action in ("3", [3], "33", "x", "8"):
        with pytest.raises(dizhu.IllegalAction):
            env.step(action, raw_action=True)
    for number in (0, 27_472, -1):
        with pytest.raises(dizhu.IllegalAction):
            env.step(number)
    np.testing.assert_equal(env.get_state(1), before)
    assert env.timestep == steps
    assert env.get_player_id() == 1
    assert len(env.action_recorder) == 1


def test_seen_cards_keep_their_copies():
    """The bottom has two 7s; the landlord plays one of three: at least one of them is still to be seen."""
    env = RLCardEnv()
    env.reset({"hands": ["7h 9", "45", "6T"], "bottom": "7s 7c 8"})
    env.step("7", raw_action=True)
    assert env.get_state(1)["raw_obs"]["seen_cards"].count("7") >= 1
    assert env.get_state(1)["raw_obs"]["played_cards"] == ["7", "", ""]
    env.step("pass", raw_action=True)
    env.step("T", raw_action=True)
    assert env.get_state(0)["raw_obs"]["trace"] == [(0, "7"), (1, "pass"), (2, "T")]


def test_farmers_are_shown_the_newest_turns():
    env = RLCardEnv()
    env.reset({"hands": ["3456", "789T", "789T"]})
    for action in ("3", "7", "pass", "pass", "8", "pass", "pass", "9"):
        env.step(action, raw_action=True)
    last_of_landlord = env.get_state(2)["obs"][756:810]
    last_of_farmer = env.get_state(2)["obs"][810:864]
    assert not last_of_landlord.any()
    assert last_of_farmer.tolist() == env.get_action_feature(env.numbers.ids.encode("9")).tolist()


def test_payoffs_come_as_flags_or_points():
    for scale, expected in (("flags", [1, 0, 0]), ("points", [8, -4, -4]), ("win", [1, -1, -1]), ("log", [4, -3, -3])):
        payoffs: Any = scale
        env = RLCardEnv(payoffs=payoffs)
        env.reset({"hands": ["BR", "45", "67"]})
        assert env.get_payoffs().tolist() == [0, 0, 0]
        env.step("BR", raw_action=True)
        assert env.get_payoffs().tolist() == expected


def test_agents_need_nothing_of_rlcard():
    env = RLCardEnv("auction", seed=1)
    env.set_agents([Lowest(), Lowest(), Lowest()])
    trajectories, payoffs = env.run()
    assert sum(payoffs) in (1, 2)
    assert trajectories[0][0]["raw_obs"]["self"] == 0
    for name in ("two_player", "five_player"):
        with pytest.raises(ValueError, match="three seats"):
            RLCardEnv(name)


@pytest.mark.slow
@pytest.mark.usefixtures("rlcard")
@pytest.mark.filterwarnings("ignore")  # those of PyTorch are no concern of ours
@pytest.mark.parametrize("kind", ["DQN", "NFSP"])
def test_rlcards_networks_learn_here(kind: str):
    torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")
    agents, helpers = import_module("rlcard.agents"), import_module("rlcard.utils")
    torch.manual_seed(1)
    env = RLCardEnv(seed=6)
    sizes = {"num_actions": env.num_actions, "state_shape": env.state_shape[0]}
    if kind == "DQN":
        agent = agents.DQNAgent(**sizes, mlp_layers=[16], replay_memory_init_size=32, batch_size=8)
        network = agent.q_estimator.qnet
    else:
        small = {"hidden_layers_sizes": [16], "batch_size": 8, "min_buffer_size_to_learn": 8}
        agent = agents.NFSPAgent(**sizes, **small, q_mlp_layers=[16], q_replay_memory_init_size=16, q_batch_size=8)
        network = agent._rl_agent.q_estimator.qnet
    before = [part.detach().clone() for part in network.parameters()]
    env.set_agents([agent, *(agents.RandomAgent(env.num_actions) for _ in range(2))])
    for _ in range(8):
        trajectories, payoffs = env.run(is_training=True)
        for transition in helpers.reorganize(trajectories, payoffs)[0]:
            agent.feed(transition)
    assert any(not torch.equal(old, new) for old, new in zip(before, network.parameters(), strict=True))
    assert sum(helpers.tournament(env, 2)) in (1.0, 1.5, 2.0)
