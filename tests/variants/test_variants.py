"""The six games are found, differ as the table of the rule book says, and conform."""

from __future__ import annotations

import pytest

from dizhu import UnknownName, variant, variants
from dizhu.testing import check_variant

TABLE = {
    # seats, cards of the deck, cards each, bottom, aside, base, how the first seat is found
    "landlord_war": (3, 54, 17, 3, 0, 1, "drawn"),
    "auction": (3, 54, 17, 3, 0, 1, "rotates"),
    "classic": (3, 54, 17, 3, 0, 1, "rotates"),
    "happy": (3, 54, 17, 3, 0, 1, "drawn"),
    "two_player": (2, 46, 17, 3, 9, 1, "drawn"),
    "five_player": (5, 108, 21, 3, 0, 2, "drawn"),
}


def test_variants_are_found_by_their_files():
    assert variants() == tuple(sorted(TABLE))
    for name in variants():
        assert variant(name).name == name
        assert variant(name) is variant(name)


@pytest.mark.parametrize("name", variants())
def test_numbers_of_the_rule_book(name: str):
    game = variant(name)
    found = (game.seats, len(game.deck.cards), game.deal, game.bottom, game.aside, game.base, game.first)
    assert found == TABLE[name]
    assert game.title
    assert game.source


@pytest.mark.parametrize(
    "name", ["", "Classic", "classic ", "../classic", "__init__", "chess", "class\udc80ic", "x" * 10_000]
)
def test_other_names_are_unknown(name: str):
    with pytest.raises(UnknownName) as caught:
        variant(name)
    assert caught.value.code == "unknown_variant"


@pytest.mark.parametrize("name", variants())
def test_every_game_conforms(name: str):
    check_variant(variant(name), hands=25, seed=2)
