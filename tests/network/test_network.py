"""Networks: what they are told of a view, that core and NumPy agree, and that they know nothing but the view."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dizhu
from dizhu import _core
from dizhu.bots.beliefs import beliefs
from dizhu.bots.network import NetworkBot, action, answers
from dizhu.errors import DizhuError, ParseError
from dizhu.game.physical import rank_word
from dizhu.network import judge_of, position, quantised, read, scene, shipped, write
from dizhu.network.facts import answer, layout
from dizhu.network.judges import Searcher
from dizhu.network.plain import PlainJudge
from dizhu.network.spot import spot
from dizhu.network.stored import HEADS, MIDDLE, NARROW, VALUE, WIDE, floats
from dizhu.rules import cards as c
from network.hands import GAMES, untrained, views

needs_core = pytest.mark.skipif(_core.judge_type() is None, reason="the C core was not built, or DIZHU_PURE is set")


@needs_core
@pytest.mark.parametrize("name", GAMES)
def test_facts_of_a_view_are_those_that_the_core_learns_from(name: str):
    judges = judge_of(dizhu.variant(name), untrained(name))
    assert isinstance(judges, Searcher)
    for view in views(name, 6):
        seen = scene(view)
        assert sorted(judges.facts(spot(seen).fields)) == sorted(position(seen))


@needs_core
@pytest.mark.parametrize("name", GAMES)
def test_core_and_numpy_compute_the_same_values(name: str):
    variant, stored = dizhu.variant(name), untrained(name)
    core, plain = judge_of(variant, stored), PlainJudge(variant, stored)
    for view in views(name, 2, seed=1):
        seen = scene(view)
        moves = answers(seen)[:40]
        told = seen.role, position(seen), seen.unseen, seen.left, seen.hand, moves
        assert core.values(*told) == plain.values(*told)


@pytest.mark.parametrize("name", ["classic", "two_player", "five_player"])
def test_the_shipped_whole_numbers_say_what_the_fractions_say(name: str):
    """Random play brings hands that training hardly knew, where activations are the largest."""
    variant = dizhu.variant(name)
    stored = read(shipped(variant))
    nets, judges = [_layers(net, stored.facts) for net in floats(stored)], judge_of(variant, stored)
    for view in views(name, 12, seed=5):
        seen = scene(view)
        facts, moves = position(seen), answers(seen)[:10]
        told = judges.values(seen.role, facts, seen.unseen, seen.left, seen.hand, moves)
        for move, values in zip(moves, told, strict=True):
            rows = [*facts, *answer(variant, seen.unseen, seen.left, seen.hand, move)]
            exact = _values(nets[seen.role], rows)
            assert [value / VALUE for value in values] == pytest.approx(exact, abs=0.02)


def _layers(net: bytes, facts: int) -> list[Any]:
    """Weights and biases of the layers, in turn; the former by input, but the heads' by output."""
    sizes = ((facts, WIDE), (WIDE,), (WIDE, MIDDLE), (MIDDLE,), (MIDDLE, NARROW), (NARROW,), (HEADS, NARROW), (HEADS,))
    numbers, at, found = np.frombuffer(net, np.float32).astype(np.float64), 0, list[Any]()
    for size in sizes:
        count = int(np.prod(size))
        found.append(numbers[at : at + count].reshape(size))
        at += count
    return found


def _values(layers: list[Any], facts: list[int]) -> list[float]:
    rows, first_bias, second, second_bias, third, third_bias, heads, heads_bias = layers
    wide = np.maximum(rows[facts].sum(axis=0) + first_bias, 0)
    middle = np.maximum(wide @ second + second_bias, 0)
    return list(heads @ np.maximum(middle @ third + third_bias, 0) + heads_bias)


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_weighs_all_that_is_legal_and_nothing_else(name: str):
    for view in views(name, 3, seed=2):
        assert sorted(action(move) for move in answers(scene(view))) == sorted(view.legal)


def test_an_open_hand_of_the_landlord_is_known_to_all():
    found = 0
    for view in views("happy", 30, seed=3):
        landlord = view.landlords[0]
        if landlord in view.opened and view.seat != landlord:
            assert scene(view).shown == rank_word(view.hands[landlord] or ())
            found += 1
    assert found > 20


def test_landlords_know_each_others_cards_once_both_are_known():
    found = 0
    for view in views("five_player", 12, seed=3):
        seen = scene(view)
        if len(view.landlords) < 2 or not view.revealed or view.seat not in view.landlords:
            assert not seen.ally
            continue
        (other,) = set(view.landlords) - {view.seat}
        assert seen.ally == rank_word(view.hands[other] or ())
        assert c.size(seen.unseen) == c.size(dizhu.variant("five_player").deck.word) - sum(
            c.size(cards) for cards in (seen.hand, seen.ally, *seen.played)
        )
        found += 1
    assert found > 20


