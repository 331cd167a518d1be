"""Five players: the marked card and its twin, declaring, who sees what, who leads, who wins."""

from __future__ import annotations

from itertools import product

import pytest

from dizhu import InvalidDeal, position, variant
from game.table import refused, run, start, views

GAME = variant("five_player")


def seated(open_landlord: int, hidden: int) -> list[str]:
    """Small hands with the marked 7h at one seat and its twin at the other."""
    hands = [f"{rank}s {rank}c" for rank in "89TJQ"]
    hands[open_landlord] += " 7h"
    hands[hidden] += " 7h"
    return hands


PLACES = list(product(range(5), repeat=2))


@pytest.mark.parametrize(("landlord", "hidden"), PLACES)
def test_open_landlord_takes_the_bottom_and_leads_whoever_is_declared(landlord: int, hidden: int):
    for declarer in {landlord, hidden}:
        hand = start("five_player", seated(landlord, hidden), first=landlord, bottom="3s 4s")
        assert hand.phase == "declare"
        assert hand.view(None).landlords == (landlord,)
        hand.act(declarer, "declare")
        run(hand, ["skip"])
        assert hand.turn == (landlord,), "the open landlord leads, also after the declaration"
        assert hand.view(None).landlords == tuple(sorted({landlord, hidden}))
        assert "3s" in (hand.view(landlord).hands[landlord] or ())
        shown = [seat for seat in (*range(5), None) if hand.view(seat).bottom is not None]
        assert shown == [landlord], "who took the bottom cards knows them, and nobody else"


@pytest.mark.parametrize(("landlord", "hidden"), PLACES)
def test_hidden_landlord_alone_knows_until_the_twin_is_played(landlord: int, hidden: int):
    hand = start("five_player", seated(landlord, hidden), ["skip"], first=landlord)
    both = tuple(sorted({landlord, hidden}))
    for seat in (*range(5), None):
        view = hand.view(seat)
        assert view.landlords == (both if seat == hidden else (landlord,))
        assert not view.revealed
        assert [other for other in range(5) if view.hands[other]] == ([] if seat is None else [seat])
    if landlord == hidden:
        return
    lead = "play 8" if landlord == 0 else f"play {'89TJQ'[landlord]}"
    run(hand, [f"{landlord} {lead}"])
    while hand.turn[0] != landlord:
        hand.act(hand.turn[0], "pass")
    run(hand, [f"{landlord} play 7h"])  # the open landlord's copy reveals nothing
    assert not hand.view(None).revealed
    # he has one card left, and everybody passes; nobody may win before the twin is seen
    while hand.turn[0] != hidden:
        hand.act(hand.turn[0], "pass")
    card = "89TJQ"[hidden]
    hand.act(hidden, f"play {card}")
    while hand.turn[0] != hidden:
        hand.act(hand.turn[0], "pass")
    before = hand.view(None).multiplier
    events = hand.act(hidden, "play 7h")
    assert ("reveal", hidden) in [(event.kind, event.seat) for event in events]
    assert all(view.revealed and view.landlords == both for view in views(hand))
    assert hand.view(None).multiplier == before, "playing the twin multiplies nothing"
    for seat in (*range(5), None):
        seen = [other for other in range(5) if hand.view(seat).hands[other] is not None]
        assert seen == (list(both) if seat in both else [] if seat is None else [seat])


def test_after_a_declaration_the_two_landlords_see_each_other_and_nobody_else_does():
    hand = start("five_player", seated(3, 1), ["1 declare; skip"], first=3)
    assert hand.view(3).hands[1] == hand.view(1).hands[1]
    assert hand.view(1).hands[3] == hand.view(3).hands[3]
    for seat in (0, 2, 4, None):
        assert [other for other in range(5) if hand.view(seat).hands[other]] == ([] if seat is None else [seat])


@pytest.mark.parametrize("declarers", [(0,), (3,), (0, 3), (3, 0)])
def test_declaring_doubles_once(declarers: tuple[int, ...]):
    hand = start("five_player", None, [f"{seat} declare" for seat in declarers])
    assert hand.view(None).multiplier == 1
    run(hand, ["skip"])
    assert hand.view(None).multiplier == 2
    assert hand.view(None).landlords == (0, 3)
    assert hand.view(1).revealed


def test_everybody_is_asked_and_who_is_no_landlord_can_only_decline():
    hand = start("five_player")
    assert hand.turn == (0, 1, 2, 3, 4)
    assert [hand.legal(seat) for seat in range(5)] == [["declare", "no"], ["no"], ["no"], ["declare", "no"], ["no"]]
    assert refused(hand, 1, "declare") == "not_allowed"
    assert refused(hand, 0, "double") == "not_allowed"


