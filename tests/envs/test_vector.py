"""VectorEnv: the core against the plain encoder value by value, and both against the rules and the settlement."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import dizhu
from dizhu import _core, sim
from dizhu.envs.batch import Arrays, PlainBatch
from dizhu.envs.features import HISTORY, cards_row, layout, state_row
from dizhu.envs.vector import VectorEnv
from dizhu.rules import cards as c

NAMES = dizhu.variants()


def play(env: VectorEnv, draws: np.random.Generator) -> Arrays:
    counts = np.diff(env.arrays.starts)
    return env.step((draws.random(env.count) * counts).astype(np.int32))


def plain(env: VectorEnv, name: str, seed: int, let: int) -> VectorEnv:
    """The same environment over the plain batch."""
    other = VectorEnv(name, env.count, seed=seed, let=let)
    other._batch = PlainBatch(dizhu.variant(name), env.count, seed, let)
    other._observe()
    return other


@pytest.mark.skipif(_core.Batch is None, reason="the C core was not built, or DIZHU_PURE is set")
@pytest.mark.parametrize("name", NAMES)
def test_the_core_writes_what_the_plain_encoder_writes(name: str):
    let = 2 if name == "two_player" else 0
    fast = VectorEnv(name, 6, seed=3, let=let)
    slow = plain(fast, name, 3, let)
    draws = np.random.default_rng(4)
    ended = 0
    for _ in range(150):
        for ours, theirs in zip(fast.arrays, slow.arrays, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        actions = (draws.random(6) * np.diff(fast.arrays.starts)).astype(np.int32)
        ended += int(fast.step(actions).done.sum())
        slow.step(actions)
    assert ended > 2


def test_features_are_those_of_douzero_as_rlcard_writes_them():
    """Every cell of a state, of the history and of the moves, from the course of the play and RLCard's encoder."""
    pytest.importorskip("rlcard", reason="RLCard is not installed")
    rlcard: Any = import_module("rlcard.envs.doudizhu")

    def encoded(cards: int) -> list[int]:
        return rlcard._cards2array(c.format_cards(cards)).tolist()

    def one_of(size: int, place: int) -> list[int]:
        return rlcard._get_one_hot_array(place + 1, size).tolist()

    env, draws = VectorEnv("classic", 4, seed=11), np.random.default_rng(11)
    courses: list[list[int]] = [[] for _ in range(env.count)]
    for _ in range(120):
        seen = env.arrays
        for hand, course in enumerate(courses):
            hands, _, me, _ = env.position(hand)
            assert me == seen.turns[hand] == len(course) % 3
            others = [(me + 1) % 3, (me + 2) % 3]
            turns = [[cards for number, cards in enumerate(course) if number % 3 == seat] for seat in range(3)]
            table = next((cards for cards in course[:-3:-1] if cards), 0)
            texts = [c.format_cards(cards) for cards in course]
            bombs = sum(text == "BR" or (len(text) == 4 and len(set(text)) == 1) for text in texts)
            expected = encoded(hands[me]) + encoded(hands[others[0]] + hands[others[1]]) + encoded(table)
            for seat in others:
                expected += encoded(turns[seat][-1] if turns[seat] else 0)
            for seat in others:
                expected += encoded(sum(turns[seat]))
            for seat in others:
                expected += one_of(20, c.size(hands[seat]) - 1)
            expected += one_of(15, bombs) + [int(seat == 0) for seat in (me, *others)] + one_of(5, 0)
            assert seen.states[hand].tolist() == expected
            assert seen.histories[hand].tolist() == [encoded(cards) for cards in ([0] * HISTORY + course)[-HISTORY:]]
            moves = seen.moves[seen.starts[hand] : seen.starts[hand + 1]].tolist()
            assert moves == [encoded(cards) for cards in env.words(hand)]
        chosen = (draws.random(env.count) * np.diff(seen.starts)).astype(np.int32)
        played = [env.words(hand)[place] for hand, place in enumerate(chosen)]
        done = env.step(chosen).done
        courses = [
            [] if ended else [*course, cards] for ended, course, cards in zip(done, courses, played, strict=True)
        ]


