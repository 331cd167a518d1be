"""One loop over the rows of `shapes.py`: which combinations a hand holds, and which combination a set of cards is."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards, Mask
from dizhu.rules.shapes import Shape

REMEMBERED = 1 << 14
"""How many results of each kind are remembered; every one of the caches then stays below some ten megabytes."""


class Combo(NamedTuple):
    """A combination: its kind (`Shape.name`), number of core ranks, highest core rank, sort key and cards.

    Keys order all combinations: power, then row, then length, then rank, so comparing two is comparing integers.
    """

    kind: str
    length: int
    rank: str
    key: int
    cards: Cards

    @property
    def text(self) -> str:
        """The ranks from low to high."""
        return c.format_cards(self.cards)


_RANK_BITS = 4
_LENGTH_BITS = 4
_ROW_BITS = 5
_POWER_SHIFT = _RANK_BITS + _LENGTH_BITS + _ROW_BITS
_RANK_MASK = (1 << _RANK_BITS) - 1


def beats(combo: Combo, against: Combo) -> bool:
    """Tell whether `combo` beats `against`: same kind and length with a higher rank, or a higher power."""
    return (
        combo.key >> _RANK_BITS == against.key >> _RANK_BITS and combo.key > against.key
    ) or combo.key >> _POWER_SHIFT > against.key >> _POWER_SHIFT


class Grammar:
    """The combinations of one game: its rows, its deck (the most cards of each rank) and its largest hand."""

    def __init__(self, shapes: tuple[Shape, ...], deck: Cards, largest: int) -> None:
        """Prepare the rows; `largest` is the number of cards of the largest hand."""
        self.shapes = shapes
        self.deck = deck
        self.largest = largest
        self._literals = {shape: tuple(c.parse(text) for text in shape.cards) for shape in shapes}
        self._literal_ranks = {shape: _all_of(c.at_least(sum(sets), 1)) for shape, sets in self._literals.items()}
        self.classify = lru_cache(REMEMBERED)(self._classify)
        self._found = lru_cache(REMEMBERED)(self._find)
        self._made = lru_cache(REMEMBERED)(self._make)

    def times(self, combo: Combo) -> int:
        """What playing this combination multiplies the multiplier by."""
        return self.shapes[_row_of(combo.key)].times

    def moves(self, hand: Cards, against: Combo | None = None) -> list[Combo]:
        """List the combinations in a hand that may be played: all on a lead, else those that beat `against`."""
        if against is None:
            return [combo for row in range(len(self.shapes)) for combo in self.find(hand, row)]
        row = _row_of(against.key)
        found = list(self.find(hand, row, against.length, against.key & _RANK_MASK))
        for stronger, shape in enumerate(self.shapes):
            if shape.power > self.shapes[row].power:
                found += self.find(hand, stronger)
        return found

    def texts(self, hand: Cards, against: Combo | None = None) -> list[str]:
        """List the same combinations as text, their ranks from low to high."""
        return [combo.text for combo in self.moves(hand, against)]

    def name(self, key: int) -> tuple[str, int, str, int]:
        """Read a key: kind, length, rank, and the key itself."""
        row, order = _row_of(key), key & _RANK_MASK
        shape = self.shapes[row]
        rank = c.RANKS[order] if shape.copies else c.rank_of(1 << (self._literals[shape][order].bit_length() - 1))
        return shape.name, key >> _RANK_BITS & ((1 << _LENGTH_BITS) - 1), rank, key

    def count(self) -> Counter[str]:
        """Count all combinations of the game by kind: an exact check of the rows (rules.md §2)."""
        return Counter(combo.kind for combo in self.moves(self.deck))

    def find(self, hand: Cards, row: int, length: int = 0, above: int = -1) -> tuple[Combo, ...]:
        """Find the combinations of one row in a hand, of one length (0: any) and of rank index above `above`.

        They come from short to long, then from low to high. What was found is remembered by the cards that matter
        to the row.
        """
        matter = self._matter(hand, self.shapes[row])
        return self._found(matter, row, length, above) if matter else ()

    def _matter(self, hand: Cards, shape: Shape) -> Cards:
        """Reduce a hand to the cards that decide what a row finds in it: none, if it finds nothing."""
        if not shape.copies:
            return hand & self._literal_ranks[shape]
        cores = _cores(hand, shape)
        if not cores or not shape.kickers:
            return cores * shape.copies
        if shape.kicker > 1:
            matter = c.at_least(hand, shape.kicker) * shape.kicker
        else:
            matter = sum(c.at_least(hand, count) for count in range(1, shape.most + 1))
        return matter & ~_all_of(cores) | cores * shape.copies

    def _find(self, hand: Cards, row: int, length: int, above: int) -> tuple[Combo, ...]:
        shape = self.shapes[row]
        found: list[Combo] = []
        if not shape.copies:
            for order in range(above + 1, len(shape.cards)):
                if c.contains(hand, self._literals[shape][order]):
                    found += self._made(row, 1, order, 0)
            return tuple(found)
        starts = cores = _cores(hand, shape)
        for each in range(1, (length or self._longest(shape)) + 1):
            starts &= cores >> 4 * (each - 1)
            if not starts:
                break
            if each >= (length or shape.run):
                for start in c.bits(_from_rank(starts, above - each + 2)):
                    spare = _spare(hand, shape, start * _span(each)) if shape.kickers else 0
                    found += self._made(row, each, start, spare)
        return tuple(found)

    def _make(self, row: int, length: int, start: Mask, spare: Cards) -> tuple[Combo, ...]:
        """Make the combinations of one core with all its kickers; `start` is its lowest rank (or a set's place)."""
        shape = self.shapes[row]
        if not shape.copies:
            return (Combo(*self.name(_key(shape, row, 1, start)), self._literals[shape][start]),)
        name = self.name(_key(shape, row, length, ((start.bit_length() - 1) >> 2) + length - 1))
        cards = start * _span(length) * shape.copies
        wanted = length * shape.kickers
        return tuple(
            Combo(*name, cards + kickers) for kickers in _kickers(spare, wanted, shape.kicker, jokers=shape.jokers)
        )

    def _longest(self, shape: Shape) -> int:
        """The longest run of a pattern that the largest hand holds."""
        return min(self.largest // _cards_each(shape), c.CHAIN.bit_count()) if shape.run > 1 else 1

    def _classify(self, cards: Cards) -> Combo | None:
        """Name the combination that these cards are, or None: the search restricted to the whole set."""
        held = c.size(cards)
        for row, shape in enumerate(self.shapes):
            length, rest = divmod(held, _cards_each(shape)) if shape.copies else (1, 0)
            if rest or (shape.copies and not shape.run <= length <= self._longest(shape)):
                continue
            for combo in self._find(cards, row, length, -1):
                if combo.cards == cards:
                    return combo
        return None


def _all_of(ranks: Mask) -> Cards:
    """Widen a mask of ranks to every bit of their nibbles."""
    return ranks * 0xF


def _key(shape: Shape, row: int, length: int, order: int) -> int:
    return (shape.power << _POWER_SHIFT) | (row << _RANK_BITS + _LENGTH_BITS) | (length << _RANK_BITS) | order


def _row_of(key: int) -> int:
    return key >> (_RANK_BITS + _LENGTH_BITS) & ((1 << _ROW_BITS) - 1)


def _cards_each(shape: Shape) -> int:
    """Count the cards that a pattern takes for each core rank, kickers included."""
    return shape.copies + shape.kickers * shape.kicker


def _cores(hand: Cards, shape: Shape) -> Mask:
    """Find the ranks that can be a core."""
    ranks = c.at_least(hand, shape.copies)
    if shape.run > 1:
        return ranks & c.CHAIN
    return ranks & ~c.JOKERS if shape.copies > 1 else ranks


def _from_rank(ranks: Mask, index: int) -> Mask:
    """Keep the ranks from one index up."""
    return ranks >> 4 * index << 4 * index if index > 0 else ranks


def _span(length: int) -> Mask:
    """Stretch over that many neighbouring ranks, from the lowest."""
    return c.ONES & ((1 << 4 * length) - 1)


def _spare(hand: Cards, shape: Shape, core: Mask) -> Cards:
    """Keep of a hand what may serve as kickers of this core, each rank cut to the number that is of use."""
    free = ~core
    if shape.kicker > 1:
        return c.at_least(hand, shape.kicker) & free & ~c.JOKERS
    spare = 0
    for count in range(1, shape.most + 1):
        ranks = c.at_least(hand, count) & free
        if count == shape.copies and shape.run > 1 and not shape.beside:
            ranks &= ~((core << 4 | core >> 4) & c.CHAIN)
        spare += ranks
    return spare


@lru_cache(REMEMBERED)
def _kickers(spare: Cards, wanted: int, width: int, *, jokers: bool) -> tuple[Cards, ...]:
    """Choose `wanted` kickers of `width` cards: every multiset that `spare` (choices of each rank) allows."""
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
