"""The kinds of combination, declared once as rows of data (rules.md §2).

Every kind is "`copies` equal cards on each of at least `run` neighbouring ranks, with `kickers` sets of `kicker` equal
cards for each of them", or a literal set of cards. One loop (`combos.py`) reads these rows for generation,
classification, comparison and counting, so the four cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of combination.

    copies: equal cards on each core rank (0: the kind is a literal set, see `cards`).
    run: fewest neighbouring core ranks, none above A; 1: a single rank, no chain.
    kickers, kicker: how many attached sets for each core rank, and of how many equal cards each.
    most: how many solo kickers may share a rank. A kicker never has the rank of a core.
    beside: whether as many equal kickers as a core has may lie next to the chain, where they would lengthen it.
    jokers: whether both jokers may go out together as kickers.
    cards: the literal sets, rising in rank, for kinds that are no pattern (the rocket, joker bombs).
    power: a higher power beats every combination of a lower one.
    times: what the multiplier is multiplied by when it is played.
    """

    name: str
    copies: int = 0
    run: int = 1
    kickers: int = 0
    kicker: int = 1
    most: int = 1
    beside: bool = False
    jokers: bool = False
    cards: tuple[str, ...] = ()
    power: int = 0
    times: int = 1


SOLO = Shape("solo", copies=1)
PAIR = Shape("pair", copies=2)
TRIO = Shape("trio", copies=3)
SOLO_CHAIN = Shape("solo_chain", copies=1, run=5)
PAIR_CHAIN = Shape("pair_chain", copies=2, run=3)
TRIO_CHAIN = Shape("trio_chain", copies=3, run=2)
TRIO_SOLO = Shape("trio_solo", copies=3, kickers=1)
TRIO_PAIR = Shape("trio_pair", copies=3, kickers=1, kicker=2)
TRIO_SOLO_CHAIN = Shape("trio_solo_chain", copies=3, run=2, kickers=1)
TRIO_PAIR_CHAIN = Shape("trio_pair_chain", copies=3, run=2, kickers=1, kicker=2)
FOUR_TWO_SOLO = Shape("four_two_solo", copies=4, kickers=2)
FOUR_TWO_PAIR = Shape("four_two_pair", copies=4, kickers=2, kicker=2)
BOMB = Shape("bomb", copies=4, power=1, times=2)
ROCKET = Shape("rocket", cards=("BR",), power=9, times=2)

DISTINCT = (
    SOLO,
    PAIR,
    TRIO,
    SOLO_CHAIN,
    PAIR_CHAIN,
    TRIO_CHAIN,
    TRIO_SOLO,
    TRIO_PAIR,
    TRIO_SOLO_CHAIN,
    TRIO_PAIR_CHAIN,
    FOUR_TWO_SOLO,
    FOUR_TWO_PAIR,
    BOMB,
    ROCKET,
)
"""All kinds of one deck; solo kickers have different ranks."""

STANDARD = tuple(replace(shape, most=3) if shape.kickers and shape.kicker == 1 else shape for shape in DISTINCT)
"""The same, but up to three solo kickers may share a rank: the space of RLCard and OpenSpiel."""

PAIRS_ONLY = (
    SOLO,
    PAIR,
    TRIO,
    SOLO_CHAIN,
    PAIR_CHAIN,
    TRIO_CHAIN,
    TRIO_PAIR,
    TRIO_PAIR_CHAIN,
    Shape("bomb", copies=4, power=1),
    Shape("bomb", cards=("BB", "RR"), power=2),
    Shape("bomb", copies=5, power=3, times=2),
    Shape("bomb", copies=6, power=4, times=2),
    Shape("bomb", cards=("BBR", "BRR"), power=5, times=2),
    Shape("bomb", copies=7, power=6, times=2),
    Shape("bomb", copies=8, power=7, times=2),
    Shape("rocket", cards=("BBRR",), power=9, times=2),
)
"""The kinds of two decks (`five_player`): kickers are pairs, bombs are rows of rising power."""
