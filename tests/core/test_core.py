"""The C core against the plain layer: the same combinations, in the same order, and the same refusals."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import core_rows
import dizhu
from dizhu import _core
from dizhu.rules import cards as c
from dizhu.rules.combos import Grammar
from dizhu.rules.native import NativeGrammar, grammar

pytestmark = pytest.mark.skipif(_core.Rules is None, reason="the C core was not built, or DIZHU_PURE is set")

NAMES = dizhu.variants()


def pair(name: str) -> tuple[NativeGrammar, Grammar]:
    game = dizhu.variant(name)
    native = game.grammar
    assert isinstance(native, NativeGrammar)
    return native, Grammar(native.shapes, native.deck, native.largest)


def random_hand(draws: random.Random, name: str, size: int) -> int:
    """Half of the hands come from a few ranks, so that trios, quads and long chains are common."""
    cards = [c.UNIT[card[0]] for card in dizhu.variant(name).deck.cards]
    if draws.random() < 0.5:
        ranks = set(draws.sample(sorted(set(cards)), 7))
        cards = [card for card in cards if card in ranks]
    return sum(draws.sample(cards, min(size, len(cards))))


@pytest.mark.parametrize("name", NAMES)
def test_leads_and_follows_are_those_of_the_plain_layer(name: str):
    native, plain = pair(name)
    draws = random.Random(20)
    for _ in range(250):
        hand = random_hand(draws, name, draws.randint(1, native.largest))
        leads = plain.moves(hand)
        assert native.moves(hand) == leads
        assert native.texts(hand) == [combo.text for combo in leads]
        against = draws.choice(leads)
        other = random_hand(draws, name, native.largest)
        assert native.moves(other, against) == plain.moves(other, against)
        assert all(native.classify(combo.cards) == combo for combo in leads)


@pytest.mark.parametrize("name", NAMES)
def test_sets_that_are_no_combination_are_none_in_both(name: str):
    native, plain = pair(name)
    draws = random.Random(21)
    hands = [random_hand(draws, name, draws.randint(1, 12)) for _ in range(1500)]
    assert [native.classify(hand) for hand in hands] == [plain.classify(hand) for hand in hands]


@pytest.mark.parametrize("name", NAMES)
def test_every_combination_of_the_whole_deck(name: str):
    native, plain = pair(name)
    assert native.moves(native.deck) == plain.moves(plain.deck)


def test_malformed_words_are_refused_and_not_overrun():
    assert _core.Rules is not None
    rules = _core.Rules("standard", 3, 17, 3, dizhu.variant("classic").deck.word)
    for cards in (-1, 1 << 60, 1 << 64, 9, 0xF << 56):
        for call in (rules.key, lambda word: rules.words(word, 0), lambda word: rules.table((word, 1, 16), 1, 0, 0)):
            with pytest.raises(ValueError, match="fifteen nibbles"):
                call(cards)
    for key in (-1, 1, 0x1F, 1 << 18, 1 << 70, 0x3FFFF):
        with pytest.raises(ValueError, match="key"):
            rules.words(1, key)
    with pytest.raises(ValueError, match="deck does not hold"):
        rules.words(c.parse("33333"), 0)
    with pytest.raises(TypeError):
        rules.key("3")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        rules.words()  # type: ignore[call-arg]


def test_games_that_cannot_be_are_refused():
    assert _core.Rules is not None
    deck = dizhu.variant("classic").deck.word
    for arguments in (("none", 3, 17, 3, deck), ("standard", 6, 17, 3, deck), ("standard", 3, 18, 3, deck)):
        with pytest.raises(ValueError, match=r"no family|do not make a game"):
            _core.Rules(*arguments)
    with pytest.raises(ValueError, match="two whole decks"):
        _core.Rules("standard", 3, 17, 3, deck, marked=True)


def test_the_header_is_what_the_rows_say():
    assert core_rows.HEADER.read_text(encoding="utf-8") == core_rows.header()


def test_the_environment_switches_the_core_off():
    script = "import dizhu; print(type(dizhu.variant('happy').grammar).__name__)"
    for value, expected in (("1", "Grammar"), ("0", "NativeGrammar"), ("", "NativeGrammar")):
        done = subprocess.run(
            [sys.executable, "-c", script], env={"DIZHU_PURE": value}, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == expected


def test_a_game_with_few_cards_has_the_core_too():
    classic = dizhu.variant("classic")
    deck = c.parse("333444555666777888")
    small = grammar(classic.shapes, deck, largest=12)
    assert isinstance(small, NativeGrammar)
    plain = Grammar(classic.shapes, deck, 12)
    hand = c.parse("333444555666")
    assert [combo.cards for combo in small.moves(hand)] == [combo.cards for combo in plain.moves(hand)]
