"""Generation against brute force, and classification against generation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dizhu import Variant
from dizhu.rules import cards as c
from dizhu.testing.strategies import hands
from rules import oracle
from rules.layers import PLAIN, variant, variants

RICH = {
    "classic": [
        "333344445", "333444555", "3334445BR", "33334455", "3334BR", "33345555", "QQQKKKAAA", "KKKAAA222", "TTTJJJQQQ",
        "AAA2222BR", "333444BR", "34567 89TJ", "334455667", "3333444", "22BR", "AAAKKKQBR", "3334446BR",
    ],
    "auction": ["333444556", "333444567", "333355BR", "33335667", "4445556BR", "333344445", "444555777"],
    "two_player": ["555566667", "5556667BR", "555666788", "AAA222BR", "QQQKKKAAA", "5566778BR"],
    "five_player": [
        "333333333"[:8] + "4", "BBRR", "BBR", "BRR", "BBRR33334", "333344445", "333334444", "3333BBRR4", "33344455",
        "333444BB5", "33344BBRR", "222AAAKK", "3333444455"[:9], "AAAAAAAA2", "3355BBRR4",
    ],
}  # fmt: skip


def brute_force(hand: str, name: str) -> dict[oracle.Counts, oracle.Reading]:
    """All combinations in a hand, by asking the oracle about every subset."""
    found: dict[oracle.Counts, oracle.Reading] = {}
    for cards in oracle.subsets(oracle.counts(hand)):
        several = oracle.readings(cards, oracle.HOUSES[name.removesuffix(PLAIN)])
        assert len(several) <= 1, f"{oracle.text(cards)} has two readings"
        if several:
            found[cards] = several[0]
    return found


def assert_generation_is_brute_force(game: Variant, hand: str) -> None:
    expected = brute_force(hand, game.name)
    found = game.moves(hand)
    assert sorted(found) == sorted(map(oracle.text, expected)), hand
    for cards in oracle.subsets(oracle.counts(hand)):
        combo = game.classify(oracle.text(cards))
        if cards not in expected:
            assert combo is None
            continue
        kind, length, rank = oracle.named(expected[cards], oracle.HOUSES[game.name])
        assert combo
        assert (combo.kind, combo.length, rank and combo.rank) == (kind, length, rank)


@pytest.mark.parametrize(
    ("name", "hand"),
    [(name + layer, hand.replace(" ", "")) for name in RICH for hand in RICH[name] for layer in ("", PLAIN)],
)
def test_hands_full_of_trios_fours_and_jokers(name: str, hand: str):
    assert_generation_is_brute_force(variant(name), hand)


@pytest.mark.parametrize("name", variants())
@settings(max_examples=100)
@given(data=st.data())
def test_small_hands_hold_what_brute_force_finds(name: str, data: st.DataObject):
    game = variant(name)
    assert_generation_is_brute_force(game, data.draw(hands(game, 5, 9)))


@pytest.mark.parametrize("name", variants())
@settings(max_examples=40)
@given(data=st.data())
def test_follows_of_small_hands_are_what_the_oracle_says_beats(name: str, data: st.DataObject):
    game = variant(name)
    mine, theirs = data.draw(hands(game, 4, 9)), data.draw(hands(game, 1, 8))
    own = brute_force(mine, name)
    for cards, reading in brute_force(theirs, name).items():
        expected = sorted(oracle.text(other) for other, its in own.items() if oracle.beats(its, reading))
        assert sorted(game.moves(mine, oracle.text(cards))) == expected, (mine, oracle.text(cards))


@pytest.mark.parametrize("name", variants())
@settings(max_examples=30)
@given(data=st.data())
def test_follows_of_big_hands_are_the_leads_that_beat(name: str, data: st.DataObject):
    game = variant(name)
    grammar = game.grammar
    mine = data.draw(hands(game, game.deal + game.bottom - 2))
    leads = game.moves(mine)
    for against in data.draw(st.lists(st.sampled_from(game.moves(data.draw(hands(game, game.deal)))), max_size=12)):
        expected = [text for text in leads if game.beats(text, against)]
        assert game.moves(mine, against) == expected
    assert all(grammar.classify(combo.cards) == combo for combo in grammar.moves(game.parse(mine)))
    assert len(set(leads)) == len(leads)


@given(data=st.data())
def test_order_of_the_cards_does_not_matter(data: st.DataObject):
    game = data.draw(st.sampled_from(variants()).map(variant))
    hand = data.draw(hands(game))
    mixed = "".join(data.draw(st.permutations(hand)))
    assert game.moves(mixed) == game.moves(hand)
    for text in game.moves(hand)[:20]:
        assert game.classify("".join(data.draw(st.permutations(text)))) == game.classify(text)


@given(data=st.data())
def test_a_combination_is_written_as_sorted_ranks_and_held_by_the_hand(data: st.DataObject):
    game = data.draw(st.sampled_from(variants()).map(variant))
    hand = data.draw(hands(game))
    for text in game.moves(hand):
        assert text == "".join(sorted(text, key=c.RANKS.index))
        assert c.contains(c.parse(hand), c.parse(text))


def test_nothing_is_no_combination_and_an_empty_hand_has_no_moves():
    for name in variants():
        game = variant(name)
        assert game.classify("") is None
        assert game.moves("") == []
        assert game.moves("", "7") == []
