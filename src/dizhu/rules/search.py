"""The one loop: what a row of `shapes.py` finds in a hand, as sets of cards.

A lead asks every row, a follow the row on the table and those of higher power, and classification asks a row with the
whole set of cards. What was found is remembered by the cards that matter to the row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import TypeVar

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards, Mask
from dizhu.rules.shapes import Shape

REMEMBERED = 1 << 14
"""How many results of each kind are remembered; every one of the caches then stays below some ten megabytes."""

_CHOICES = 1 << 12
"""How many choices of two and more kickers are remembered: they are long, and seldom the same."""

Attach = Callable[[tuple[Cards, ...], Cards], list[Cards]]
"""Adds to each of some cores all the kickers that a hand has for it."""

Question = tuple[int, int, "Remembered[int, tuple[Cards, ...]]", Attach | None]
"""One row, put to a hand in one expression: `hand + addend >> 3 & mask` is what matters of the hand, 0 if nothing does.

The third part holds what the row finds in that, kickers left out; the fourth, in rows that have some, attaches them.
"""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Remembered(dict[_Key, _Value]):
    """What a function says, by its argument. It forgets nothing: for functions with few arguments to be asked about."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[_Key], _Value]) -> None:
        """Begin with nothing."""
        self._function = function

    def __missing__(self, argument: _Key) -> _Value:
        value = self[argument] = self._function(argument)
        return value


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
        self._attach = None
        if shape.kickers:
            self._kicker = runs(shape.kicker, 1, 1)
            self._kicker_addend = (8 - shape.kicker) * c.ONES
            self._kicker_ranks = _ranks_of(shape.kicker)
            self._attach = self._with_one_kicker if shape.kickers == self._longest == 1 else self._with_kickers

    def sizes(self) -> list[tuple[int, int]]:
        """List how many cards a combination of this row may have, each number with the length it then has."""
        if self.literals:
            return [(size, 1) for size in {c.size(cards) for cards in self.literals}]
        return [(self._cards_each * length, length) for length in range(self.shape.run, self._longest + 1)]

    def questions(self, length: int = 0, above: int = -1) -> list[Question]:
        """Ask for the combinations of one length (0: any) and of rank index above `above`.

        They come from short to long, then from low to high by rank, then by kickers.
        """
        if self.literals:
            # Of their ranks the whole nibble matters, and the shift is the same for all rows.
            literals = self.literals[above + 1 :]
            nibbles = c.at_least(sum(self.literals), 1) * 0xF
            return [(0, nibbles >> 3, Remembered(partial(_contained, literals)), None)]
        shape, ranks = self.shape, self._possible
        if above >= 0:
            ranks &= c.ONES << 4 * max(above - length + 2, 0)
        found = runs(shape.copies, length or shape.run, length or self._longest)
        # Single cards have the most sets of ranks, so they are asked about by halves.
        parts = c.HALVES if shape.copies == self._longest == 1 else (c.ONES,)
        addend = (8 - shape.copies) * c.ONES
        return [(addend, ranks & part, found, self._attach) for part in parts if ranks & part]

    def rank_of(self, cards: Cards, length: int) -> int | None:
        """Find the rank index of a whole set of cards as a combination of that length; None if it is none."""
        if self.literals:
            return self.literals.index(cards) if cards in self.literals else None
        for addend, mask, found, attach in self.questions(length):
            for core in found[cards + addend >> 3 & mask]:
                if cards in (attach((core,), cards) if attach else (core,)):
                    return (core.bit_length() - 1) >> 2
        return None

    def _with_one_kicker(self, cores: tuple[Cards, ...], hand: Cards) -> list[Cards]:
        """Attach one kicker to cores of one rank, in rows that ask for no more."""
        spare = hand + self._kicker_addend >> 3 & self._kicker_ranks
        found: list[Cards] = []
        for core in cores:
            left = spare & ~(core // self.shape.copies)
            for half in c.HALVES:
                found += [core + kicker for kicker in self._kicker[left & half]]
        return found

    def _with_kickers(self, cores: tuple[Cards, ...], hand: Cards) -> list[Cards]:
        """Attach several kickers to each core."""
        shape = self.shape
        # What may serve as kickers, each rank cut to the number that is of use.
        spare = hand + self._kicker_addend >> 3 & self._kicker_ranks
        for count in range(2, self._alike + 1):
            spare += c.at_least(hand, count)
        found: list[Cards] = []
        for core in cores:
            ranks = core // shape.copies
            left = spare & ~(ranks * 0xF)
            if shape.run > 1 and not shape.beside and shape.kicker == 1 and self._alike >= shape.copies:
                # As many equal kickers as a core has would lengthen the chain, if they lay beside it.
                left -= c.at_least(left, shape.copies) & (ranks << 4 | ranks >> 4) & c.CHAIN
            wanted = ranks.bit_count() * shape.kickers
            found += [core + kickers for kickers in _kickers(left, wanted, shape.kicker, jokers=shape.jokers)]
        return found


@cache
def runs(copies: int, shortest: int, longest: int) -> Remembered[Mask, tuple[Cards, ...]]:
    """Hold the runs of neighbouring ranks, `copies` cards of each, in every set of ranks that was asked about.

    There are 2^13 sets of ranks for pairs, 2^12 for chains, 2^8 in a half: all that the rows of one deck could ever
    remember takes 13 megabytes, of all games 18.
    """

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

    return Remembered(found)


def _contained(literals: tuple[Cards, ...], held: int) -> tuple[Cards, ...]:
    """List the literal sets in what is held of their ranks, three bits lower than in a hand."""
    return tuple([cards for cards in literals if c.contains(held << 3, cards)])


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
