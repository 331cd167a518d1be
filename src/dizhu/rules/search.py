"""The one loop: what a row of `shapes.py` finds in a hand, as sets of cards.

A lead asks every row, a follow the row on the table and those of higher power, and classification asks a row with the
whole set of cards. What was found is remembered by the cards that matter to the row.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards, Mask
from dizhu.rules.shapes import Shape

REMEMBERED = 1 << 14
"""How many results of each kind are remembered; every one of the caches then stays below some ten megabytes."""

Counts = list[Mask]
"""The ranks with at least 0, 1, 2, … cards, up to the most copies that a row asks for."""


class Search:
    """One row, ready to be searched: all that does not depend on the hand is worked out beforehand.

    A hand without `least` cards of any of the `possible` ranks holds nothing of this row.
    """

    def __init__(self, shape: Shape, largest: int) -> None:
        """Take a row, and the number of cards of the largest hand."""
        self.shape = shape
        self.cards_each = shape.copies + shape.kickers * shape.kicker
        self.longest = min(largest // self.cards_each, c.CHAIN.bit_count()) if shape.run > 1 else 1
        self._alike = min(shape.most, self.longest * shape.kickers)
        self.literals = tuple(c.parse(text) for text in shape.cards)
        self.least = shape.copies or 1
        self.possible = _possible(shape)
        self._found = lru_cache(REMEMBERED)(self._find)

    def find(self, hand: Cards, counts: Counts, length: int = 0, above: int = -1) -> tuple[Cards, ...]:
        """Find the combinations in a hand, of one length (0: any) and of rank index above `above`.

        They come from short to long, then from low to high by rank, then by kickers.
        """
        if self.literals:
            return tuple([cards for cards in self.literals[above + 1 :] if c.contains(hand, cards)])
        cores = counts[self.least] & self.possible
        if above >= length - 1 > -1:
            cores &= c.ONES << 4 * (above - length + 2)
        if not cores:
            return ()
        return self._found(cores, self._spare(counts) if self.shape.kickers else 0, length)

    def _spare(self, counts: Counts) -> Cards:
        """Keep of a hand what may serve as kickers, each rank cut to the number that is of use."""
        shape = self.shape
        if shape.kicker > 1:
            return counts[shape.kicker] & ~c.JOKERS
        return counts[1] if self._alike == 1 else sum(counts[1 : self._alike + 1])

    def rank_of(self, cards: Cards, counts: Counts, length: int) -> int | None:
        """Find the rank index of a whole set of cards as a combination of that length; None if it is none."""
        if self.literals:
            return self.literals.index(cards) if cards in self.literals else None
        cores = counts[self.least] & self.possible
        spare = self._spare(counts) if self.shape.kickers else 0
        for core, each in self._cores(cores, length):
            whole = self._with_kickers(core, spare, each) if self.shape.kickers else (core * self.shape.copies,)
            if cards in whole:
                return (core.bit_length() - 1) >> 2
        return None

    def _find(self, ranks: Mask, spare: Cards, length: int) -> tuple[Cards, ...]:
        cores = self._cores(ranks, length)
        if not self.shape.kickers:
            copies = self.shape.copies
            return tuple([core * copies for core, _ in cores])
        return tuple([cards for core, each in cores for cards in self._with_kickers(core, spare, each)])

    def _cores(self, ranks: Mask, length: int) -> list[tuple[Mask, int]]:
        """List the cores that the ranks hold, with their lengths."""
        if self.longest == 1:
            return [(core, 1) for core in c.bits(ranks)]
        cores: list[tuple[Mask, int]] = []
        starts = ranks
        for each in range(1, (length or self.longest) + 1):
            starts &= ranks >> 4 * (each - 1)
            if not starts:
                break
            if each >= (length or self.shape.run):
                span = c.ONES & ((1 << 4 * each) - 1)
                cores += [(start * span, each) for start in c.bits(starts)]
        return cores

    def _with_kickers(self, core: Mask, spare: Cards, length: int) -> list[Cards]:
        shape = self.shape
        cards, wanted = core * shape.copies, length * shape.kickers
        spare &= ~(core * 0xF)
        if wanted == 1:
            return [cards + rank * shape.kicker for rank in c.bits(spare)]
        if shape.run > 1 and not shape.beside and shape.kicker == 1 and self._alike >= shape.copies:
            # As many equal kickers as a core has would lengthen the chain, if they lay beside it.
            beside = (core << 4 | core >> 4) & c.CHAIN
            spare -= c.at_least(spare, shape.copies) & beside
        return [cards + kickers for kickers in _kickers(spare, wanted, shape.kicker, jokers=shape.jokers)]


def _possible(shape: Shape) -> Mask:
    """Tell which ranks can be a core, or lie in a literal set."""
    if shape.cards:
        return c.at_least(sum(c.parse(text) for text in shape.cards), 1)
    if shape.run > 1:
        return c.CHAIN
    return c.ONES if shape.copies == 1 else c.ONES & ~c.JOKERS


def counts_of(hand: Cards, most: int) -> Counts:
    """Find the ranks with at least 0, 1, 2, … `most` cards."""
    return [c.ONES, *[hand + addend >> 3 & c.ONES for addend in _ADDENDS[:most]]]


_ADDENDS = [(8 - count) * c.ONES for count in range(1, 9)]
"""What `cards.at_least` adds for each count."""


@lru_cache(REMEMBERED)
def _kickers(spare: Cards, wanted: int, width: int, *, jokers: bool) -> tuple[Cards, ...]:
    """Choose `wanted` kickers of `width` cards: every multiset that `spare` (choices of each rank) allows."""
    units = [bit * width for bit in c.bits(c.at_least(spare, 1))]
    if wanted == 2:
        twice = [2 * bit * width for bit in c.bits(c.at_least(spare, 2))]
        return tuple(
            sorted([one + other for one, other in combinations(units, 2) if jokers or one | other != c.JOKERS] + twice)
        )
    chosen: list[list[Cards]] = [[0]] + [[] for _ in range(wanted)]
    singles = spare & c.JOKERS if not jokers else 0
    slots = [
        [(count, bit * width * count) for count in range(1, (spare // bit & 0xF) + 1)]
        for bit in c.bits(c.at_least(spare, 1) & ~singles)
    ]
    if singles:
        # Both jokers never go out together as kickers: they are two values of one choice.
        slots.append([(1, bit) for bit in c.bits(singles)])
    for slot in slots:
        for total in range(wanted, 0, -1):
            for count, cards in slot:
                if count <= total:
                    chosen[total].extend([cards + rest for rest in chosen[total - count]])
    return tuple(sorted(chosen[wanted]))
