"""The bot `rule` in positions with one right answer."""

from __future__ import annotations

import pytest

import dizhu
from dizhu import bots
from dizhu.bots.chances import Chances
from dizhu.bots.knowledge import conclude
from dizhu.bots.plan import Planner
from dizhu.bots.weights import Weights
from dizhu.rules import cards as c


def answer(game: dizhu.Game, seat: int | None = None) -> str:
    seat = game.turn[0] if seat is None else seat
    return bots.create("rule", seed=1).act(game.view(seat))


def playing(name: str, hands: list[str], script: str = "", first: int = 0, bottom: str = "") -> dizhu.Game:
    """A position in which the first seat has become landlord; then `script`, actions parted by commas."""
    variant = dizhu.variant(name)
    game = dizhu.Game(variant, dizhu.position(variant, hands=hands, first=first, bottom=bottom))
    while game.phase != "play":
        seat = game.turn[0]
        wanted = {"bid": "bid 3", "call": "call"}.get(game.phase, "no")
        game.act(seat, wanted if wanted in game.legal(seat) else "no")
    for action in filter(None, script.split(", ")):
        game.act(game.turn[0], action)
    return game


@pytest.mark.parametrize("hand", ["3", "77", "34567", "33344456", "5555", "BR", "444466"])
def test_plays_its_last_cards_at_once(hand: str):
    game = playing("classic", [hand, "TTJQKA2", "889JQKA"])
    assert answer(game) == f"play {hand}"


@pytest.mark.parametrize(("hand", "table"), [("2", "A"), ("BR", "5"), ("7777", "KK"), ("9QQQ", "8JJJ")])
def test_beats_the_table_with_its_last_cards(hand: str, table: str):
    game = playing("classic", [table + "3456", hand, "889JQKA"], f"play {table}")
    assert answer(game) == f"play {hand}"


def test_plays_what_nobody_can_beat_and_then_its_last_group():
    game = playing("classic", ["5BR", "2278JKA", "226TQQA"])
    assert answer(game) == "play BR"


def test_bombs_when_the_rest_goes_through():
    game = playing("classic", ["A3467", "KKKK8", "559JQQ"], "play A")
    assert answer(game) == "play KKKK"


def test_keeps_its_bomb_early():
    hands = ["3456789JJQQKKAA2", "35568889TTTT4JQKA", "4467799QKA22BR"]
    game = playing("classic", hands, "play 3")
    assert answer(game) not in {"play TTTT", "pass"}


def test_farmer_leaves_the_trick_to_a_partner_whom_the_landlord_cannot_beat():
    game = playing("classic", ["344556", "778899R", "JJQKA2"], "play 3, play R")
    assert answer(game) == "pass"


def test_farmer_does_not_beat_a_partner_who_is_about_to_win():
    game = playing("classic", ["34455667889", "7K2", "9TJQAAA"], "play 3, play 2")
    assert answer(game) == "pass"


@pytest.mark.parametrize("seat_before_landlord", ["5TTQQK"])
def test_farmer_blocks_a_landlord_with_one_card(seat_before_landlord: str):
    game = playing("classic", ["9J", "455667", seat_before_landlord], "play 9, pass")
    assert answer(game) == "play K"


def test_farmer_leads_no_low_card_to_a_landlord_with_one_card():
    game = playing("classic", ["9A", "55678", "344TQK"], "play 9, pass, play K, pass, pass")
    assert answer(game) in {"play 44", "play Q"}


def test_farmer_feeds_a_partner_with_one_card():
    game = playing("classic", ["5JJQQKK889TT", "23477TT", "9"], "play 5, play 2, pass, pass")
    assert answer(game) == "play 3"


def test_follows_without_tearing_what_belongs_together():
    game = playing("classic", ["4TTJJQQ7799K", "56789K2K", "33468JQA"], "play 4")
    assert answer(game) in {"play K", "play 2"}


@pytest.mark.parametrize("jokers", ["BB", "RR", "BRR", "BBR", "BBRR"])
def test_jokers_of_two_decks_stay_together(jokers: str):
    variant, weights = dizhu.variant("five_player"), Weights()
    known = conclude(dizhu.Game(variant, dizhu.shuffled(variant, bytes(32))).view(0))
    planner = Planner(known, Chances(known, weights), weights)
    assert c.parse(jokers) in {group.cards for group in planner.best(c.parse(f"3478K{jokers}")).groups}


def test_is_content_with_the_let_cards():
    game = playing("two_player", ["5", "99J"])
    assert game.view(1).let == 0
    variant = dizhu.variant("two_player")
    game = dizhu.Game(variant, dizhu.position(variant, hands=["567788", "9TKJ"], first=0))
    for action in ("call", "rob", "rob", "no"):
        game.act(game.turn[0], action)
    assert game.view(1).let == 2
    game.act(0, "play 77")
    assert answer(game) == "pass"


STRONG, RUBBISH, REST = "888999KKKAAA222BR", "33455669JJJQQQTTT", "TJQ"


@pytest.mark.parametrize("name", ["classic", "auction"])
def test_bids_by_its_cards(name: str):
    variant = dizhu.variant(name)
    game = dizhu.Game(variant, dizhu.position(variant, hands=[STRONG, RUBBISH, REST]))
    assert answer(game) == "bid 3"
    game.act(0, "no")
    assert answer(game) == "no"


@pytest.mark.parametrize("name", ["landlord_war", "happy", "two_player"])
def test_calls_by_its_cards(name: str):
    variant = dizhu.variant(name)
    hands = [STRONG, "5566667789JJQQTTT"] if variant.seats == 2 else [STRONG, RUBBISH, REST]
    game = dizhu.Game(variant, dizhu.position(variant, hands=hands))
    while game.phase == "open":
        game.act(game.turn[0], "no")
    assert answer(game) == "call"
    game.act(0, "no")
    assert answer(game) == "no"
