"""The play: leads, passes, what must be beaten, and how a hand ends; in every game."""

from __future__ import annotations

import pytest

from dizhu import Game, position, variant, variants
from game.table import refused, run, start

TO_PLAY = {
    "landlord_war": ["0 call; 1 no; 2 no; skip"],
    "auction": ["0 bid 3"],
    "classic": ["0 bid 3"],
    "happy": ["skip", "0 call; 1 no; 2 no; skip"],
    "two_player": ["0 call; 1 no"],
    "five_player": ["skip"],
}
HANDS = {
    3: ["568R", "66677", "5577K"],
    2: ["568R", "66677"],
    5: ["7h 5 6 8 R", "66677", "5577K", "7h 9 9", "J J"],
}
SEATS = {name: 2 if name == "two_player" else 5 if name == "five_player" else 3 for name in TO_PLAY}


def playing(name: str, hands: list[str] | None = None, script: list[str] | None = None):
    return start(name, hands or HANDS[SEATS[name]], [*TO_PLAY[name], *(script or [])])


@pytest.mark.parametrize("name", variants())
def test_nobody_may_pass_on_a_lead(name: str):
    hand = playing(name)
    assert (hand.phase, hand.turn) == ("play", (0,))
    assert "pass" not in hand.legal(0)
    assert refused(hand, 0, "pass") == "must_play"
    assert refused(hand, 1, "pass") == "not_your_turn"


@pytest.mark.parametrize("name", variants())
def test_when_all_others_pass_the_last_player_leads_again(name: str):
    hand = playing(name, script=["0 play 5", "1 play 6"])
    for _ in range(SEATS[name] - 1):
        assert hand.legal(hand.turn[0])[0] == "pass"
        assert hand.view(None).table is not None
        hand.act(hand.turn[0], "pass")
    assert hand.turn == (1,)
    assert hand.view(None).table is None
    assert "pass" not in hand.legal(1)
    run(hand, ["1 play 66"])
    assert [move and (move.seat, len(move.cards)) for move in hand.view(None).last] == [
        (1, 2) if seat == 1 else None for seat in range(SEATS[name])
    ]


@pytest.mark.parametrize("name", [name for name in variants() if name != "two_player"])
def test_passing_does_not_bar_from_playing_later_in_the_trick(name: str):
    hand = playing(name, script=["0 play 5", "1 pass", "2 play 7"])
    while hand.turn[0] != 1:
        hand.act(hand.turn[0], "play 8" if hand.turn[0] == 0 else "pass")
    assert hand.legal(1) == ["pass"]
    hand = playing(
        name, ["7h 5 6 R" if name == "five_player" else "56R", "66677K", "5577", "7h 9 9", "J J"][: SEATS[name]]
    )
    run(hand, ["0 play 5; 1 pass; 2 play 7"])
    while hand.turn[0] != 1:
        hand.act(hand.turn[0], "pass")
    run(hand, ["1 play K"])
    table = hand.view(None).table
    assert table
    assert (table.seat, table.kind, table.rank) == (1, "solo", "K")


@pytest.mark.parametrize("name", variants())
def test_reasons_for_refusing_a_play(name: str):
    hand = playing(name, script=["0 play 8"])
    assert refused(hand, 1, "play 66") == "does_not_beat"
    assert refused(hand, 1, "play 6") == "does_not_beat"
    assert refused(hand, 1, "play K") == "cards_not_held"
    assert refused(hand, 1, "play 6666") == "cards_not_held"
    assert refused(hand, 1, "play 67") == "not_a_combination"
    assert refused(hand, 1, "play 1") == "malformed_cards"
    assert refused(hand, 1, "play 6x") == "malformed_cards"
    assert refused(hand, 1, "play r") == "malformed_cards"
    assert refused(hand, 1, "play") == "malformed_action"
    assert refused(hand, 1, "play  ") == "malformed_action"
    assert refused(hand, 1, "bid 3") == "not_allowed"
    assert refused(hand, 0, "play R") == "not_your_turn"


@pytest.mark.parametrize("cards", ["667788", "876876", "8h 7h6h 678", "6 7 8 6s 7s 8s", "786s 786"])
def test_cards_may_be_named_in_any_order_with_or_without_suits(cards: str):
    hand = start("classic", ["6s 6h 7s 7h 8s 8h 9", "3", "4"], ["0 bid 3", f"0 play {cards}"])
    table = hand.view(1).table
    assert table
    assert (table.kind, table.length, table.rank) == ("pair_chain", 3, "8")
    assert table.cards == ("6s", "6h", "7s", "7h", "8s", "8h")


