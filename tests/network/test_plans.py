"""How a hand is guessed to go out."""

from __future__ import annotations

import pytest

import dizhu
from dizhu.network.plans import Plan, best_plan, solo_kickers
from dizhu.rules import cards as c


@pytest.mark.parametrize(
    ("hand", "unseen", "plan"),
    [
        ("", "345", Plan(0, 0, 0, 0)),
        ("3", "4", Plan(1, 1, 1, 0)),
        ("3", "3", Plan(1, 0, 1, 0)),
        ("34567KK2", "AAB", Plan(3, 2, 1, 1)),
        ("34567KK2", "345678", Plan(3, 1, 1, 1)),
        ("3334", "5", Plan(1, 0, 0, 0)),
        ("3334455", "666", Plan(2, 1, 1, 0)),
        ("5555BR", "AAAA", Plan(2, 0, 0, 0)),
        ("334455", "667788", Plan(1, 1, 0, 0)),
        ("3456789TJQK", "A", Plan(1, 0, 0, 0)),
    ],
)
def test_plans(hand: str, unseen: str, plan: Plan):
    cards = c.parse(hand)
    assert best_plan(cards, c.parse(unseen), singles=True) == plan


def test_single_cards_go_with_trios_only_where_the_game_has_it():
    assert solo_kickers(dizhu.variant("classic"))
    assert not solo_kickers(dizhu.variant("five_player"))
    alone = best_plan(c.parse("3334"), c.parse("5"), singles=False)
    assert alone == Plan(2, 1, 1, 0)
