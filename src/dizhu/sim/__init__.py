"""The simulator: the play of a hand as integers, as fast as it goes, for search, training and statistics.

A hand begins when the landlord (seat 0, in random deals) has the bottom cards and leads; for suits, bidding and views
there is `dizhu.Game`. Moves are sets of cards as integers (`dizhu.rules.cards`), 0 is a pass. The C core does the work
where it is there; the plain layer gives the same hands from the same seeds.

>>> from dizhu import variant
>>> table = deal(variant("classic"), seed=1)
>>> while not table.over:
...     table.play_index(table.count() - 1)
>>> table.winner
0
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from dizhu import _core
from dizhu.game.variant import Variant
from dizhu.rules.cards import Cards
from dizhu.rules.native import FAMILIES
from dizhu.sim import plain

if TYPE_CHECKING:
    from dizhu._core import _native

    Rules = _native.Rules | plain.Rules
    Table = _native.Table | plain.Table

__all__ = ["deal", "play_random", "rules", "table"]


@lru_cache
def rules(variant: Variant) -> Rules:
    """Prepare a game for the simulator: the core's rules where it knows them, else the plain ones."""
    family = FAMILIES.get(variant.shapes)
    if _core.Rules is None or family is None:
        return plain.Rules(variant)
    return _core.Rules(family, variant.seats, variant.deal, variant.bottom, variant.deck.word, variant.marked)


def deal(variant: Variant, seed: int) -> Table:
    """Deal a random hand from a seed (any whole number; 64 bits count): seat 0 is landlord and leads."""
    return rules(variant).deal(seed)


def table(
    variant: Variant, hands: Sequence[Cards], landlords: Sequence[int] = (0,), turn: int = 0, let: int = 0
) -> Table:
    """Set a position up, `turn` to lead; `let` is the number of cards at which a farmer wins.

    Raises ValueError unless every seat has cards and the deck holds them all.
    """
    return rules(variant).table(tuple(hands), sum(1 << seat for seat in set(landlords)), turn, let)


def play_random(variant: Variant, games: int, seed: int) -> tuple[int, int]:
    """Play whole random hands in one call; returns the decisions made and the hands won by the landlords."""
    return rules(variant).play_random(games, seed)
