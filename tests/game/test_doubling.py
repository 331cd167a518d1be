"""Doubling: pairwise in landlord_war and happy, on the whole table in five_player, and the condition on beans."""

from __future__ import annotations

from itertools import product

import pytest

from dizhu import Stakes
from game.table import refused, run, start, views

EVERY_DOUBLING = [tuple(seat for seat in range(3) if yes[seat]) for yes in product((False, True), repeat=3)]


@pytest.mark.parametrize("landlord_wins", [True, False])
@pytest.mark.parametrize("doubled", EVERY_DOUBLING)
@pytest.mark.parametrize("name", ["landlord_war", "happy"])
def test_each_pair_pays_twice_for_each_of_its_two_who_doubled(name: str, doubled: tuple[int, ...], landlord_wins: bool):
    landlord = 1
    hand = start(name, ["66", "34", "77"], ["skip", "1 call; 2 no; 0 rob; 1 rob"], first=1)
    if hand.phase == "open":
        hand.act(landlord, "no")
    run(hand, [f"{seat} {'double' if seat in doubled else 'no'}" for seat in (2, 0, 1)])
    assert hand.view(None).doubled == doubled
    assert hand.view(None).multiplier == 4, "pairwise doubling is no part of the multiplier"
    run(
        hand,
        ["1 play 3; 2 pass; 0 pass; 1 play 4" if landlord_wins else "1 play 3; 2 play 7; 0 pass; 1 pass; 2 play 7"],
    )
    result = hand.result
    assert result
    worth = 4 * (2 if landlord_wins else 1)  # two robs; and spring, when no farmer played
    worth *= 1 if landlord_wins else 2  # anti-spring: the landlord played his lead only
    sign = 1 if landlord_wins else -1
    pays = {farmer: worth * 2 ** ((farmer in doubled) + (landlord in doubled)) for farmer in (0, 2)}
    assert result.points == (-sign * pays[0], sign * (pays[0] + pays[2]), -sign * pays[2])
    assert (result.doubled, result.multiplier, result.house) == (doubled, worth, 0)


@pytest.mark.parametrize("doubled", [(), (2,), (0, 1), (1, 2, 4), (0, 1, 2, 3, 4)])
def test_in_five_player_each_doubling_doubles_the_table(doubled: tuple[int, ...]):
    hand = start("five_player", None, [f"{seat} no" for seat in range(5)])
    assert hand.phase == "double"
    run(hand, [f"{seat} {'double' if seat in doubled else 'no'}" for seat in (3, 1, 4, 0, 2)])
    assert hand.view(None).multiplier == 2 ** len(doubled)
    assert [factor.name for factor in hand.view(None).factors] == ["double"] * len(doubled)
    run(hand, ["0 play 3; 1 play 8; 2 pass; 3 pass; 4 pass; 0 pass; 1 play 8"])
    worth = 2 ** len(doubled)
    assert hand.result
    assert hand.result.points == (-3 * worth, 2 * worth, 2 * worth, -3 * worth, 2 * worth)


def allowed(beans: tuple[int, ...], threshold: int, landlord: int) -> list[bool]:
    """Who may double for beans, by the rule book."""
    rich = [count > threshold for count in beans]
    return [all(rich) if seat == landlord else rich[seat] and rich[landlord] for seat in range(3)]


@pytest.mark.parametrize("beans", list(product((999, 1000, 1001), repeat=3)))
def test_for_beans_one_needs_more_than_the_threshold(beans: tuple[int, ...]):
    for landlord in range(3):
        script = ["skip", f"{landlord} call; {(landlord + 1) % 3} no; {(landlord + 2) % 3} no", f"{landlord} no"]
        hand = start("happy", None, script, first=landlord, stakes=Stakes(beans, 1000))
        assert hand.phase == "double"
        for seat, may in enumerate(allowed(beans, 1000, landlord)):
            assert hand.legal(seat) == (["double", "no"] if may else ["no"])
            if not may:
                assert refused(hand, seat, "double") == "not_allowed"


def test_there_is_no_condition_without_beans_nor_in_other_games():
    for stakes in (None, Stakes((0, 0, 0), 1000)):
        hand = start("landlord_war", None, ["0 call; 1 no; 2 no"], stakes=stakes)
        assert hand.legal(1) == ["double", "no"]
    hand = start("happy", None, ["skip", "0 call; 1 no; 2 no; 0 no"])
    assert hand.legal(2) == ["double", "no"]


@pytest.mark.parametrize("name", ["landlord_war", "happy", "five_player"])
def test_answers_are_held_back_until_all_are_in(name: str):
    scripts = {
        "landlord_war": ["0 call; 1 no; 2 no"],
        "happy": ["skip", "0 call; 1 no; 2 no; 0 no"],
        "five_player": [f"{seat} no" for seat in range(5)],
    }
    hand = start(name, None, scripts[name])
    seats = range(hand.variant.seats)
    before = views(hand)
    assert [event.kind for event in hand.act(1, "double")] == ["answered"]
    assert all(
        view.doubled == () and view.multiplier == 1 and view.answers == before[0].answers for view in views(hand)
    )
    for seat in seats[2:]:
        hand.act(seat, "no")
    events = hand.act(0, "double")
    said = [(event.kind, event.seat, event.value) for event in events[: len(seats)]]
    assert said == [("double", 1, 2), *[("no", seat, None) for seat in seats[2:]], ("double", 0, 2)]
    assert hand.view(None).doubled == (0, 1)
    assert hand.phase == "play"
