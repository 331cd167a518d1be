"""Cards without suits: a set of cards is one integer, the count of each rank in a nibble of its own.

The lowest nibble counts the 3s, the fifteenth the red jokers; a nibble holds 0 to 8, enough for two decks. The word
is all that the rules need: suits never matter in play (rules.md §1).
"""

from __future__ import annotations

from functools import cache

from dizhu.errors import ParseError

Cards = int
"""A set of cards by rank: nibble `i` is the number of cards of rank `RANKS[i]`."""

Mask = int
"""A set of ranks: bit 0 of nibble `i` stands for rank `RANKS[i]`."""

RANKS = "3456789TJQKA2BR"
"""All ranks from low to high, `B` the black and `R` the red joker."""

UNIT = {rank: 1 << 4 * index for index, rank in enumerate(RANKS)}
ONES: Mask = 0x111111111111111
JOKERS: Mask = UNIT["B"] | UNIT["R"]
CHAIN: Mask = ONES & ~(UNIT["2"] | JOKERS)
"""The ranks that chains are made of: 3 to A."""

HALVES: tuple[Mask, Mask] = (0xFFFFFFFF, ~0xFFFFFFFF & ONES)
"""The eight low ranks and the seven high ones: what is remembered by the sets of ranks of a half takes little room."""

_MOST = 8
_EVEN = 0x0F0F0F0F0F0F0F0F
_GUARD = 0x1010101010101010


def parse(text: str) -> Cards:
    """Read ranks in any order, as in `33344456` or `RB`; raises ParseError `malformed_cards`.

    >>> format_cards(parse("6534B43"))
    '334456B'
    """
    cards = 0
    for rank in text:
        unit = UNIT.get(rank)
        if unit is None:
            raise ParseError("malformed_cards", _not_a_rank(rank, text), cards=text)
        cards += unit
        if cards // unit & 0xF > _MOST:
            raise ParseError("malformed_cards", f"{text!r} has more than {_MOST} cards of rank {rank}", cards=text)
    return cards


def _not_a_rank(rank: str, text: str) -> str:
    hint = f"; did you mean {rank.upper()}?" if rank.upper() in RANKS else ""
    return (
        f"{rank!r} in {text!r} is not a rank{hint} (the ranks are {' '.join(RANKS)}; T is ten, B and R are the jokers)"
    )


def format_cards(cards: Cards) -> str:
    """Write a set of cards as its ranks from low to high, the canonical text of a combination."""
    out: list[str] = []
    for rank in RANKS:
        if not cards:
            break
        if count := cards & 0xF:
            out.append(rank * count)
        cards >>= 4
    return "".join(out)


def size(cards: Cards) -> int:
    """Count the cards (0 to 120)."""
    # Fold neighbouring nibbles into bytes; a multiplication then adds the bytes up.
    pairs = (cards & _EVEN) + (cards >> 4 & _EVEN)
    return pairs % 255


def at_least(cards: Cards, count: int) -> Mask:
    """Find the ranks with at least `count` (1 to 8) cards: one addition, shift and mask."""
    return ((cards + (8 - count) * ONES) >> 3) & ONES


def contains(hand: Cards, cards: Cards) -> bool:
    """Tell whether `cards` can be taken from `hand`, rank by rank."""
    low = ((hand & _EVEN) | _GUARD) - (cards & _EVEN)
    high = ((hand >> 4 & _EVEN) | _GUARD) - (cards >> 4 & _EVEN)
    return low & high & _GUARD == _GUARD


def bits(mask: Mask) -> list[Mask]:
    """Split a mask into its single ranks, from low to high."""
    low, high = HALVES
    return [*_half_bits(mask & low), *_half_bits(mask & high)]


@cache
def _half_bits(mask: Mask) -> tuple[Mask, ...]:
    """Split one half of a mask."""
    return tuple(unit for unit in UNIT.values() if mask & unit)


def rank_of(bit: Mask) -> str:
    """Name the rank of a one-rank mask."""
    return RANKS[(bit.bit_length() - 1) >> 2]
