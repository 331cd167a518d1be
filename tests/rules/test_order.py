"""The order in which combinations are listed: bots, hints and recorded seeds depend on it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dizhu.testing.strategies import hands
from rules import oracle
from rules.layers import PLAIN, variant, variants

KINDS = (
    "solo", "pair", "trio", "solo_chain", "pair_chain", "trio_chain", "trio_solo", "trio_pair", "trio_solo_chain",
    "trio_pair_chain", "four_two_solo", "four_two_pair", "bomb", "rocket",
)  # fmt: skip

SNAPSHOT = [
    ("classic", "333345BR", "", "3 4 5 B R 33 333 3334 3335 333B 333R 333345 33334B 33335B 33334R 33335R 3333 BR"),
    ("classic", "33344456", "", "3 4 5 6 33 44 333 444 333444 3334 3335 3336 3444 4445 4446 33344 33444 33344456"),
    ("classic", "4567899T22", "3", "4 5 6 7 8 9 T 2"),
    ("classic", "44455566BR", "333444", "444555 BR"),
    ("classic", "4445556688", "3334", "4445 4446 4448 4555 5556 5558"),
    ("classic", "5555666677", "44", "55 66 77 5555 6666"),
    ("auction", "444555667", "4447", "4555 5556 5557"),
    ("auction", "44455566", "", "4 5 6 44 55 66 444 555 445566 444555 4445 4446 4555 5556 44455 44466 44555 55566"),
    ("two_player", "55566678", "", "5 6 7 8 55 66 555 666 555666 5556 5557 5558 5666 6667 6668 55566 55666 55566678"),
    ("five_player", "33334BBRR", "", "3 4 B R 33 333 3333 BB RR BBR BRR BBRR"),
    ("five_player", "4444433333BBR", "9999", "BB 33333 44444 BBR"),
    ("five_player", "4444455555B", "33", "44 55 4444 5555 44444 55555"),
]  # fmt: skip


@pytest.mark.parametrize("layer", ["", PLAIN])
@pytest.mark.parametrize(("name", "hand", "against", "listed"), SNAPSHOT)
def test_listed_as_they_were_written_down(name: str, hand: str, against: str, listed: str, layer: str):
    assert " ".join(variant(name + layer).moves(hand, against)) == listed


def place(text: str, house: oracle.House) -> tuple[int, int, int, int, int]:
    """Where a combination stands: bombs last, rising; else by kind, length, rank, and from the highest kicker."""
    cards = oracle.counts(text)
    reading = oracle.readings(cards, house)[0]
    number = sum(count << 4 * rank for rank, count in enumerate(cards))
    return reading.strength, KINDS.index(reading.kind), reading.length, reading.order, number


@pytest.mark.parametrize("name", variants())
@settings(max_examples=15)
@given(data=st.data())
def test_order_follows_kind_length_rank_and_kickers(name: str, data: st.DataObject):
    game, house = variant(name), oracle.HOUSES[name.removesuffix(PLAIN)]
    moves = game.moves(data.draw(hands(game)))
    assert moves == sorted(moves, key=lambda text: place(text, house))