def test_arrays_are_views_of_the_memory_that_is_written_to():
    """Nothing is copied: all steps write into the buffers of the first, whose types are those of small numbers."""
    env, draws = VectorEnv("classic", 32, seed=12), np.random.default_rng(12)
    first = env.arrays
    for _ in range(60):
        seen = play(env, draws)
        for before, now in zip(first, seen, strict=True):
            assert before.ctypes.data == now.ctypes.data
            assert not now.flags.owndata
            assert not now.flags.writeable
            assert now.flags.c_contiguous
        np.testing.assert_array_equal(first.states, seen.states)
        assert seen.moves.shape == (seen.starts[-1], 54)
        assert (np.diff(seen.starts) > 0).all()
    assert [array.dtype.name for array in env.arrays] == ["int8"] * 3 + ["int32"] + ["int8"] * 2 + ["int32"]


@pytest.mark.parametrize("name", NAMES)
def test_points_are_those_of_the_settlement(name: str):
    """Hands of the simulator, played again in `dizhu.Game` from the landlord's lead, come to the same points."""
    game = dizhu.variant(name)
    settled = 0
    draws = np.random.default_rng(8)
    for seed in range(40):
        env = VectorEnv(name, 1, seed=seed)
        hands, bits, turn, _ = env.position(0)
        table = sim.table(game, hands, [seat for seat in range(game.seats) if bits >> seat & 1], turn)
        while not env.arrays.done[0]:
            action = int(draws.integers(env.arrays.starts[1]))
            table.play(env.words(0)[action])
            env.step([action])
        won = bool(bits >> table.winner & 1)
        plays = [table.plays[seat] for seat in range(game.seats) if bool(bits >> seat & 1) != won]
        spring = sum(plays) == 0 or (not won and not game.marked and plays == [1])
        landlords = bits.bit_count()
        unit = game.base * 2 ** (table.doublings + spring) // landlords
        expected = [
            (unit if bool(bits >> seat & 1) == won else -unit)
            * (game.seats - landlords if bits >> seat & 1 else landlords)
            for seat in range(game.seats)
        ]
        assert env.arrays.points[0].tolist() == expected
        assert sum(expected) == 0
        settled += 1
    assert settled == 40


def test_features_say_what_is_known():
    env = VectorEnv("classic", 1, seed=5)
    game = dizhu.variant("classic")
    parts = layout(game).sections
    hands, _, _, _ = env.position(0)
    state = env.arrays.states[0]
    assert state[parts["hand"]].tolist() == cards_row(hands[0], 1)
    assert state[parts["unseen"]].tolist() == cards_row(hands[1] + hands[2], 1)
    assert not state[parts["table"]].any()
    assert [int(cell) for cell in np.flatnonzero(state[parts["left"]])] == [16, 36]
    lead = env.words(0)[0]
    env.step([0])
    state = env.arrays.states[0]
    assert env.arrays.turns[0] == 1
    assert state[parts["table"]].tolist() == cards_row(lead, 1)
    assert state[parts["last"]].tolist() == [0] * 54 + cards_row(lead, 1)
    assert state[parts["played"]].tolist() == [0] * 54 + cards_row(lead, 1)
    assert state[parts["landlords"]].tolist() == [0, 0, 1]
    assert env.arrays.histories[0, HISTORY - 1].tolist() == cards_row(lead, 1)
    assert not env.arrays.histories[0, : HISTORY - 1].any()


