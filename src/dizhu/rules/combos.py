"""The combinations of a game: which ones a hand holds, which one a set of cards is, and which one beats which."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.search import Question, Remembered, Search
from dizhu.rules.shapes import Shape

_COMBOS = 1 << 15
"""How many sets of cards are remembered with their readings: more than any game has combinations."""


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

_FIVES, _EIGHTS = 5 * c.ONES, 8 * c.ONES
"""`hand + _FIVES & _EIGHTS` is `cards.at_least(hand, 3)`, unshifted and without a call."""


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
        self._searches = tuple(Search(shape, largest) for shape in shapes)
        self._by_size: dict[int, list[tuple[int, int]]] = {}
        for row, search in enumerate(self._searches):
            for size, length in search.sizes():
                self._by_size.setdefault(size, []).append((row, length))
        self._all = Remembered(partial(self._questions, most=max(shape.copies for shape in shapes)))
        self._up_to_pairs = Remembered(partial(self._questions, most=2))
        self.classify = lru_cache(_COMBOS)(self._classify)

    def times(self, combo: Combo) -> int:
        """What playing this combination multiplies the multiplier by."""
        return self.shapes[row_of(combo.key)].times

    def words(self, hand: Cards, key: int = 0, /) -> list[Cards]:
        """List the combinations in a hand that may be played: all on a lead, else those that beat `key`."""
        found: list[Cards] = []
        # Most hands hold no three equal cards, and need not be told so by row after row.
        for addend, mask, cores_in, attach in self._all[key] if hand + _FIVES & _EIGHTS else self._up_to_pairs[key]:
            if (held := hand + addend >> 3 & mask) and (cores := cores_in[held]):
                found += attach(cores, hand) if attach else cores
        return found

    def _questions(self, key: int, most: int) -> tuple[Question, ...]:
        """Prepare what a lead (key 0) or a follow asks of a hand with no more than `most` equal cards."""
        asked = [(search, 0, -1) for search in self._searches]
        if key:
            row = self._searches[row_of(key)]
            stronger = [one for one in asked if one[0].shape.power > row.shape.power]
            asked = [(row, _length_of(key), key & _RANK_MASK), *stronger]
        held = [one for one in asked if one[0].shape.copies <= most]
        return tuple(chain.from_iterable(search.questions(length, above) for search, length, above in held))

    def moves(self, hand: Cards, against: Combo | None = None) -> list[Combo]:
        """List the same combinations by name; `against` is what has to be beaten, None on a lead."""
        return [combo for cards in self.words(hand, against.key if against else 0) if (combo := self.classify(cards))]

    def texts(self, hand: Cards, against: Combo | None = None) -> list[str]:
        """List the same combinations as text, their ranks from low to high."""
        return [_TEXTS[cards] for cards in self.words(hand, against.key if against else 0)]

    def name(self, key: int) -> tuple[str, int, str, int]:
        """Read a key: kind, length, rank, and the key itself."""
        search, order = self._searches[row_of(key)], key & _RANK_MASK
        rank = c.rank_of(1 << (search.literals[order].bit_length() - 1)) if search.literals else c.RANKS[order]
        return search.shape.name, _length_of(key), rank, key

    def count(self) -> Counter[str]:
        """Count all combinations of the game by kind: an exact check of the rows (rules.md §2)."""
        return Counter(combo.kind for combo in self.moves(self.deck))

    def _classify(self, cards: Cards) -> Combo | None:
        """Name the combination that these cards are, or None: the search restricted to the whole set."""
        for row, length in self._by_size.get(c.size(cards), ()):
            search = self._searches[row]
            order = search.rank_of(cards, length)
            if order is not None:
                return Combo(*self.name(_key(search.shape, row, length, order)), cards)
        return None


_TEXTS = Remembered(c.format_cards)
"""The text of every combination that was ever listed."""


def _key(shape: Shape, row: int, length: int, order: int) -> int:
    return (shape.power << _POWER_SHIFT) | (row << _RANK_BITS + _LENGTH_BITS) | (length << _RANK_BITS) | order


def row_of(key: int) -> int:
    """Tell the row of the grammar from a combination's key."""
    return key >> (_RANK_BITS + _LENGTH_BITS) & ((1 << _ROW_BITS) - 1)


def _length_of(key: int) -> int:
    return key >> _RANK_BITS & ((1 << _LENGTH_BITS) - 1)
