"""The Gymnasium environment of one seat against bots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import dizhu
from dizhu import View
from dizhu.envs.seat import SeatEnv, single


def play_out(env: SeatEnv, draws: np.random.Generator, **reset: Any) -> float:
    """Answer at random, only what the masks allow; returns the last reward."""
    seen, _ = env.reset(**reset)
    while True:
        action = int(draws.choice(np.flatnonzero(seen["action_mask"])))
        seen, reward, ended, truncated, info = env.step(action)
        assert not truncated
        assert not info
        if ended:
            return reward
        assert reward == 0


@pytest.mark.parametrize("bidding", [True, False])
@pytest.mark.parametrize("name", dizhu.variants())
def test_gymnasium_finds_no_fault(name: str, bidding: bool):
    check_env(single(name, bidding=bidding, render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("name", dizhu.variants())
def test_rewards_are_the_points_of_the_seat(name: str):
    env, draws = single(name), np.random.default_rng(1)
    seats = set[int]()
    for seed in range(8):
        reward = play_out(env, draws, seed=seed)
        result = env.hand.game.result
        assert reward == (result.points[env.seat] if result else 0)
        seats.add(env.seat)
    assert len(seats) > 1


def test_a_seat_can_be_chosen():
    env = single(seat=2, bidding=False)
    for seed in range(3):
        env.reset(seed=seed)
        assert env.seat == 2 == env.hand.seat
    env.reset(options={"seat": 0, "landlord": 1})
    assert env.seat == 0
    assert env.hand.game.state.landlords == (1,)
    with pytest.raises(ValueError, match="no seat"):
        env.reset(options={"seat": 3})


def test_bots_are_given_by_name_or_as_they_are():
    asked: list[int | None] = []

    class Lowest:
        def act(self, view: View) -> str:
            asked.append(view.seat)
            return view.legal[0]

    env = single(bots=[Lowest(), "random"], seat=1, bidding=False)
    play_out(env, np.random.default_rng(1), seed=3)
    assert set(asked) == {2}
    with pytest.raises(ValueError, match="2 other seats, not 1"):
        single(bots=["random"])
    with pytest.raises(dizhu.UnknownName):
        single(bots="nobody")


def test_the_same_seed_and_actions_give_the_same_hand():
    first, second = (single("happy") for _ in range(2))
    for seed in (4, None, None):
        play_out(first, np.random.default_rng(2), seed=seed)
        play_out(second, np.random.default_rng(2), seed=seed)
        assert first.hand.game.record() == second.hand.game.record()


def test_an_illegal_action_changes_nothing():
    env = single(bidding=False, illegal=-0.5, seat=0)
    seen, _ = env.reset(options={"hands": ["345", "67", "89"]})
    after, reward, ended, _, info = env.step(env.numbers.ids.encode("9"))
    assert (reward, ended, info) == (-0.5, False, {"refused": "cards_not_held"})
    np.testing.assert_equal(after, seen)
    strict = single(bidding=False, illegal=None, seat=0)
    strict.reset(options={"hands": ["345", "67", "89"]})
    with pytest.raises(dizhu.IllegalAction):
        strict.step(env.numbers.ids.encode("9"))


def test_a_given_hand_that_ends_too_early_is_refused():
    with pytest.raises(ValueError, match="before seat 1 is asked"):
        single(bidding=False, seat=1).reset(options={"hands": ["3", "4", "5"]})


def test_the_hand_is_told_in_plain_text():
    env = single(bidding=False, seat=0, render_mode="ansi")
    env.reset(options={"hands": ["34", "5", "6"]})
    assert "first asked: seat 0" in env.render()
