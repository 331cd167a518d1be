"""The whole space of combinations of each game, counted twice: by the rows and by the oracle."""

from __future__ import annotations

from collections import Counter

import pytest

import dizhu
from dizhu.rules import combos
from dizhu.rules import shapes as s
from rules import oracle
from rules.layers import PLAIN, variant, variants

STANDARD = {
    "solo": 15,
    "pair": 13,
    "trio": 13,
    "trio_solo": 182,
    "trio_pair": 156,
    "solo_chain": 36,
    "pair_chain": 52,
    "trio_chain": 45,
    "trio_solo_chain": 21_822,
    "trio_pair_chain": 2_939,
    "four_two_solo": 1_326,
    "four_two_pair": 858,
    "bomb": 13,
    "rocket": 1,
}
COUNTS = {
    "landlord_war": STANDARD,
    "classic": STANDARD,
    "happy": STANDARD,
    "auction": STANDARD | {"trio_solo_chain": 7_161, "four_two_solo": 1_170},
    "two_player": {
        "solo": 13,
        "pair": 11,
        "trio": 11,
        "trio_solo": 132,
        "trio_pair": 110,
        "solo_chain": 21,
        "pair_chain": 36,
        "trio_chain": 35,
        "trio_solo_chain": 2_333,
        "trio_pair_chain": 1_017,
        "four_two_solo": 715,
        "four_two_pair": 495,
        "bomb": 11,
        "rocket": 1,
    },
    "five_player": {
        "solo": 15,
        "pair": 13,
        "trio": 13,
        "trio_pair": 156,
        "solo_chain": 36,
        "pair_chain": 55,
        "trio_chain": 56,
        "trio_pair_chain": 2_939,
        "bomb": 69,
        "rocket": 1,
    },
}
TOTALS = {
    "landlord_war": 27_471,
    "classic": 27_471,
    "happy": 27_471,
    "auction": 12_654,
    "two_player": 4_941,
    "five_player": 3_353,
}


def test_every_game_has_its_counts_here():
    assert set(COUNTS) == set(TOTALS) == set(dizhu.variants()) == set(oracle.HOUSES)


@pytest.mark.parametrize("name", variants())
def test_number_of_combinations_is_the_one_of_the_rule_book(name: str):
    counted = variant(name).grammar.count()
    assert counted == COUNTS[name.removesuffix(PLAIN)]
    assert counted.total() == TOTALS[name.removesuffix(PLAIN)]


# One test a house of rules, so that each oracle search is made once, and in one worker.
@pytest.mark.parametrize("house", sorted(set(oracle.HOUSES.values()), key=repr), ids=lambda house: house.kickers)
def test_rows_and_oracle_find_the_same_sets_and_read_them_alike(house: oracle.House):
    expected = oracle.universe(house)  # asserts by itself that no set has two readings
    names = [name for name in dizhu.variants() if oracle.HOUSES[name] == house]
    declared = {(game.shapes, game.deck, game.deal + game.bottom) for game in map(variant, names)}
    assert len(declared) == 1, "games of one house have the same combinations, so one of them is enough"
    for grammar in (variant(names[0]).grammar, variant(names[0] + PLAIN).grammar):
        found = list(grammar.moves(grammar.deck))
        assert len({combo.cards for combo in found}) == len(found), "a set of cards was found twice"
        by_text = {combo.text: combo for combo in found}
        assert set(by_text) == {oracle.text(cards) for cards in expected}
        for cards, reading in expected.items():
            combo = by_text[oracle.text(cards)]
            kind, length, rank = oracle.named(reading, house)
            assert (combo.kind, combo.length, rank and combo.rank) == (kind, length, rank)
            assert grammar.classify(combo.cards) == combo


@pytest.mark.parametrize("house", sorted(set(oracle.HOUSES.values()), key=repr), ids=lambda house: house.kickers)
def test_no_kind_is_empty_and_no_combination_exceeds_the_largest_hand(house: oracle.House):
    sizes = [sum(cards) for cards in oracle.universe(house)]
    assert min(sizes) == 1
    assert max(sizes) <= house.largest


def test_a_house_rule_is_one_field_of_a_row():
    deck = variant("classic").deck.word
    beside = combos.Grammar((s.Shape("plane", copies=3, run=2, kickers=1, most=3, beside=True),), deck, 20)
    without = combos.Grammar((s.Shape("plane", copies=3, run=2, kickers=1, most=3),), deck, 20)
    both_jokers = combos.Grammar((s.Shape("four", copies=4, kickers=2, most=3, jokers=True),), deck, 20)
    assert Counter(beside.count())["plane"] > without.count()["plane"]
    assert "333444555666" in {combo.text for combo in beside.moves(beside.deck) if combo.length == 3}
    assert "333444555666" not in {combo.text for combo in without.moves(without.deck) if combo.length == 3}
    assert "3333BR" in {combo.text for combo in both_jokers.moves(both_jokers.deck)}
