"""Spring, the one formula, leaving on purpose, and titles."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu import Game, Result, position, variant, variants
from dizhu.game.titles import TITLES, title
from dizhu.game.view import Factor
from game.table import fork, refused, run, start

THREE = ["landlord_war", "auction", "classic", "happy"]
LANDLORD = {
    "landlord_war": ["0 call; 1 no; 2 no; skip"],
    "auction": ["0 bid 1; 1 no; 2 no"],
    "classic": ["0 bid 1; 1 no; 2 no"],
    "happy": ["skip; 0 call; 1 no; 2 no; skip"],
    "two_player": ["0 call; 1 no"],
}


def ended(name: str, hands: list[str], *script: str) -> Result:
    result = start(name, hands, [*LANDLORD[name], *script]).result
    assert result
    return result


@pytest.mark.parametrize("name", THREE)
def test_spring_is_a_landlord_who_wins_before_any_farmer_played(name: str):
    at_once = ended(name, ["3", "6", "7"], "0 play 3")
    assert (at_once.multiplier, at_once.points, at_once.winners) == (2, (4, -2, -2), (0,))
    assert [factor.name for factor in at_once.factors] == ["spring"]
    later = ended(name, ["34", "6", "7"], "0 play 3; 1 pass; 2 pass; 0 play 4")
    assert later.multiplier == 2
    one_farmer_played = ended(name, ["3A", "67", "78"], "0 play 3; 1 play 6; 2 pass; 0 play A")
    assert (one_farmer_played.multiplier, one_farmer_played.points) == (1, (2, -1, -1))


@pytest.mark.parametrize("name", THREE)
def test_anti_spring_is_a_landlord_who_lost_and_played_once_only(name: str):
    once = ended(name, ["35", "6", "7"], "0 play 3; 1 play 6")
    assert (once.multiplier, once.points, once.winners) == (2, (-4, 2, 2), (1, 2))
    assert [factor.name for factor in once.factors] == ["anti_spring"]
    passing = ended(name, ["35", "66", "778"], "0 play 3; 1 play 6; 2 pass; 0 pass; 1 play 6")
    assert passing.multiplier == 2
    twice = ended(name, ["358", "67", "T"], "0 play 3; 1 play 6; 2 pass; 0 play 8; 1 pass; 2 play T")
    assert (twice.multiplier, twice.points) == (1, (-2, 1, 1))


def test_spring_and_anti_spring_for_two():
    assert ended("two_player", ["5", "66"], "0 play 5").points == (2, -2)
    assert ended("two_player", ["57", "6"], "0 play 5; 1 play 6").points == (-2, 2)
    assert ended("two_player", ["58A", "679"], "0 play 5; 1 play 7; 0 play 8; 1 play 9; 0 play A").points == (1, -1)


def test_example_of_the_rule_book_three_bid_two_bombs_and_a_rocket():
    hand = start("auction", ["3BR", "6666K4", "77778"], ["0 bid 3; 0 play 3; 1 play K; 2 play 7777; 0 play BR"])
    assert hand.result
    assert (hand.result.base, hand.result.multiplier, hand.result.points) == (3, 4, (24, -12, -12))
    hand = start("auction", ["3BR9", "6666K4", "77778"], ["0 bid 3; 0 play 3; 1 play 6666; 2 play 7777; 0 play BR"])
    run(hand, ["1 pass; 2 pass; 0 play 9"])
    assert hand.result
    assert (hand.result.multiplier, hand.result.points) == (8, (48, -24, -24))


@pytest.mark.parametrize("bid", [1, 2, 3])
def test_base_is_the_bid(bid: int):
    hand = start("classic", ["3", "6", "7"], [f"0 bid {bid}", *(["1 no", "2 no"] if bid < 3 else []), "0 play 3"])
    assert hand.result
    assert hand.result.base == bid
    assert hand.result.points == (4 * bid, -2 * bid, -2 * bid)


def in_the_middle(bombs: int) -> Game:
    """A classic hand of bid 3 in which seat 0 is landlord and some bombs were played."""
    hand = start("classic", ["3444499", "5555TT", "6666JJ"], ["0 bid 3", "0 play 3"])
    return run(hand, ["1 play 5555", "2 play 6666"][:bombs])


def test_leaving_before_a_landlord_is_known_costs_three_points_for_the_house():
    begun = start("classic")
    for script in ([], ["0 no"], ["0 bid 1"], ["0 bid 1", "1 bid 2"]):
        for seat in range(3):
            hand = run(fork(begun), script)
            assert all(hand.view(other).may_leave for other in range(3))
            events = hand.act(seat, "leave")
            assert [event.kind for event in events] == ["leave", "over"]
            result = hand.result
            assert result
            assert result.points == tuple(-3 if other == seat else 0 for other in range(3))
            assert (result.house, result.winners, result.landlords, result.reason) == (3, (), (), "leave")
            assert hand.actions[-1] == (seat, "leave")
            assert refused(hand, (seat + 1) % 3, "leave") == "hand_over"


@pytest.mark.parametrize("bombs", [0, 1, 2])
def test_leaving_after_costs_three_times_base_times_multiplier(bombs: int):
    worth = 3 * 2**bombs
    for seat in range(3):
        hand = in_the_middle(bombs)
        hand.act(seat, "leave")
        result = hand.result
        assert result
        if seat == 0:
            assert (result.points, result.winners) == ((-3 * worth, worth, worth), (1, 2))
        else:
            partner = 3 - seat
            assert result.points[seat] == -3 * worth
            assert (result.points[0], result.points[partner], result.winners) == (2 * worth, 0, (0,))
        assert (result.house, sum(result.points)) == (worth, -worth)
        assert (result.base, result.multiplier, result.landlords) == (3, 2**bombs, (0,))


def test_anybody_may_leave_also_out_of_turn_but_not_after_a_redeal():
    hand = start("classic", None, ["0 no; 1 no; 2 no"])
    assert not hand.view(0).may_leave
    assert refused(hand, 0, "leave") == "hand_over"
    assert not start("classic").view(None).may_leave


@pytest.mark.parametrize("name", [name for name in variants() if name != "classic"])
def test_leaving_ends_nothing_in_the_other_games(name: str):
    hand = start(name)
    while hand.turn and hand.phase != "over":
        for seat in range(hand.variant.seats):
            assert refused(hand, seat, "leave") == "may_not_leave"
            assert not hand.view(seat).may_leave
        seat = hand.turn[0]
        hand.act(seat, next((action for action in hand.legal(seat) if action != "no"), "no"))


@given(bombs=st.integers(0, 400), landlord_wins=st.booleans(), doubled=st.sets(st.integers(0, 2)))
def test_points_are_exact_whole_numbers_of_any_size(bombs: int, doubled: set[int], *, landlord_wins: bool):
    # More bombs than a deck has: a factor is a factor, so they are put into the state as if they had been played.
    game = variant("landlord_war")
    hand = Game(game, position(game, ["34", "66", "77"]))
    run(hand, ["0 call; 1 no; 2 no", *(f"{seat} {'double' if seat in doubled else 'no'}" for seat in range(3))])
    hand.state = replace(hand.state, factors=(Factor("bomb", 2),) * bombs)
    run(hand, ["0 play 3", "1 pass; 2 pass; 0 play 4" if landlord_wins else "1 play 6; 2 pass; 0 pass; 1 play 6"])
    result = hand.result
    assert result
    sign = 1 if landlord_wins else -1
    pays = [sign * 2 ** (bombs + 1 + (0 in doubled) + (farmer in doubled)) for farmer in (1, 2)]
    assert result.points == (sum(pays), -pays[0], -pays[1])
    assert (result.multiplier, result.house, sum(result.points)) == (2 ** (bombs + 1), 0, 0)


RULE_BOOK = """
baoshengong 0 0
duangong 10 30
changgong 25 60
dianhu 40 90
pinnong 80 180
yufu 140 320
lieren 230 530
zhongnong 365 840
funong 500 1150
zhanggui 700 1600
shangren 1000 2300
yayi 1500 3450
xiaocaizhu 2200 5000
dacaizhu 3000 6900
xiaodizhu 4000 9200
dadizhu 5500 12600
zhixian 7700 17700
tongpan 10000 23000
zhifu 14000 32200
zongdu 20000 46000
xunfu 30000 69000
chengxiang 45000 103000
huangdi 70000 161000
"""


def test_titles_are_reached_at_the_points_of_the_rule_book():
    steps = [line.split() for line in RULE_BOOK.split("\n") if line]
    assert len(steps) == len(TITLES) == 23
    ladders: tuple[tuple[int, Literal["three_player", "five_player"]], ...] = ((1, "three_player"), (2, "five_player"))
    for column, ladder in ladders:
        for number, step in enumerate(steps):
            points = int(step[column])
            assert title(points, ladder).pinyin == step[0]
            if number:
                assert title(points - 1, ladder).pinyin == steps[number - 1][0]
    for far_out, name in ((-(10**30), "baoshengong"), (-1, "baoshengong"), (10**30, "huangdi")):
        assert title(far_out).pinyin == title(far_out, "five_player").pinyin == name


def test_every_game_counts_for_one_of_the_two_ladders():
    assert {name: variant(name).ladder for name in variants()} == {
        **dict.fromkeys(variants(), "three_player"),
        "five_player": "five_player",
    }
