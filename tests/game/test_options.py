"""What a host may change of a game: the options, their values, and what they do to a hand."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu import DizhuError, Game, Result, Variant, position, shuffled, variant, variants
from dizhu.game.narrate import narrate
from dizhu.game.options import Option, OptionValue
from dizhu.game.replay import replay
from dizhu.testing import check_variant
from game.table import SMALL, run, start

OPTIONS = [(name, option) for name in variants() for option in variant(name).options]
CHANGED = [
    ("landlord_war", {"nobody": "first", "cap": 4}),
    ("landlord_war", {"spring": False}),
    ("auction", {"nobody": "first", "bid_again": False, "show_bottom": True}),
    ("auction", {"bid_again": False}),
    ("auction", {"show_bottom": True, "cap": 1}),
    ("classic", {"nobody": "first", "cap": 16}),
    ("happy", {"open_cut": 1, "nobody": "first"}),
    ("happy", {"open_cut": 16, "spring": False, "cap": 10}),
    ("two_player", {"max_robs": 0}),
    ("two_player", {"max_robs": 10, "nobody": "redeal", "cap": 7}),
    ("five_player", {"cap": 3}),
]


def other_values(option: Option) -> list[OptionValue]:
    values = list(option.values) if len(option.values) < 20 else [option.values[0], 16, option.values[-1]]
    return [value for value in values if value != option.default]


# --- the values ------------------------------------------------------------------------------------------------------


def test_the_games_have_the_options_of_the_rule_book():
    assert {name: [option.name for option in variant(name).options] for name in variants()} == {
        "auction": ["cap", "nobody", "bid_again", "show_bottom"],
        "classic": ["cap", "nobody"],
        "five_player": ["cap"],
        "happy": ["cap", "open_cut", "nobody", "spring"],
        "landlord_war": ["cap", "nobody", "spring"],
        "two_player": ["cap", "max_robs", "nobody", "spring"],
    }


@pytest.mark.parametrize("name", variants())
def test_a_game_by_itself_has_changed_nothing(name: str):
    game = variant(name)
    assert game.changed == {}
    assert game.with_options({option.name: option.default for option in game.options}) == game


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_other_value_is_set_read_and_taken_back(name: str, option: Option):
    game = variant(name)
    for value in other_values(option):
        changed = game.with_options({option.name: value})
        assert changed != game
        assert changed.changed == {option.name: value}
        assert changed.with_options({option.name: option.default}) == game
        assert variant(name) == game


def test_options_are_changed_one_after_the_other_or_together():
    both = variant("two_player", max_robs=2, cap=16)
    assert both == variant("two_player", cap=16).with_options({"max_robs": 2})
    assert both.changed == {"cap": 16, "max_robs": 2}
    assert variant("two_player").with_options({}) is variant("two_player")


@pytest.mark.parametrize("name", variants())
def test_an_unknown_option_is_refused_with_those_that_there_are(name: str):
    with pytest.raises(DizhuError) as caught:
        variant(name).with_options({"jokers": 3})
    assert caught.value.code == "unknown_option"
    for option in variant(name).options:
        assert option.name in str(caught.value)


@pytest.mark.parametrize(
    ("name", "option", "values", "allowed"),
    [
        ("classic", "cap", [0, -1, 1.0, "16", True, 1_000_001, [], {}], "a whole number from 1 to 1000000"),
        ("two_player", "max_robs", [-1, 11, None, False, 4.0, "4"], "a whole number from 0 to 10"),
        ("happy", "open_cut", [0, 17, None, 12.0, True], "a whole number from 1 to 16"),
        ("auction", "nobody", ["", "deal", None, 1, "x" * 1000], "'redeal' or 'first'"),
        ("auction", "bid_again", [0, 1, None, "true"], "true or false"),
    ],
)
def test_bad_values_are_refused_with_what_is_allowed(name: str, option: str, values: list[object], allowed: str):
    for value in values:
        with pytest.raises(DizhuError) as caught:
            variant(name).with_options({option: value})
        assert caught.value.code == "bad_option"
        assert allowed in str(caught.value)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize(("name", "options"), CHANGED)
def test_games_with_other_options_conform(name: str, options: dict[str, OptionValue]):
    check_variant(variant(name, **options), hands=12, seed=3)


# --- records ---------------------------------------------------------------------------------------------------------


def finished(game: Variant, seed: int) -> Game:
    generator = Random(seed)
    while True:
        hand = Game(game, shuffled(game, generator.randbytes(32)))
        while hand.turn:
            seat = generator.choice(hand.turn)
            hand.act(seat, generator.choice(hand.legal(seat)))
        if hand.result:
            return hand


@pytest.mark.parametrize(("name", "options"), CHANGED)
def test_records_carry_the_options_and_play_by_them(name: str, options: dict[str, OptionValue]):
    hand = finished(variant(name, **options), 7)
    record = json.loads(json.dumps(hand.record()))
    assert record["options"] == options
    again = replay(record, variant)
    assert (again.variant, again.state, again.record()) == (hand.variant, hand.state, hand.record())
    assert "options" not in finished(variant(name), 7).record()


@pytest.mark.parametrize("options", [None, [], 5, {"cap": "16"}, {"jokers": 3}, {"cap": True}, {"max_robs": 4}])
def test_damaged_options_are_refused(options: Any):
    record = finished(variant("classic", cap=4), 7).record() | {"options": options}
    with pytest.raises(DizhuError) as caught:
        replay(record, variant)
    assert caught.value.code == "bad_record"


def test_another_cap_comes_to_another_result_and_is_found():
    hand = start("landlord_war", ["3", "6", "7"], ["0 call; 1 no; 2 no; 0 double; 1 double; 2 no; 0 play 3"])
    with pytest.raises(DizhuError) as caught:
        replay(hand.record() | {"options": {"cap": 2}}, variant)
    assert caught.value.code == "bad_record"


def test_options_are_told_in_plain_text():
    options = {"cap": 2, "spring": False}
    script = ["0 call; 1 no; 2 no; 0 double; 1 double; 2 no; 0 play 3"]
    told = list(narrate(start("landlord_war", ["3", "6", "7"], script, options=options).record(), variant))
    assert told[1] == "Options: cap 2, spring False"
    assert told[-3:] == ["  doubled by seats 0, 1", "  at most × 2", "  points: seat 0 +4  seat 1 -2  seat 2 -2"]


# --- the cap ---------------------------------------------------------------------------------------------------------


def test_cap_of_16_on_bombs_and_personal_doublings_that_reach_64():
    hands = ["3BR9", "6666K", "7777K"]
    script = [
        "0 call; 1 no; 2 no; 0 double; 1 double; 2 no",
        "0 play 3; 1 play 6666; 2 play 7777; 0 play BR; 1 pass; 2 pass; 0 play 9",
    ]
    whole = start("landlord_war", hands, script).result
    capped = start("landlord_war", hands, script, options={"cap": 16}).result
    assert whole
    assert capped
    assert whole.multiplier == capped.multiplier == 8
    assert whole.points == (8 * 4 + 8 * 2, -8 * 4, -8 * 2)
    assert capped.points == (16 + 16, -16, -16)
    hands = ["3BR9T", "6666KK8888", "7777K"]
    script[1] = "0 play 3; 1 play 6666; 2 play 7777; 0 pass; 1 play 8888; 2 pass; 0 play BR; 1 pass; 2 pass"
    script.append("0 play 9; 1 pass; 2 pass; 0 play T")
    whole = start("landlord_war", hands, script).result
    capped = start("landlord_war", hands, script, options={"cap": 16}).result
    assert whole
    assert capped
    assert whole.points == (64 + 32, -64, -32)
    assert capped.points == (32, -16, -16)


def test_the_base_is_not_under_the_cap():
    script = ["0 bid 3; 0 play 3; 1 play 6666; 2 play 7777; 0 play BR; 1 pass; 2 pass; 0 play 9"]
    hand = start("auction", ["3BR9", "6666K4", "77778"], script, options={"cap": 4})
    assert hand.result
    assert hand.result.points == (3 * 4 * 2, -3 * 4, -3 * 4)


def test_what_leaving_costs_is_under_the_cap():
    script = ["0 bid 3", "0 play 3", "1 play 5555", "2 play 6666", "0 leave"]
    hand = start("classic", ["3444499", "5555TT", "6666JJ"], script, options={"cap": 2})
    assert hand.result
    assert (hand.result.points, hand.result.house) == ((-18, 6, 6), 6)


def by_the_formula(game: Variant, result: Result) -> tuple[int, ...]:
    points = [0] * game.seats
    sign = 1 if set(result.winners) == set(result.landlords) else -1
    for landlord in result.landlords:
        for farmer in set(range(game.seats)) - set(result.landlords):
            times = result.multiplier
            if game.name != "five_player":
                times *= 2 ** ((landlord in result.doubled) + (farmer in result.doubled))
            paid = result.base * min(times, game.cap or times)
            points[landlord] += sign * paid // len(result.landlords)
            points[farmer] -= sign * paid // len(result.landlords)
    return tuple(points)


@pytest.mark.parametrize("name", variants())
@given(cap=st.one_of(st.none(), st.integers(1, 12)), seed=st.integers(0, 2**32))
def test_every_settlement_is_the_formula_under_the_cap(name: str, cap: int | None, seed: int):
    hand = finished(variant(name, cap=cap), seed)
    assert hand.result
    assert hand.result.reason != "leave"
    assert hand.result.points == by_the_formula(hand.variant, hand.result)
    assert hand.result.house == 0


@pytest.mark.parametrize("name", variants())
def test_everybody_sees_the_cap_before_the_hand_and_after(name: str):
    for cap in (None, 8):
        hand = start(name, options={"cap": cap})
        assert [hand.view(seat).cap for seat in (*range(hand.variant.seats), None)] == [cap] * (hand.variant.seats + 1)
        assert finished(variant(name, cap=cap), 1).view(0).cap == cap


# --- the other options -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["auction", "classic", "landlord_war", "two_player", "happy"])
@pytest.mark.parametrize("first", [0, 1])
def test_what_happens_when_nobody_wants_to_be_landlord(name: str, first: int):
    def declined(nobody: str) -> Game:
        hand = run(start(name, bottom="89T", first=first, options={"nobody": nobody}), ["skip"])
        while hand.phase in ("bid", "call"):
            hand.act(hand.turn[0], "no")
        return run(hand, ["skip"])

    assert declined("redeal").phase == "redeal"
    hand = declined("first")
    view = hand.view(first)
    assert (hand.phase, hand.turn, view.landlords, view.base, view.multiplier) == ("play", (first,), (first,), 1, 1)
    assert view.counts[first] == 5


def test_an_opener_comes_before_the_first_asked_where_nobody_calls():
    hand = start("happy", options={"nobody": "first"})
    run(hand, ["0 no; 1 no; 2 open; skip; 2 no; 0 no; 1 no"])
    assert hand.view(None).landlords == (2,)


@pytest.mark.parametrize("show", [False, True])
def test_the_bottom_in_auction_may_be_shown_to_all(show: bool):
    hand = start("auction", bottom="89T", script=["0 bid 3"], options={"show_bottom": show})
    assert [bool(hand.view(seat).bottom) for seat in (0, 1, 2, None)] == [True, show, show, show]


@pytest.mark.parametrize("cut", [1, 9, 16])
def test_the_cut_between_the_factors_of_open_hands(cut: int):
    game = variant("happy", open_cut=cut)
    hand = Game(game, shuffled(game, bytes(32)))
    run(hand, ["0 no; 1 no; 2 no"])
    assert (hand.view(0).moment, hand.view(0).counts) == ("early", (cut,) * 3)
    run(hand, ["0 no; 1 no; 2 no"])
    assert (hand.view(0).moment, hand.view(0).counts) == ("late", (17,) * 3)


@pytest.mark.parametrize("most", [0, 1, 3, 10])
def test_robs_in_two_player_end_at_their_most(most: int):
    hand = start("two_player", ["5" + "7788" * 2, "66" + "99TT" * 2], ["0 call"], options={"max_robs": most})
    robs = 0
    while hand.phase == "rob":
        hand.act(hand.turn[0], "rob")
        robs += 1
    assert (robs, hand.view(0).let, hand.view(0).multiplier) == (most, most, 2**most)
    assert hand.view(0).landlords == (most % 2,)


@pytest.mark.parametrize("name", ["landlord_war", "happy", "two_player"])
def test_spring_may_count_for_nothing(name: str):
    hands = ["5", "66", "77"][: variant(name).seats]
    assert len(SMALL[name]) == len(hands)
    for spring, multiplier in ((True, 2), (False, 1)):
        game = variant(name, spring=spring)
        hand = run(Game(game, position(game, hands)), ["skip", "0 call"])
        while hand.phase == "rob":
            hand.act(hand.turn[0], "no")
        result = run(hand, ["skip", "0 play 5"]).result
        assert result
        assert (result.multiplier, len(result.factors)) == (multiplier, multiplier - 1)