def test_facts_do_not_repeat_and_lie_in_their_blocks():
    for name in GAMES:
        plan = layout(dizhu.variant(name))
        for view in views(name, 2, seed=3):
            seen = scene(view)
            facts = position(seen) + answer(dizhu.variant(name), seen.unseen, seen.left, seen.hand, answers(seen)[-1])
            assert len(set(facts)) == len(facts)
            assert 0 <= min(facts) <= max(facts) < plan.size


@pytest.mark.parametrize("name", ["classic", "auction", "two_player"])
def test_hidden_cards_change_nothing(name: str):
    """Two hands that differ only in what a seat does not see are one to its network."""
    variant = dizhu.variant(name)
    bot = NetworkBot(0, judges=judge_of(variant, untrained(name)))
    draws = random.Random(4)
    for number in range(20):
        deal = dizhu.shuffled(variant, draws.randbytes(32))
        first = dizhu.Game(variant, deal)
        while first.phase != "play":
            seat = first.turn[0]
            first.act(seat, first.view(seat).legal[-1])
        me = first.turn[0]
        others = [seat for seat in range(variant.seats) if seat != me]
        hidden = [card for seat in others for card in deal.hands[seat]]
        draws.shuffle(hidden)
        hands, at = list(deal.hands), 0
        for seat in others:
            count = len(deal.hands[seat])
            hands[seat], at = tuple(hidden[at : at + count]), at + count
        second = dizhu.Game(variant, replace(deal, hands=tuple(hands)))
        while second.phase != "play":
            seat = second.turn[0]
            second.act(seat, second.view(seat).legal[-1])
        assert first.view(me) == second.view(me), number
        assert bot.act(first.view(me)) == bot.act(second.view(me))


def test_whole_numbers_are_a_file_and_come_back(tmp_path: Path):
    stored = untrained("two_player")
    file = tmp_path / "some.nets"
    write(file, stored)
    assert read(file) == stored
    assert quantised(stored.game, stored.facts, stored.roles, b"".join(floats(stored))) == stored


def test_what_is_no_file_of_networks_is_refused(tmp_path: Path):
    file = tmp_path / "some.nets"
    write(file, untrained("two_player"))
    good = file.read_bytes()
    for wrong in (b"", b"{}", good[:-1], good + b"\0", good.replace(b'"format": 1', b'"format": 2'), b"\xff" + good):
        file.write_bytes(wrong)
        with pytest.raises(ParseError) as error:
            read(file)
        assert error.value.code == "bad_networks"


def test_networks_of_another_game_are_refused():
    with pytest.raises(DizhuError) as error:
        judge_of(dizhu.variant("five_player"), untrained("classic"))
    assert error.value.code == "no_networks"


@needs_core
@pytest.mark.parametrize("name", ["classic", "two_player", "five_player"])
def test_opponents_may_play_like_the_rule_bot(name: str):
    variant = dizhu.variant(name)
    judges = judge_of(variant, read(shipped(variant)))
    assert isinstance(judges, Searcher)
    other = 0
    for view in list(views(name, 2, seed=4))[::5]:
        seen = scene(view)
        moves = answers(seen)[:2]
        alike = judges.look_ahead(spot(seen).fields, (moves, 20, 10, 32, 7))
        told = judges.look_ahead(spot(seen).fields, (moves, 20, 10, 32, 7, beliefs(variant)))
        assert told == judges.look_ahead(spot(seen).fields, (moves, 20, 10, 32, 7, beliefs(variant)))
        assert all(0 <= won <= 20 for won, _ in told)
        other += told != alike
    assert other > 3


@needs_core
def test_nonsense_is_refused_and_harms_nothing():
    variant = dizhu.variant("classic")
    judges = judge_of(variant, untrained("classic"))
    assert isinstance(judges, Searcher)
    view = next(views("classic", 1))
    seen = scene(view)
    good = spot(seen)
    moves = answers(seen)[:2]
    how = (moves, 2, 0, 128, 1)
    assert len(judges.look_ahead(good.fields, how)) == len(moves)
    bad = [
        replace(good, hands=(*good.hands[:2], variant.deck.word)),
        replace(good, hidden=(-1, 18, 17)),
        replace(good, hidden=(200, 0, 0)),
        replace(good, pool=0),
        replace(good, state=(7, *good.state[1:])),
        replace(good, state=(*good.state[:5], 4, 0, 1)),
        replace(good, played=(1, 1, 1)),
        replace(good, hands=good.hands[:2]),
    ]
    for wrong in bad:
        with pytest.raises((ValueError, TypeError)):
            judges.look_ahead(wrong.fields, how)
    with pytest.raises(ValueError, match="no moves of this hand"):
        judges.look_ahead(good.fields, ([variant.deck.word], 2, 0, 128, 1))
    with pytest.raises(ValueError, match="beliefs"):
        judges.look_ahead(good.fields, (*how, (0.5,) * 3))
    for facts in ([-1], [10**6], [0] * 5000):
        with pytest.raises(ValueError, match="fact"):
            judges.values(0, facts, seen.unseen, seen.left, seen.hand, moves)
    with pytest.raises(ValueError, match="no role"):
        judges.values(9, [], seen.unseen, seen.left, seen.hand, moves)
