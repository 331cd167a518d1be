"""The one loop: what a row of `shapes.py` finds in a hand, as sets of cards.

A lead asks every row, a follow the row on the table and those of higher power, and classification asks a row with the
whole set of cards. What was found is remembered by the cards that matter to the row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import combinations

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards, Mask
from dizhu.rules.shapes import Shape

REMEMBERED = 1 << 14
"""How many results of each kind are remembered; every one of the caches then stays below some ten megabytes."""

_CHOICES = 1 << 12
"""How many choices of two and more kickers are remembered: they are long, and seldom the same."""

_SHIFT = 3
"""How far a `Question` shifts a hand: as far as `cards.at_least` does."""

Question = tuple[int, int, Callable[[int], tuple[Cards, ...]], "Search | None"]
"""One row, put to a hand in one expression: `hand + addend >> 3 & mask` is what matters of the hand, 0 if nothing does.

The third part tells what the row finds in that, kickers left out; the fourth attaches them, in rows that have some.
"""


class Search:
    """One row, ready to be searched: all that does not depend on the hand is worked out beforehand."""

    def __init__(self, shape: Shape, largest: int) -> None:
        """Take a row, and the number of cards of the largest hand."""
        self.shape = shape
        self.literals = tuple(c.parse(text) for text in shape.cards)
        self._cards_each = shape.copies + shape.kickers * shape.kicker
        self._longest = min(largest // self._cards_each, c.CHAIN.bit_count()) if shape.run > 1 else 1
        self._possible = c.CHAIN if shape.run > 1 else _ranks_of(shape.copies)
        self._alike = min(shape.most, self._longest * shape.kickers)
        self._single_kickers = runs(shape.kicker, 1, 1)

    def sizes(self) -> list[tuple[int, int]]:
        """List how many cards a combination of this row may have, each number with the length it then has."""
        if self.literals:
            return [(size, 1) for size in {c.size(cards) for cards in self.literals}]
        return [(self._cards_each * length, length) for length in range(self.shape.run, self._longest + 1)]

    def question(self, length: int = 0, above: int = -1) -> Question:
        """Ask for the combinations of one length (0: any) and of rank index above `above`.

        They come from short to long, then from low to high by rank, then by kickers.
        """
        if self.literals:
            literals = self.literals[above + 1 :]
            nibbles = c.at_least(sum(self.literals), 1) * 0xF
            return 0, nibbles >> _SHIFT, cache(partial(_contained, literals)), None
        shape, ranks = self.shape, self._possible
        if above >= 0:
            ranks &= c.ONES << 4 * max(above - length + 2, 0)
        found = runs(shape.copies, length or shape.run, length or self._longest)
        return (8 - shape.copies) * c.ONES, ranks, found, self if shape.kickers else None

    def with_kickers(self, cores: tuple[Cards, ...], hand: Cards) -> list[Cards]:
        """Attach to each core all the kickers that a hand has for it."""
        shape, spare = self.shape, self._spare(hand)
        found: list[Cards] = []
        for cards in cores:
            core = cards // shape.copies
            left, wanted = spare & ~(core * 0xF), core.bit_count() * shape.kickers
            if wanted == 1:
                found += [cards + kicker for kicker in self._single_kickers(left)]
                continue
            if shape.run > 1 and not shape.beside and shape.kicker == 1 and self._alike >= shape.copies:
                # As many equal kickers as a core has would lengthen the chain, if they lay beside it.
                left -= c.at_least(left, shape.copies) & (core << 4 | core >> 4) & c.CHAIN
            found += [cards + kickers for kickers in _kickers(left, wanted, shape.kicker, jokers=shape.jokers)]
        return found

    def _spare(self, hand: Cards) -> Cards:
        """Keep of a hand what may serve as kickers, each rank cut to the number that is of use."""
        spare = c.at_least(hand, self.shape.kicker) & _ranks_of(self.shape.kicker)
        for count in range(2, self._alike + 1):
            spare += c.at_least(hand, count)
        return spare

    def rank_of(self, cards: Cards, length: int) -> int | None:
        """Find the rank index of a whole set of cards as a combination of that length; None if it is none."""
        if self.literals:
            return self.literals.index(cards) if cards in self.literals else None
        addend, mask, found, _ = self.question(length)
        for core in found(cards + addend >> 3 & mask):
            whole = self.with_kickers((core,), cards) if self.shape.kickers else (core,)
            if cards in whole:
                return (core.bit_length() - 1) >> 2
        return None


@cache
def runs(copies: int, shortest: int, longest: int) -> Callable[[Mask], tuple[Cards, ...]]:
    """Make the function that lists the runs of neighbouring ranks, `copies` cards of each, among given ranks.

    It forgets nothing, and need not: there are 2^15 sets of ranks, 2^12 for chains. All that all rows of a deck could
    ever remember takes 25 megabytes, of all games 35.
    """

    @cache
    def found(ranks: Mask) -> tuple[Cards, ...]:
        starts, cores = ranks, list[Mask]()
        for length in range(1, longest + 1):
            starts &= ranks >> 4 * (length - 1)
            if not starts:
                break
            if length >= shortest:
                span = c.ONES & ((1 << 4 * length) - 1)
                cores += [start * span for start in c.bits(starts)]
        return tuple([core * copies for core in cores])

    return found


def _contained(literals: tuple[Cards, ...], held: int) -> tuple[Cards, ...]:
    """List the literal sets in what is held of their ranks: whole nibbles, as the shift for all rows leaves them."""
    return tuple([cards for cards in literals if c.contains(held << _SHIFT, cards)])


def _ranks_of(copies: int) -> Mask:
    """Tell which ranks count as so many equal cards: jokers only one by one."""
    return c.ONES if copies == 1 else c.ONES & ~c.JOKERS


@lru_cache(_CHOICES)
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