@pytest.mark.parametrize("twin", ["dealt", "bottom", "nowhere"])
def test_open_landlord_with_both_copies_plays_alone(twin: str):
    hands = ["7h 7h 3s", "8s", "9s", "Ts", "Js"] if twin == "dealt" else ["7h 3s", "8s", "9s", "Ts", "Js"]
    hand = start("five_player", hands, bottom="7h" if twin == "bottom" else "")
    assert [hand.legal(seat) for seat in range(5)] == [["declare", "no"], *[["no"]] * 4]
    assert not hand.view(None).revealed
    events = []
    for seat in (0, 1, 2, 3, 4):
        events += hand.act(seat, "declare" if seat == 0 else "no")
    assert [(event.kind, event.seat) for event in events if event.kind == "reveal"] == [("reveal", None)]
    assert hand.view(1).revealed
    run(hand, ["skip", "0 play 3", "1 play 8"])
    result = hand.result
    assert result
    assert (result.landlords, result.winners, result.points) == ((0,), (1, 2, 3, 4), (-16, 4, 4, 4, 4))


def test_both_copies_on_the_table_reveal_that_he_is_alone():
    hand = start("five_player", ["7h 7h 3s", "8s 8h", "9s 9h", "Ts Th", "Js Jh"], ["skip"])
    run(hand, ["0 play 7h", "1 pass; 2 pass; 3 pass; 4 pass"])
    assert not hand.view(None).revealed
    run(hand, ["0 play 7h"])
    assert hand.view(None).revealed
    assert hand.view(None).landlords == (0,)


def test_pair_of_both_copies_reveals_at_once():
    hand = start("five_player", ["7h 7h 3s", "8s 8h", "9s 9h", "Ts Th", "Js Jh"], ["skip", "0 play 77"])
    assert hand.view(3).revealed


def test_naming_ranks_keeps_the_marked_card_where_another_will_do():
    hand = start("five_player", ["7h 3s", "8s 8h", "9s 9h", "7h 7s Ts", "Js Jh"], ["skip", "0 play 3; 1 pass; 2 pass"])
    run(hand, ["3 play 7"])
    assert not hand.view(None).revealed
    assert hand.view(3).hands[3] == ("7h", "Ts")
    assert hand.actions[-1] == (3, "play 7")


def test_naming_the_twin_plays_it():
    hand = start("five_player", ["7h 3s", "8s 8h", "9s 9h", "7h 7s Ts", "Js Jh"], ["skip", "0 play 3; 1 pass; 2 pass"])
    run(hand, ["3 play 7h"])
    assert hand.view(None).revealed
    assert hand.actions[-1] == (3, "play 7h")


def test_hidden_landlord_wins_for_his_side_without_being_known():
    hand = start("five_player", ["7h 3s 4s", "8s 8h", "9s 9h", "7h", "Js Jh"], ["skip", "0 play 3; 1 pass; 2 pass"])
    run(hand, ["3 play 7"])
    result = hand.result
    assert result
    assert (result.winners, result.landlords) == ((0, 3), (0, 3))
    assert result.points == (6, -4, -4, 6, -4)  # ×2: no farmer played a card


@pytest.mark.parametrize(
    ("bomb", "times"),
    [
        *[("8888", 1), ("BB", 1), ("RR", 1), ("88888", 2), ("888888", 2), ("8888888", 2), ("88888888", 2)],
        *[("BBR", 2), ("BRR", 2), ("BBRR", 2)],
    ],
)
def test_which_bombs_multiply(bomb: str, times: int):
    hands = ["7h 3s 4s", f"{bomb} 5", "9s 9h", "7h Ts", "Js Jh"]
    hand = start("five_player", hands, ["skip", "0 play 3"])
    events = hand.act(1, f"play {bomb}")
    assert hand.view(None).multiplier == times
    assert events[0].value == (times if times > 1 else None)


def test_spring_is_a_losing_side_that_never_played_and_landlords_cannot_be_sprung():
    sprung = start("five_player", ["7h", "8s", "9s", "7h Ts", "Js"], ["skip", "0 play 7"])
    assert sprung.result
    assert sprung.result.points == (6, -4, -4, 6, -4)
    led_once = start("five_player", ["7h 3s", "8s", "9s", "7h Ts", "Js"], ["skip", "0 play 3; 1 play 8"])
    assert led_once.result
    assert (led_once.result.multiplier, led_once.result.points) == (1, (-3, 2, 2, -3, 2))


@pytest.mark.parametrize(
    ("hands", "marked", "first", "code"),
    [
        (["7h", "8", "9", "T", "J"], "7s", 0, "bad_marked_card"),
        (["7h", "8", "9", "T", "J"], "7h", 1, "bad_marked_card"),
        (["B", "8", "9", "T", "J"], "B", 0, "bad_marked_card"),
        (["7h", "8", "9", "T", "J"], None, 0, "bad_marked_card"),
        (["7h", "8", "9", "T", "J"], "", 0, "bad_marked_card"),
        (["7h", "8", "9", "T"], "7h", 0, "wrong_seats"),
        (["7h 7h 7h", "8", "9", "T", "J"], "7h", 0, "too_many_cards"),
        (["7h", "", "9", "T", "J"], "7h", 0, "empty_hand"),
    ],
)
def test_deals_that_are_none(hands: list[str], marked: str | None, first: int, code: str):
    with pytest.raises(InvalidDeal) as caught:
        position(GAME, hands, "", first, marked)
    assert caught.value.code == code
