"""Sets of cards as one integer, against lists of counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dizhu import ParseError, variant
from dizhu.rules import cards as c
from rules import oracle

COUNTS = st.lists(st.integers(0, 8), min_size=15, max_size=15)


def word(counts: list[int]) -> int:
    return sum(count << 4 * rank for rank, count in enumerate(counts))


@given(COUNTS)
def test_text_and_word_say_the_same(counts: list[int]):
    text = oracle.text(tuple(counts))
    assert c.parse(text) == c.parse(text[::-1]) == word(counts)
    assert c.format_cards(word(counts)) == text
    assert c.size(word(counts)) == len(text)


@given(COUNTS, st.integers(1, 8))
def test_ranks_with_at_least_so_many(counts: list[int], least: int):
    mask = c.at_least(word(counts), least)
    assert mask == sum(1 << 4 * rank for rank, count in enumerate(counts) if count >= least)
    assert [c.rank_of(bit) for bit in c.bits(mask)] == [
        rank for rank, count in zip(c.RANKS, counts, strict=True) if count >= least
    ]


@given(COUNTS, COUNTS)
def test_contains_is_rank_by_rank(hand: list[int], cards: list[int]):
    assert c.contains(word(hand), word(cards)) is all(map(int.__ge__, hand, cards))
    part = [min(pair) for pair in zip(hand, cards, strict=True)]
    assert c.contains(word(hand), word(part))


@pytest.mark.parametrize(
    "text", ["1", "0", "t", "b", " ", "3 4", "3h", "10", "\n", "\x00", "\ud800", "３", "🂡", "3" * 9]
)
def test_malformed_cards(text: str):
    with pytest.raises(ParseError) as caught:
        c.parse(text)
    assert caught.value.code == "malformed_cards"
    assert "\n" not in str(caught.value)


def test_a_hint_for_lower_case():
    with pytest.raises(ParseError, match="did you mean T"):
        c.parse("9t")


@pytest.mark.parametrize(
    ("name", "text"), [("classic", "33333"), ("classic", "BB"), ("two_player", "3"), ("five_player", "BBB")]
)
def test_cards_that_the_deck_lacks_are_named(name: str, text: str):
    game = variant(name)
    for ask in (game.classify, game.moves, lambda cards: game.beats("5", cards), lambda cards: game.moves("5", cards)):
        with pytest.raises(ParseError) as caught:
            ask(text)
        assert caught.value.code == "not_in_deck"
        assert text[-1] in str(caught.value)


def test_what_is_to_be_beaten_must_be_a_combination():
    game = variant("classic")
    for ask in (lambda: game.moves("3", "34"), lambda: game.beats("3", "34"), lambda: game.beats("3", "")):
        with pytest.raises(ParseError) as caught:
            ask()
        assert caught.value.code == "not_a_combination"
