"""The combinations of `classic` against those of RLCard, which other people wrote: set for set."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import islice, pairwise
from typing import Any

import pytest

from dizhu.rules import cards as c
from rules import oracle
from rules.layers import PLAIN, variant

LAYERS = (variant("classic"), variant("classic" + PLAIN))
LEADS = FOLLOWS = 3_000
LARGEST = 20

CHAINS = ("solo_chain", "pair_chain", "trio_chain", "trio_solo_chain", "trio_pair_chain")
TRIOS_AND_QUADS = (
    *("trio", "trio_solo", "trio_pair", "trio_chain", "trio_solo_chain", "trio_pair_chain"),
    *("four_two_solo", "four_two_pair", "bomb"),
)
BOMBS = ("bomb", "rocket")


@pytest.fixture(scope="module")
def rlcard() -> Any:
    """Its rules: the kind of each combination, and the combinations of each kind."""
    pytest.importorskip("rlcard", reason="RLCard is not installed")
    return import_module("rlcard.games.doudizhu.utils")


def kind_in(rlcard: Any, cards: str) -> str:
    """The kind that RLCard gives a combination, without its length."""
    [(kind, _)] = rlcard.CARD_TYPE[0][cards]
    return kind.rstrip("_0123456789")


@pytest.mark.parametrize("game", LAYERS, ids=["as it is used", "in Python"])
def test_every_combination_is_read_as_in_rlcard(rlcard: Any, game: Any):
    """The same 27,471 sets, each of the same kind and length, and those of one kind in the same order."""
    theirs = rlcard.CARD_TYPE[0]
    assert set(theirs) == set(game.grammar.texts(game.grammar.deck))
    heights: dict[str, set[tuple[int, int]]] = {}
    for cards, types in theirs.items():
        [(kind, height)] = types
        combo = game.classify(cards)
        assert kind == (f"{combo.kind}_{combo.length}" if combo.kind in CHAINS else combo.kind), cards
        heights.setdefault(kind, set()).add((oracle.RANKS.index(combo.rank), int(height)))
    for kind, found in heights.items():
        assert all(low[0] < high[0] and low[1] < high[1] for low, high in pairwise(sorted(found))), kind


def hands(draws: random.Random) -> Iterator[str]:
    """Hands without end; three of four are of a few neighbouring ranks, full of trios, quads and chains."""
    deck = list(oracle.text(oracle.full_deck(oracle.HOUSES["classic"])))
    while True:
        draws.shuffle(deck)
        yield in_order(deck[: draws.randint(1, LARGEST)])
        for width in (4, 6, 8):
            lowest = draws.randint(0, 13 - width)
            few = {*oracle.RANKS[lowest : lowest + width], *draws.sample("BR", draws.randrange(3))}
            yield in_order([card for card in deck if card in few][: draws.randint(2 * width, LARGEST)])


def in_order(cards: list[str]) -> str:
    return "".join(sorted(cards, key=oracle.RANKS.index))


@pytest.mark.usefixtures("rlcard")
def test_leads_are_those_of_rlcard_in_3000_positions():
    judger = import_module("rlcard.games.doudizhu.judger").DoudizhuJudger
    seen: Counter[str] = Counter()
    for hand in islice(hands(random.Random(1)), LEADS):
        theirs = judger.playable_cards_from_hand(hand)
        for game in LAYERS:
            ours = game.moves(hand)
            assert set(ours) == theirs, hand
            assert len(ours) == len(theirs), hand
        seen.update({combo.kind for combo in LAYERS[0].grammar.moves(c.parse(hand))})
    assert all(seen[kind] >= LEADS // 3 for kind in TRIOS_AND_QUADS), seen


def test_follows_are_those_of_rlcard_in_3000_positions(rlcard: Any):
    """Each kind of combination is to be beaten as often as another, as far as the other cards of the deck allow it."""
    make = import_module("rlcard.games.doudizhu.player").DoudizhuPlayer
    card = import_module("rlcard.games.base").Card
    by_length: dict[str, list[list[str]]] = {}
    for heights in rlcard.TYPE_CARD.values():
        found = [cards for height in heights.values() for cards in height]
        by_length.setdefault(kind_in(rlcard, found[0]), []).append(found)
    kinds = list(by_length)
    asked, other, draws = make(1, None), make(0, None), random.Random(2)
    against: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for hand in islice(hands(draws), FOLLOWS):
        others = LAYERS[0].deck.word - c.parse(hand)
        tried = (draws.choice(draws.choice(by_length[draws.choice(kinds)])) for _ in iter(int, 1))
        other.played_cards = next(cards for cards in tried if c.contains(others, c.parse(cards)))
        asked.set_current_hand([card(rank + "J", "") if rank in "BR" else card("S", rank) for rank in hand])
        passed, *theirs = asked.available_actions(other)
        assert passed == "pass"
        for game in LAYERS:
            ours = game.moves(hand, other.played_cards)
            assert set(ours) == set(theirs), (hand, other.played_cards)
            assert len(ours) == len(theirs), (hand, other.played_cards)
        against[kind_in(rlcard, other.played_cards)] += 1
        answered[kind_in(rlcard, other.played_cards)] += any(kind_in(rlcard, cards) not in BOMBS for cards in theirs)
    assert all(against[kind] >= FOLLOWS // 40 for kind in TRIOS_AND_QUADS), against
    assert all(answered[kind] >= FOLLOWS // 300 for kind in {*TRIOS_AND_QUADS, *CHAINS} - set(BOMBS)), answered
