"""Setting up positions: any sizes, cards by rank or with suits, and what cannot be dealt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu import Game, InvalidDeal, ParseError, position, variant, variants
from dizhu.game.physical import in_order, parse_cards, take, without

CLASSIC = variant("classic")


def test_hands_of_any_size_can_be_set_up():
    for hands in (["3", "4", "5"], ["3333444455556666", "7", "BR"], ["3456789TJQKA2" * 2, "3456789TJQKA", "BR"]):
        deal = position(CLASSIC, hands)
        assert [len(hand) for hand in deal.hands] == [len(hand) for hand in hands]
        assert Game(CLASSIC, deal).turn == (0,)


def test_a_rank_becomes_the_first_unused_card_of_its_rank():
    deal = position(CLASSIC, ["77", "7h 7", "8"])
    assert deal.hands == (("7s", "7c"), ("7h", "7d"), ("8s",))
    deal = position(CLASSIC, ["7", "7s", "B"], "R")
    assert deal.hands == (("7h",), ("7s",), ("B",))
    assert deal.bottom == ("R",)


@pytest.mark.parametrize(
    ("hands", "first", "code"),
    [
        (["3", "4"], 0, "wrong_seats"),
        (["3", "4", "5", "6"], 0, "wrong_seats"),
        ([], 0, "wrong_seats"),
        (["3", "", "5"], 0, "empty_hand"),
        (["3", " ", "5"], 0, "empty_hand"),
        (["3", "4", "5"], 3, "no_such_seat"),
        (["3", "4", "5"], -1, "no_such_seat"),
        (["33333", "4", "5"], 0, "too_many_cards"),
        (["3s", "3s", "5"], 0, "too_many_cards"),
        (["3s 3s", "4", "5"], 0, "too_many_cards"),
        (["333", "3h 3", "5"], 0, "too_many_cards"),
        (["BB", "4", "5"], 0, "too_many_cards"),
    ],
)
def test_what_cannot_be_dealt(hands: list[str], first: int, code: str):
    with pytest.raises(InvalidDeal) as caught:
        position(CLASSIC, hands, "", first)
    assert caught.value.code == code


def test_cards_that_the_deck_lacks():
    game = variant("two_player")
    for hands in (["3s", "5"], ["5", "4"]):
        with pytest.raises(InvalidDeal) as caught:
            position(game, hands)
        assert caught.value.code in {"not_in_deck", "too_many_cards"}
    with pytest.raises(InvalidDeal):
        position(game, ["5", "6"], aside="3s")


@pytest.mark.parametrize("text", ["1", "3x", "s3", "3S", "10", "b", "3,4", "3ss", "Bh", "\ud800", "３", "3\u200b"])
def test_malformed_cards(text: str):
    with pytest.raises(ParseError) as caught:
        position(CLASSIC, [text, "4", "5"])
    assert caught.value.code == "malformed_cards"
    with pytest.raises(ParseError):
        position(CLASSIC, ["3", "4", "5"], text)


@pytest.mark.parametrize("name", [name for name in variants() if name != "five_player"])
def test_only_five_player_has_a_marked_card(name: str):
    game = variant(name)
    with pytest.raises(InvalidDeal) as caught:
        position(game, ["5h", *"6789"[: game.seats - 1]], marked="5h")
    assert caught.value.code == "bad_marked_card"


def test_a_position_has_no_seed_and_no_commitment():
    deal = position(CLASSIC, ["3", "4", "5"])
    assert (deal.seed, deal.commitment, deal.entropy) == (None, None, ())


@given(st.lists(st.sampled_from(variant("five_player").deck.cards), max_size=30))
def test_cards_are_read_as_they_are_written(cards: list[str]):
    assert parse_cards(" ".join(cards)) == cards
    assert parse_cards("".join(cards)) == cards
    assert sorted(in_order(cards)) == sorted(cards)


@given(st.data())
def test_taking_cards_is_all_or_nothing(data: st.DataObject):
    cards = variant("five_player").deck.cards
    hand = tuple(data.draw(st.lists(st.sampled_from(cards), max_size=12)))
    named = data.draw(st.lists(st.sampled_from([*hand, *(card[0] for card in hand), "3", "7h", "B"]), max_size=6))
    taken = take(hand, named)
    left = sorted(hand)
    possible = True
    for card in sorted(named, key=len, reverse=True):
        match = next((own for own in left if own == card or own[0] == card), None)
        possible &= match is not None
        if match:
            left.remove(match)
    assert (taken is not None) == possible
    if taken is not None:
        assert sorted(card[0] for card in taken) == sorted(card[0] for card in named)
        assert sorted([*without(hand, taken), *taken]) == sorted(hand)
        for card in (card for card in named if len(card) == 2):
            assert taken.count(card) >= named.count(card)
