"""One loop over the rows of `shapes.py`: which combinations a hand holds, and which combination a set of cards is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards, Mask
from dizhu.rules.shapes import Shape

_REMEMBERED = 1 << 16


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
        self.classify = lru_cache(_REMEMBERED)(self._classify)
        self.moves = lru_cache(_REMEMBERED)(self._moves)

    def times(self, combo: Combo) -> int:
        """What playing this combination multiplies the multiplier by."""
        return self.shapes[combo.key >> (_RANK_BITS + _LENGTH_BITS) & ((1 << _ROW_BITS) - 1)].times

    def find(self, hand: Cards, row: int, length: int, above: int = -1) -> Iterator[Combo]:
        """Yield the combinations of one row and length in a hand, of rank index above `above`, from low to high."""
        shape = self.shapes[row]
        base = (shape.power << _POWER_SHIFT) | (row << _RANK_BITS + _LENGTH_BITS) | (length << _RANK_BITS)
        if not shape.copies:
            for order, cards in enumerate(self._literals[shape]):
                if order > above and c.contains(hand, cards):
                    rank = c.rank_of(1 << (cards.bit_length() - 1))
                    yield Combo(shape.name, length, rank, base | order, cards)
            return
        span = c.ONES & ((1 << 4 * length) - 1)
        for start in c.bits(_starts(hand, shape, length)):
            order = ((start.bit_length() - 1) >> 2) + length - 1
            if order <= above:
                continue
            core = start * span
            rank = c.RANKS[order]
            if not shape.kickers:
                yield Combo(shape.name, length, rank, base | order, core * shape.copies)
                continue
            for kickers in _kickers(
                _spare(hand, shape, core), length * shape.kickers, shape.kicker, jokers=shape.jokers
            ):
                yield Combo(shape.name, length, rank, base | order, core * shape.copies + kickers)

    def leads(self, hand: Cards) -> Iterator[Combo]:
        """Yield every combination in a hand."""
        held = c.size(hand)
        for row in range(len(self.shapes)):
            for length in self._lengths(row, held):
                yield from self.find(hand, row, length)

    def follows(self, hand: Cards, against: Combo) -> Iterator[Combo]:
        """Yield every combination in a hand that beats `against`."""
        row = against.key >> (_RANK_BITS + _LENGTH_BITS) & ((1 << _ROW_BITS) - 1)
        yield from self.find(hand, row, against.length, against.key & ((1 << _RANK_BITS) - 1))
        for stronger, shape in enumerate(self.shapes):
            if shape.power > self.shapes[row].power:
                for length in self._lengths(stronger, c.size(hand)):
                    yield from self.find(hand, stronger, length)

    def count(self) -> Counter[str]:
        """Count all combinations of the game by kind: an exact check of the rows (rules.md §2)."""
        return Counter(combo.kind for combo in self.leads(self.deck))

    def _lengths(self, row: int, held: int) -> range:
        shape = self.shapes[row]
        if not shape.copies or shape.run == 1:
            return range(1, 2)
        longest = min(held, self.largest) // (shape.copies + shape.kickers * shape.kicker)
        return range(shape.run, min(longest, c.CHAIN.bit_count()) + 1)

    def _classify(self, cards: Cards) -> Combo | None:
        """Name the combination that these cards are, or None: the search restricted to the whole set."""
        held = c.size(cards)
        for row, shape in enumerate(self.shapes):
            each = shape.copies + shape.kickers * shape.kicker
            length = held // each if each else 1
            if length not in self._lengths(row, held) or each * length not in (0, held):
                continue
            for combo in self.find(cards, row, length):
                if combo.cards == cards:
                    return combo
        return None

    def _moves(self, hand: Cards, against: Combo | None = None) -> tuple[Combo, ...]:
        """List the combinations in a hand that may be played: all on a lead, else those that beat `against`."""
        return tuple(self.leads(hand) if against is None else self.follows(hand, against))


def _starts(hand: Cards, shape: Shape, length: int) -> Mask:
    """Find the lowest ranks of all runs of `length` neighbours with enough cards each."""
    ranks = c.at_least(hand, shape.copies)
    if shape.run > 1:
        ranks &= c.CHAIN
    elif shape.copies > 1:
        ranks &= ~c.JOKERS
    starts = ranks
    for step in range(1, length):
        starts &= ranks >> 4 * step
    return starts


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


@lru_cache(_REMEMBERED)
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