@pytest.mark.parametrize(
    ("action", "written", "cards"),
    [
        ("play 66", "play 66", ("6s", "6h")),
        ("play 6s 6h", "play 66", ("6s", "6h")),
        ("play 6h 6s", "play 66", ("6s", "6h")),
        ("play 6d 6s", "play 6s 6d", ("6s", "6d")),
        ("play 6d 6", "play 6s 6d", ("6s", "6d")),
        ("play  6  6 ", "play 66", ("6s", "6h")),
    ],
)
def test_an_action_is_kept_by_ranks_where_these_say_which_cards_it_was(
    action: str, written: str, cards: tuple[str, ...]
):
    hand = start("classic", ["6s 6h 6d 7s", "3", "4"], ["0 bid 3"])
    events = hand.act(0, action)
    assert hand.actions[-1] == (0, written)
    assert events[0].cards == cards


def test_cards_with_the_wrong_suit_are_not_held():
    hand = start("classic", ["6s 6h 7s", "3", "4"], ["0 bid 3"])
    assert refused(hand, 0, "play 6d") == "cards_not_held"
    assert refused(hand, 0, "play 6s 6s") == "cards_not_held"
    assert refused(hand, 0, "play Bs") == "malformed_cards"


def test_history_and_table_are_public_and_complete():
    hand = playing("classic", script=["0 play 5", "1 pass", "2 play 7", "0 play 8"])
    for seat in (0, 1, 2, None):
        view = hand.view(seat)
        assert [(move.seat, "".join(card[0] for card in move.cards)) for move in view.history] == [
            (0, "5"), (1, ""), (2, "7"), (0, "8"),
        ]  # fmt: skip
        assert view.table
        assert (view.table.seat, view.table.kind, view.table.length, view.table.rank) == (0, "solo", 1, "8")
        assert view.counts == (2, 5, 4)
        assert [move and move.seat for move in view.last] == [0, 1, 2]


@pytest.mark.parametrize("name", [name for name in variants() if name != "five_player"])
def test_each_bomb_and_the_rocket_double(name: str):
    hands = ["8888BR5", "9999556", "TTTT66"][: SEATS[name]]
    hand = playing(name, hands, ["0 play 5", "1 play 9999"])
    assert hand.view(None).multiplier == 2
    while hand.turn[0] != 0:
        hand.act(hand.turn[0], "pass")
    run(hand, ["0 play BR"])
    assert hand.view(None).multiplier == 4
    assert [factor.name for factor in hand.view(None).factors] == ["bomb", "rocket"]
    while hand.turn[0] != 0:
        assert hand.legal(hand.turn[0]) == ["pass"]
        hand.act(hand.turn[0], "pass")
    events = hand.act(0, "play 8888")
    assert events[0].value == 2
    result = hand.result
    assert result
    assert result.multiplier == 8, "bombs left in a hand count for nothing, and who played is not sprung"


def test_nothing_may_be_done_after_the_end():
    hand = start("classic", ["3", "6", "7"], ["0 bid 3; 0 play 3"])
    assert (hand.phase, hand.turn, hand.simultaneous) == ("over", (), False)
    assert hand.legal(0) == hand.legal(1) == []
    for action in ("pass", "play 6", "no", "leave", "", "nonsense"):
        assert refused(hand, 1, action) == "hand_over"
    for seat in (0, 1, 2, None):
        view = hand.view(seat)
        assert all(cards is not None for cards in view.hands)
        assert view.result == hand.result
        assert view.revealed


def test_two_player_farmer_wins_at_the_let_cards_after_a_play_of_his():
    script = ["0 call; 1 rob; 0 rob; 1 no"]
    hand = start("two_player", ["568", "6677"], [*script, "0 play 5"])
    assert hand.view(1).let == hand.view(None).let == 2
    run(hand, ["1 play 6"])
    assert hand.phase == "play", "three left, two are let"
    run(hand, ["0 pass", "1 play 7"])
    result = hand.result
    assert result
    assert (result.reason, result.winners, result.multiplier) == ("let", (1,), 8)  # two robs, anti-spring
    assert result.points == (-8, 8)
    assert len(hand.view(0).hands[1] or ()) == 2


def test_two_player_landlord_must_play_all_his_cards_and_a_farmer_that_holds_few_must_play_first():
    hand = start("two_player", ["5678", "6"], ["0 call; 1 rob; 0 rob; 1 no; 0 play 5"])
    assert hand.phase == "play", "the farmer wins after a play of his only"
    run(hand, ["1 pass; 0 play 6; 1 pass; 0 play 7"])
    assert hand.phase == "play", "let cards are the farmer's"
    run(hand, ["1 pass; 0 play 8"])
    assert hand.result
    assert (hand.result.reason, hand.result.winners) == ("out", (0,))


def test_two_player_shows_the_unseen_cards_after_the_end_only():
    game = variant("two_player")
    hand = Game(game, position(game, ["5", "66"], "7", aside="8 9 T"))
    run(hand, ["0 call; 1 no"])
    assert all(hand.view(seat).aside is None for seat in (0, 1, None))
    run(hand, ["0 play 5; 1 pass; 0 play 7"])
    assert all(hand.view(seat).aside == ("8s", "9s", "Ts") for seat in (0, 1, None))
