"""Records: a hand, finished or not, is given by one JSON object; a damaged one is refused, never half believed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dizhu import DizhuError, Game, Stakes, position, shuffled, variant, variants
from dizhu.game.replay import replay
from dizhu.testing.strategies import hands_in_play
from game.table import SMALL, everything, start


def through_json(hand: Game) -> dict[str, Any]:
    return json.loads(json.dumps(hand.record()))


@pytest.mark.parametrize("name", variants())
@settings(max_examples=15)
@given(data=st.data())
def test_a_record_plays_to_the_same_hand_at_every_moment(name: str, data: st.DataObject):
    hand = data.draw(hands_in_play(variant(name)))
    again = replay(through_json(hand), variant)
    assert everything(again) == everything(hand)
    assert again.record() == hand.record()


@pytest.mark.parametrize("name", variants())
def test_records_of_positions_and_of_shuffles(name: str):
    hand = start(name)
    assert hand.record()["seed"] is None
    assert everything(replay(through_json(hand), variant)) == everything(hand)
    game = variant(name)
    hand = Game(game, shuffled(game, bytes(32), 1, (b"mine", b"", b"yours")))
    record = through_json(hand)
    assert record["commitment"] == hand.deal.commitment
    assert record["entropy"] == [b"mine".hex(), "", b"yours".hex()]
    assert replay(record, variant).deal == hand.deal


def test_stakes_are_kept():
    game = variant("happy")
    hand = Game(game, position(game, SMALL["happy"]), Stakes((5, 10**30, 7), 6))
    again = replay(through_json(hand), variant)
    assert again.state.stakes == Stakes((5, 10**30, 7), 6)


def finished() -> dict[str, Any]:
    game = variant("classic")
    hand = Game(game, shuffled(game, bytes(32), 0))
    hand.act(0, "bid 3")
    hand.act(1, "leave")
    return through_json(hand)


def test_the_fields_are_those_that_are_documented():
    record = finished()
    assert list(record) == [
        "format", "variant", "version", "deal", "seed", "entropy", "commitment", "stakes", "actions", "result",
    ]  # fmt: skip
    assert list(record["deal"]) == ["first", "hands", "bottom", "aside", "marked"]
    assert record["actions"] == ["0 bid 3", "1 leave"]
    assert record["result"]["points"] == [6, -9, 0]
    assert record["result"]["house"] == 3


DAMAGE: list[dict[str, Any]] = [
    {"format": 2}, {"format": None}, {"variant": None}, {"variant": "chess"}, {"variant": "two_player"},
    {"version": 99}, {"version": None}, {"deal": None}, {"deal": []}, {"deal": {}}, {"seed": "00"}, {"seed": 5},
    {"seed": "zz" * 32}, {"seed": "11" * 32}, {"entropy": None}, {"entropy": ["x"]}, {"entropy": ["00"]},
    {"entropy": [5]},
    {"commitment": None}, {"commitment": "00" * 32}, {"stakes": []}, {"stakes": {"beans": [1, 2], "threshold": 3}},
    {"stakes": {"beans": [1, 2, True], "threshold": 3}}, {"stakes": {"beans": [1, 2, 3]}}, {"actions": None},
    {"actions": {}}, {"actions": ["0 bid 3"]}, {"actions": [["0", "bid 3"], "1 leave"]}, {"actions": ["bid 3", "no"]},
    {"actions": ["0 bid 3", "1 leave", "2 pass"]}, {"actions": ["0 bid 4", "1 leave"]}, {"actions": ["99999999999 no"]},
    {"actions": ["9 bid 3"]}, {"actions": ["0 bid 2", "1 leave"]}, {"actions": ["0 bid 3", "2 leave"]},
    {"actions": [""]},    {"result": None}, {"result": {}}, {"result": []}, {"result": 7},
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE, ids=[str(number) for number in range(len(DAMAGE))])
def test_damaged_records_are_refused(damage: dict[str, Any]):
    with pytest.raises(DizhuError) as caught:
        replay(finished() | damage, variant)
    assert caught.value.code in {"bad_record", "unknown_variant", "wrong_seats", "not_in_deck", "bad_seed"}
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "damage",
    [
        {"first": 1}, {"first": "0"}, {"first": True}, {"first": -1}, {"hands": ["3s", "4s"]}, {"hands": [1, 2, 3]},
        {"hands": "3s"}, {"bottom": "3s 4s"}, {"bottom": None}, {"aside": "3s"}, {"aside": 3}, {"marked": "3s"},
        {"marked": 3}, {"hands": None},
    ],
)  # fmt: skip
def test_damaged_deals_are_refused(damage: dict[str, Any]):
    record = finished()
    record["deal"] |= damage
    with pytest.raises(DizhuError):
        replay(record, variant)


def test_one_changed_card_of_a_shuffled_deal_is_found():
    record = finished()
    hands = record["deal"]["hands"]
    a, b = hands[0].split(), hands[1].split()
    a[0], b[0] = b[0], a[0]
    hands[0], hands[1] = " ".join(a), " ".join(b)
    with pytest.raises(DizhuError) as caught:
        replay(record, variant)
    assert caught.value.code == "bad_record"


@pytest.mark.parametrize("missing", list(finished()))
def test_every_field_is_needed_but_those_that_may_be_null(missing: str):
    record = finished()
    del record[missing]
    if missing == "stakes":
        assert replay(record, variant).result
    elif missing == "seed":
        assert replay(record, variant).deal.seed is None
    else:
        with pytest.raises(DizhuError):
            replay(record, variant)
