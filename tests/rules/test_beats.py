"""Which combination beats which: a strict order in every kind, bombs above, and the oracle of the same opinion."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from dizhu.rules.combos import Combo, beats
from rules import oracle
from rules.layers import PLAIN, variant, variants

ONE_OF_EACH: dict[str, dict[tuple[str, int, int, int], str]] = {}


def one_of_each(name: str) -> dict[tuple[str, int, int, int], str]:
    """Two sets of cards (if there are two) of every kind, length and rank; the last number tells the two apart."""
    if name not in ONE_OF_EACH:
        found: dict[tuple[str, int, int], list[str]] = defaultdict(list)
        for combo in variant(name).grammar.moves(variant(name).grammar.deck):
            found[combo.kind, combo.length, combo.key].append(combo.text)
        ONE_OF_EACH[name] = {
            (*key, number): text
            for key, texts in found.items()
            for number, text in enumerate(dict.fromkeys((texts[0], texts[-1])))
        }
    return ONE_OF_EACH[name]


@pytest.mark.parametrize("name", variants())
def test_beats_is_what_the_oracle_says_for_every_pair_of_kinds_lengths_and_ranks(name: str):
    game, house = variant(name), oracle.HOUSES[name.removesuffix(PLAIN)]
    combos = {text: game.classify(text) for text in one_of_each(name).values()}
    read = {text: oracle.readings(oracle.counts(text), house)[0] for text in combos}
    for one, other in product(combos, repeat=2):
        first, second = combos[one], combos[other]
        assert first
        assert second
        assert beats(first, second) is oracle.beats(read[one], read[other]), (one, other)


@pytest.mark.parametrize("name", variants())
def test_beats_is_a_strict_order(name: str):
    combos = [variant(name).classify(text) for text in one_of_each(name).values()]
    above: dict[Combo, set[Combo]] = {
        one: {other for other in combos if other and beats(other, one)} for one in combos if one
    }
    for one, higher in above.items():
        assert one not in higher
        for other in higher:
            assert one not in above[other]
            assert above[other] <= higher


@pytest.mark.parametrize("name", variants())
def test_combinations_of_one_kind_and_length_are_ordered_by_rank_alone(name: str):
    classes: dict[tuple[str, int], list[Combo]] = defaultdict(list)
    for text in one_of_each(name).values():
        combo = variant(name).classify(text)
        assert combo
        if combo.kind != "bomb":
            classes[combo.kind, combo.length].append(combo)
    for members in classes.values():
        for one, other in product(members, repeat=2):
            higher = oracle.RANKS.index(one.rank) > oracle.RANKS.index(other.rank)
            assert beats(one, other) is higher


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("3333", "2222"), ("2222", "BB"), ("BB", "RR"), ("RR", "33333"), ("22222", "333333"), ("222222", "BBR"),
        ("BBR", "BRR"), ("BRR", "3333333"), ("2222222", "33333333"), ("22222222", "BBRR"), ("3", "3333"), ("R", "4444"),
    ],
)  # fmt: skip
def test_bombs_of_two_decks_from_low_to_high(low: str, high: str):
    game = variant("five_player")
    assert game.beats(high, low)
    assert not game.beats(low, high)


def test_one_joker_of_each_colour_is_nothing_in_two_decks():
    assert variant("five_player").classify("BR") is None


@pytest.mark.parametrize("name", [name for name in variants() if not name.startswith("five_player")])
def test_nothing_beats_the_rocket_and_four_with_two_is_no_bomb(name: str):
    game = variant(name)
    assert not any(game.beats(text, "BR") for text in one_of_each(name).values())
    assert game.beats("BR", "2222")
    assert not game.beats("999978", "5")
    assert game.beats("999978", "888867")
    assert not game.beats("999978", "8888")
    assert game.beats("5555", "AAAAKKQQ")
