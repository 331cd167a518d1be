"""Whole random hands: they end, keep their cards, sum to zero, and play again to the same result."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dizhu import Game, Result, shuffled, variant, variants
from dizhu.testing.strategies import deals

HANDS = 10_000
PARTS = 4


def longest(game: Game) -> int:
    """No hand can take more decisions than this: every play gets rid of a card, and all others pass in between."""
    cards = len(game.variant.deck.cards)
    return 8 * game.variant.seats + cards * game.variant.seats


def formula(result: Result, pairwise: bool) -> tuple[int, ...]:
    """rules.md §4, written again."""
    seats = range(len(result.points))
    points = [0] * len(result.points)
    for landlord in result.landlords:
        for farmer in (seat for seat in seats if seat not in result.landlords):
            doubles = sum(seat in result.doubled for seat in (landlord, farmer)) if pairwise else 0
            amount = result.base * result.multiplier * 2**doubles
            assert amount % len(result.landlords) == 0
            amount //= len(result.landlords)
            winner, loser = (landlord, farmer) if landlord in result.winners else (farmer, landlord)
            points[winner] += amount
            points[loser] -= amount
    return tuple(points)


def assert_sound(hand: Game) -> None:
    """What is true of every hand that has ended."""
    bottom = hand.deal.bottom if hand.state.taker is None else ()
    cards = [card for group in (*hand.state.hands, bottom, hand.deal.aside) for card in group]
    cards += [card for move in hand.state.history for card in move.cards]
    result = hand.result
    if result is None:
        assert hand.phase == "redeal"
        assert hand.variant.name in ("landlord_war", "classic", "auction", "happy")
        return
    assert Counter(cards) == Counter(hand.variant.deck.cards)
    assert sum(result.points) + result.house == 0
    multiplier = 1
    for factor in result.factors:
        multiplier *= factor.times
    assert result.multiplier == multiplier
    if result.reason == "leave":
        return
    assert result.house == 0
    assert result.points == formula(result, hand.variant.name in ("landlord_war", "happy"))
    empty = [seat for seat, left in enumerate(hand.state.hands) if not left]
    if result.reason == "let":
        assert hand.variant.name == "two_player"
        assert not empty
    else:
        assert len(empty) == 1
        assert (empty[0] in result.landlords) == (result.landlords == result.winners)
        assert empty[0] in result.winners


@pytest.mark.parametrize("name", variants())
@settings(max_examples=30)
@given(data=st.data())
def test_every_hand_ends_soundly(name: str, data: st.DataObject):
    game = variant(name)
    hand = Game(game, data.draw(deals(game)))
    choice = data.draw(st.randoms(use_true_random=False))
    while hand.turn:
        assert len(hand.actions) < longest(hand)
        seat = choice.choice(hand.turn)
        assert hand.legal(seat)
        if hand.view(seat).may_leave and choice.random() < 0.01:
            hand.act(choice.randrange(game.seats), "leave")
        else:
            hand.act(seat, choice.choice(hand.legal(seat)))
    assert_sound(hand)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", variants())
def test_ten_thousand_random_hands(name: str, part: int):
    game = variant(name)
    generator = Random(part)
    limit = 0
    for _ in range(HANDS // PARTS):
        hand = Game(game, shuffled(game, generator.randbytes(32)))
        limit = limit or longest(hand)
        while turn := hand.turn:
            legal = hand.legal(turn[0])
            hand.act(turn[0], legal[int(generator.random() * len(legal))])
        assert len(hand.actions) < limit
        assert_sound(hand)
