"""The PettingZoo environment: its own tests, and what must hold for every game with bidding and without."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

import dizhu
from dizhu.envs import aec
from dizhu.envs.vector import VectorEnv
from dizhu.rules import cards as c

NAMES = dizhu.variants()
SETTINGS = [(name, bidding) for name in NAMES for bidding in (True, False)]

settings = pytest.mark.parametrize(("name", "bidding"), SETTINGS)


def env(*args: Any, **options: Any) -> Any:
    """The environment; its wrapper has the attributes of what it wraps, which the types do not tell."""
    return aec.env(*args, **options)


def play_out(hands: Any, draws: np.random.Generator) -> int:
    """Answer at random, only what the masks allow, to the end of the hand; returns the number of answers."""
    answers = 0
    for _ in hands.agent_iter():
        seen, _, ended, _, _ = hands.last()
        if ended:
            assert not seen["action_mask"].any()
            hands.step(None)
            continue
        hands.step(int(draws.choice(np.flatnonzero(seen["action_mask"]))))
        answers += 1
    return answers


@settings
@pytest.mark.filterwarnings("ignore::UserWarning")  # of observations with masks, from which it excepts its own games
def test_pettingzoo_finds_no_fault(name: str, bidding: bool, capsys: pytest.CaptureFixture[str]):
    api_test(env(name, bidding=bidding), num_cycles=60)
    seed_test(lambda: env(name, bidding=bidding), num_cycles=60)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.slow
def test_pettingzoo_measures_the_speed(capsys: pytest.CaptureFixture[str]):
    performance_benchmark(env())
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.slow
@settings
def test_masked_answers_never_end_a_hand_illegally(name: str, bidding: bool):
    """1,000 hands in all: every one ends by the rules, with points that sum to zero."""
    hands, draws = env(name, bidding=bidding), np.random.default_rng(5)
    hands.reset(seed=5)
    for number in range(200 if name == "two_player" else 60):
        if number:
            hands.reset()
        play_out(hands, draws)
        game = hands.unwrapped.hand.game
        assert game.phase in ({"over", "redeal"} if bidding else {"over"})
        points = game.result.points if game.result else (0,) * game.variant.seats
        assert sum(points) == 0
        assert game.result is None or game.result.reason != "leave"


@settings
def test_payoffs_are_the_points_of_the_settlement(name: str, bidding: bool):
    hands, draws = env(name, bidding=bidding), np.random.default_rng(2)
    for seed in range(4):
        hands.reset(seed=seed)
        while hands.unwrapped.hand.seat is not None:
            assert not any(hands.rewards.values())
            hands.step(int(draws.choice(hands.unwrapped.hand.legal())))
        result = hands.unwrapped.hand.game.result
        expected = list(result.points) if result else [0] * len(hands.possible_agents)
        assert list(hands.rewards.values()) == expected
        assert all(hands.terminations.values())
        assert sum(hands.rewards.values()) == 0


@settings
def test_the_same_seed_gives_the_same_hand(name: str, bidding: bool):
    first, second = (aec.raw_env(name, bidding=bidding) for _ in range(2))
    deals = set[Any]()
    for seed in (1, 2, 3):
        for hands in (first, second):
            hands.reset(seed=seed)
        assert first.hand.game.deal == second.hand.game.deal
        deals.add(first.hand.game.deal.hands)
    first.reset()
    second.reset()
    assert first.hand.game.deal == second.hand.game.deal
    assert len(deals | {first.hand.game.deal.hands}) == 4


def test_illegal_actions_are_refused_and_nothing_changes():
    hands = env(bidding=False)
    hands.reset(options={"hands": ["345", "667", "889"]})
    ids = hands.unwrapped.numbers.ids
    hands.step(ids.encode("5"))
    core = hands.unwrapped
    before = (core.hand.moment, hands.agent_selection, dict(hands.rewards), hands.observe("player_1"))
    wrong: list[Any] = [
        ids.encode("3"),
        ids.encode("66"),
        ids.encode("9"),
        ids.encode("BR"),
        27_472,
        -1,
        10**9,
        "6",
        1.0,
    ]
    for action in wrong:
        with pytest.raises(dizhu.IllegalAction):
            hands.step(action)
        after = (core.hand.moment, hands.agent_selection, dict(hands.rewards), hands.observe("player_1"))
        assert before[:3] == after[:3]
        np.testing.assert_array_equal(before[3]["observation"], after[3]["observation"])
        np.testing.assert_array_equal(before[3]["action_mask"], after[3]["action_mask"])
    hands.step(ids.encode("6"))
    assert hands.agent_selection == "player_2"


def test_calls_in_a_wrong_order_are_reported():
    hands = env()
    with pytest.raises(AttributeError, match="before reset"):
        _ = hands.agent_selection
    with pytest.raises(AssertionError, match="reset"):
        hands.step(0)


@settings
def test_the_mask_is_what_the_game_allows(name: str, bidding: bool):
    hands, draws = aec.raw_env(name, bidding=bidding), np.random.default_rng(3)
    hands.reset(seed=3)
    ids = hands.numbers.ids
    while (seat := hands.hand.seat) is not None:
        mask = hands.observe(hands.agent_selection)["action_mask"]
        marked = [ids.text(int(number)) for number in np.flatnonzero(mask)]
        assert sorted(marked) == sorted(hands.hand.game.legal(seat))
        for other in hands.possible_agents:
            assert other == hands.agent_selection or not hands.observe(other)["action_mask"].any()
        hands.step(int(draws.choice(np.flatnonzero(mask))))


@pytest.mark.parametrize("name", ["happy", "landlord_war", "five_player"])
def test_answers_to_a_common_question_are_not_seen_before_all_are_given(name: str):
    """Whatever the first seat answers, the next one is shown the same."""
    seen: dict[str, list[Any]] = {}
    for answer in ("yes", "no"):
        hands = aec.raw_env(name)
        hands.reset(seed=8)
        while not hands.hand.game.simultaneous:
            hands.step(hands.hand.legal()[-1])
        question, legal = hands.hand.game.phase, hands.hand.legal()
        no = hands.numbers.ids.encode("no")
        hands.step(no if answer == "no" or len(legal) == 1 else next(each for each in legal if each != no))
        assert hands.hand.game.phase == question
        seen[answer] = [hands.observe(hands.agent_selection)[key] for key in ("observation", "action_mask")]
        seen[answer].append(hands.agent_selection)
    np.testing.assert_equal(seen["yes"], seen["no"])


@pytest.mark.parametrize("name", NAMES)
def test_the_play_is_seen_as_in_the_vector_environment(name: str):
    """The row begins with the cells of `VectorEnv`, and holds its history: what was learnt there can be used here."""
    seeds = range(4, 100)  # one landlord only: without suits, it is told otherwise when the hidden one becomes known
    many = next(many for seed in seeds if (many := VectorEnv(name, 1, seed=seed)).position(0)[1] == 1)
    words, _, _, _ = many.position(0)
    hands = aec.raw_env(name, bidding=False)
    hands.reset(options={"hands": [c.format_cards(word) for word in words], "marked": marked(name, words[0])})
    sections, size = hands.numbers.layout.sections, many.arrays.states.shape[1]
    draws = np.random.default_rng(4)
    while True:
        row = hands.observe(hands.agent_selection)["observation"]
        np.testing.assert_array_equal(row[:size], many.arrays.states[0])
        np.testing.assert_array_equal(row[sections["history"]], many.arrays.histories[0].ravel())
        open_words = many.words(0)
        assert hands.hand.legal() == sorted(hands.numbers.ids.encode_cards(word) for word in open_words)
        choice = int(draws.integers(len(open_words)))
        hands.step(hands.numbers.ids.encode_cards(open_words[choice]))
        if many.step([choice]).done[0]:
            break
    assert list(hands.rewards.values()) == many.arrays.points[0].tolist()


def marked(name: str, word: int) -> str | None:
    """A card of which the landlord holds both copies: a rank given without suit is the first that is left."""
    if name != "five_player":
        return None
    return next(rank for rank in c.RANKS[:13] if word // c.UNIT[rank] & 0xF > 1) + "s"


def test_agents_have_the_seats_in_playing_order():
    hands = env("five_player")
    assert hands.possible_agents == [f"player_{seat}" for seat in range(5)]
    assert hands.metadata["name"] == "dizhu_five_player_v0"
    assert hands.action_space("player_0").n == 3_363
    assert env(bidding=False).action_space("player_0").n == 27_472


def test_the_hand_is_told_in_plain_text():
    hands = env(bidding=False, render_mode="ansi")
    hands.reset(options={"hands": ["34", "5", "6"]})
    hands.step(hands.unwrapped.numbers.ids.encode("4"))
    assert "seat 0  4" in str(hands.render())


def test_impossible_environments_are_refused():
    with pytest.raises(dizhu.UnknownName):
        env("whist")
    wrong: Any = "beans"
    with pytest.raises(ValueError, match="scales"):
        env(reward=wrong)
