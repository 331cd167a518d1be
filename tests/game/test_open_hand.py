"""Open hands in happy: the moments, the parts of the deal that are seen at each, and the factor."""

from __future__ import annotations

from itertools import product

import pytest

from dizhu import Game, shuffled, variant
from game.table import refused, run, start, views

HAPPY = variant("happy")
DEALT = {"before": 0, "early": 12, "late": 17}


def dealt() -> Game:
    return Game(HAPPY, shuffled(HAPPY, bytes(32), 0))


def held(hand: Game, seat: int | None, of: int) -> list[str] | None:
    cards = hand.view(seat).hands[of]
    return None if cards is None else sorted(cards)


@pytest.mark.parametrize("opener", [None, 1])
def test_at_each_moment_a_view_holds_the_cards_dealt_so_far_and_no_other(opener: int | None):
    hand = dealt()
    for moment, count in DEALT.items():
        assert hand.phase == "open"
        for seat in (0, 1, 2, None):
            view = hand.view(seat)
            assert (view.moment, view.counts, view.bottom) == (moment, (count,) * 3, None)
            for other in range(3):
                part = sorted(hand.deal.hands[other][:count])
                opened = other == opener and moment != "before"
                assert held(hand, seat, other) == (part if seat == other or opened else None)
        for seat in hand.turn:
            hand.act(seat, "open" if moment == "before" and seat == opener else "no")
    assert hand.phase == "call"
    assert hand.view(0).counts == (17, 17, 17)


def test_a_deal_of_any_size_is_dealt_in_its_order():
    hand = start("happy", ["3K5", "66789TJQKA2222B", "77"])
    for seat in range(3):
        hand.act(seat, "no")
    assert hand.view(1).counts == (3, 12, 2)
    assert "B" not in (hand.view(1).hands[1] or ())


@pytest.mark.parametrize(("moment", "factor"), [("before", 5), ("early", 4), ("late", 3), ("landlord", 2)])
def test_each_moment_has_its_factor_and_shows_the_hand_from_then_on(moment: str, factor: int):
    moments = ("before", "early", "late", "landlord")
    script = ["0 no; 1 no; 2 no"] * min(moments.index(moment), 3)
    script += ["0 call; 1 no; 2 no"] if moment == "landlord" else []
    hand = start("happy", ["357", "66", "77"], script, bottom="89T")
    events = hand.act(0, "open")
    if moment != "landlord":
        assert [event.kind for event in events] == ["answered"]
        assert all(view.opened == () and view.multiplier == 1 for view in views(hand))
        events = run_rest(hand)
    assert ("open", 0, factor) in [(event.kind, event.seat, event.value) for event in events]
    assert hand.view(None).multiplier == factor
    assert hand.view(None).opened == (0,)
    if moment != "landlord":
        run(hand, ["skip", "0 call; 1 no; 2 no"])
    assert hand.phase == "double"
    run(hand, ["skip", "0 play 3", "1 pass", "2 pass"])
    for seat in (1, 2, None):
        assert [card[0] for card in hand.view(seat).hands[0] or ()] == list("5789T")
    assert hand.view(2).hands[1] is None


def run_rest(hand: Game):
    for seat in hand.turn[:-1]:
        hand.act(seat, "no")
    return hand.act(hand.turn[0], "no")


def test_only_the_largest_factor_counts_and_once():
    for before, early, late in product(range(3), repeat=3):
        hand = start("happy")
        for moment, opener in (("before", before), ("early", early), ("late", late)):
            for seat in hand.turn:
                hand.act(seat, "open" if seat == opener else "no")
            assert hand.view(None).multiplier == 5, moment
        assert [(factor.name, factor.times) for factor in hand.view(None).factors] == [("open", 5)]


def test_a_hand_once_open_is_not_asked_again():
    hand = start("happy", None, ["2 open; 0 no; 1 no"])
    assert hand.turn == (0, 1)
    assert refused(hand, 2, "open") == "not_your_turn"
    run(hand, ["skip", "2 call; 0 no; 1 no"])
    assert hand.phase == "double", "the landlord's own moment falls away"


def test_when_all_are_open_the_later_moments_fall_away():
    hand = start("happy", None, ["1 open; 0 open; 2 open"])
    assert (hand.phase, hand.turn) == ("call", (1,)), "the first to answer has the first call"


def test_first_opener_is_landlord_if_nobody_calls():
    hand = start("happy", None, ["skip"])
    assert hand.phase == "call"
    hand = start("happy", None, ["0 no; 1 no; 2 no", "2 no; 1 open; 0 open", "skip", "1 no; 2 no; 0 no"])
    assert (hand.phase, hand.view(None).landlords, hand.view(None).multiplier) == ("double", (1,), 4)


def test_redeal_when_nobody_opened_and_nobody_calls_keeps_all_hands_hidden():
    hand = start("happy", None, ["skip", "0 no; 1 no; 2 no"])
    assert hand.phase == "redeal"
    assert hand.view(0).hands[1:] == (None, None)
    assert refused(hand, 0, "call") == "hand_over"
    assert hand.result is None


@pytest.mark.parametrize("action", ["call", "double", "pass", "play 3", "bid 1", "rob", "declare"])
def test_nothing_else_may_be_answered(action: str):
    assert refused(start("happy"), 1, action) == "not_allowed"


def test_nobody_answers_twice():
    hand = start("happy", None, ["1 open"])
    assert refused(hand, 1, "no") == "not_your_turn"
    assert hand.turn == (0, 2)
