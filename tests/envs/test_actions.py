"""Action ids: RLCard's order, identity both ways, one id for one set of cards."""

from __future__ import annotations

import hashlib
import random

import pytest

import dizhu
from dizhu.envs.actions import ANSWERS, action_ids
from dizhu.rules import cards as c
from dizhu.rules.native import grammar

NAMES = dizhu.variants()
STANDARD = ("classic", "happy", "landlord_war")

RLCARD_HASH = "2e27feb6d5c67041bad98711158996e634593e6af00ddf88e5d4be415f01ca94"
"""SHA-256 of RLCard 1.2.0's actions in the order of their ids, parted by spaces."""


@pytest.mark.parametrize("name", STANDARD)
def test_ids_of_standard_kickers_are_those_of_rlcard(name: str):
    ids = action_ids(name)
    assert ids.playing == 27_472
    names = " ".join(ids.decode(number) for number in range(ids.playing))
    assert hashlib.sha256(names.encode()).hexdigest() == RLCARD_HASH


def test_every_id_is_the_one_in_rlcard_itself():
    theirs = pytest.importorskip("rlcard.games.doudizhu.utils", reason="RLCard is not installed").ID_2_ACTION
    ids = action_ids("classic")
    assert [ids.decode(number) for number in range(ids.playing)] == theirs


@pytest.mark.parametrize("name", NAMES)
def test_numbering_is_dense_and_goes_both_ways(name: str):
    game, ids = dizhu.variant(name), action_ids(name)
    assert ids.playing == game.grammar.count().total() + 1
    assert len(ids) == ids.playing + len(ANSWERS)
    for number in range(len(ids)):
        assert ids.encode(ids.decode(number)) == ids.encode(ids.text(number)) == number
    for number in range(ids.playing):
        assert ids.encode_cards(ids.cards(number)) == number
    for number in range(ids.playing, len(ids)):
        assert ids.cards(number) == 0
    for number in (-1, len(ids)):
        with pytest.raises(dizhu.ParseError, match="no action id"):
            ids.decode(number)


@pytest.mark.parametrize("name", NAMES)
def test_one_set_of_cards_has_one_id(name: str):
    ids = action_ids(name)
    assert len({ids.cards(number) for number in range(ids.playing)}) == ids.playing
    draws = random.Random(1)
    for play in draws.sample(ids.plays, 300):
        shuffled = list(play)
        draws.shuffle(shuffled)
        assert ids.encode("".join(shuffled)) == ids.encode(" ".join(shuffled)) == ids.encode(play)


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_and_move_of_a_hand_has_an_id(name: str):
    game, ids, draws = dizhu.variant(name), action_ids(name), random.Random(2)
    for seed in range(10):
        hand = dizhu.Game(game, dizhu.shuffled(game, bytes([seed]) * 32))
        while hand.turn:
            seat = hand.turn[0]
            legal = hand.legal(seat)
            assert [ids.text(ids.encode(action)) for action in legal] == legal
            hand.act(seat, draws.choice(legal))


def test_the_order_does_not_depend_on_the_core(monkeypatch: pytest.MonkeyPatch):
    from dizhu import _core
    from dizhu.envs.actions import Actions

    monkeypatch.setattr(_core, "Rules", None)
    game = dizhu.variant("two_player")
    plain = Actions(grammar(game.shapes, game.deck.word, game.deal + game.bottom))
    assert plain.plays == action_ids("two_player").plays


def test_cards_are_read_in_every_spelling():
    ids = action_ids("classic")
    for spelling in ("BR", "RB", "play RB", "R B", [20, 30], [30, 20], (30, 20)):
        assert ids.decode(ids.encode(spelling)) == "BR"
    assert ids.decode(ids.encode([17, 17, 14, 14, 14])) == "AAA22"
    assert ids.encode([]) == ids.encode("") == ids.encode("pass") == ids.encode_cards(0) == 27_471
    assert ids.encode("3334") != ids.encode("333K")
    assert [ids.decode(number) for number in range(27_472, len(ids))] == list(ANSWERS)


@pytest.mark.parametrize("wrong", ["34", "3x", "33 444 5", [16], [3, 4], "bid 4", "leave", "33333"])
def test_what_is_no_action_is_refused(wrong: str | list[int]):
    ids = action_ids("classic")
    with pytest.raises(dizhu.ParseError):
        ids.encode(wrong)


def test_numbers_are_made_once_for_games_with_equal_combinations():
    assert action_ids("classic") is action_ids("happy") is action_ids(dizhu.variant("landlord_war"))
    assert c.format_cards(action_ids("classic").cards(0)) == "3"