def test_copies_of_a_rank_are_kept_in_what_was_played():
    """3, then 3, then 44: two 3s and two 4s are seen, not one."""
    played = c.parse("3") + c.parse("3") + c.parse("44")
    assert cards_row(played, 1)[:8] == [1, 1, 0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("name", NAMES)
def test_rows_of_cards_tell_all_sets_apart(name: str):
    """Every number of every rank has cells of its own, so that a row can be read back."""
    decks = dizhu.variant(name).deck.decks
    word = dizhu.variant(name).deck.word
    for rank in c.RANKS:
        for count in range(word // c.UNIT[rank] & 0xF):
            row = cards_row(c.UNIT[rank] * (count + 1), decks)
            others = cards_row(c.UNIT[rank] * count, decks)
            assert sum(row) == sum(others) + 1 == count + 1


@pytest.mark.parametrize("name", NAMES)
def test_two_worlds_alike_to_a_seat_look_alike(name: str):
    """What the seat in turn does not hold is dealt again, and another seat is the hidden landlord: it sees the same."""
    game = dizhu.variant(name)
    hand = PlainBatch(game, 1, 9)._hands[0]
    before = state_row(game, hand.known())
    hands = hand.table.seat_hands
    unseen = [unit for unit in c.UNIT.values() for _ in range((game.deck.word - hands[0]) // unit & 0xF)]
    np.random.default_rng(1).shuffle(unseen)
    dealt = [sum(unseen[seat * game.deal : (seat + 1) * game.deal]) for seat in range(game.seats - 1)]
    assert dealt != hands[1:]
    hands[1:] = dealt
    if game.marked:
        hand.table.landlords = 0b11 if hand.table.landlords != 0b11 else 0b101
    assert state_row(game, hand.known()) == before


def test_wrong_actions_are_refused_and_nothing_is_played():
    for env in (VectorEnv("classic", 3, seed=1), plain(VectorEnv("classic", 3, seed=1), "classic", 1, 0)):
        before = [array.copy() for array in env.arrays]
        for actions in ([0, 0, 10_000], [0, -1, 0]):
            with pytest.raises(ValueError, match="nothing was played"):
                env.step(actions)
        with pytest.raises(ValueError, match="shape"):
            env.step([0])
        for ours, theirs in zip(before, env.arrays, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_impossible_environments_are_refused():
    for count, let in ((0, 0), (1 << 21, 0), (1, 5), (1, -1)):
        with pytest.raises(ValueError, match="count must be"):
            VectorEnv("two_player", count, let=let)
    with pytest.raises(dizhu.UnknownName):
        VectorEnv("whist", 1)
    for changed in (dizhu.variant("classic", cap=4), dizhu.variant("happy", spring=False)):
        with pytest.raises(ValueError, match="changed option"):
            VectorEnv(changed, 1)
    assert VectorEnv(dizhu.variant("classic", nobody="first"), 1).count == 1


def test_seeds_decide_the_hands_and_nothing_global_does():
    first, second, other = (VectorEnv("happy", 4, seed=seed) for seed in (1, 1, 2))
    np.random.seed(0)  # the global generator must have no part in it
    assert first.arrays.states.tobytes() == second.arrays.states.tobytes()
    assert first.arrays.states.tobytes() != other.arrays.states.tobytes()
    draws = np.random.default_rng(2)
    for _ in range(30):
        play(first, draws)
    again = first.reset(1)
    assert again.states.tobytes() == second.arrays.states.tobytes()


def test_rewards_come_in_named_scales():
    env = VectorEnv("classic", 8, seed=6)
    draws = np.random.default_rng(6)
    while not env.arrays.done.any():
        play(env, draws)
    points = env.rewards()
    assert (points.sum(1) == 0).all()
    assert not points[env.arrays.done == 0].any()
    np.testing.assert_array_equal(env.rewards("win"), np.sign(points))
    logs = env.rewards("log")
    np.testing.assert_array_equal(np.sign(logs), np.sign(points))
    assert (np.abs(logs[points != 0]) == 1 + np.log2(np.abs(points[points != 0]))).all()


def test_lists_of_moves_may_be_longer_than_the_first_buffers():
    """Random hands of two decks lead with more moves than the arrays were made for; all of them are shown."""
    env = VectorEnv("five_player", 2, seed=3)
    draws = np.random.default_rng(3)
    for _ in range(400):
        seen = play(env, draws)
        assert len(seen.moves) == seen.starts[-1] == sum(len(env.words(hand)) for hand in range(2))
