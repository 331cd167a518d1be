"""The combinations of a game: which ones a hand holds, which one a set of cards is, and which one beats which."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.search import Search, counts_of
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
        self._most_copies = max(shape.copies for shape in shapes)
        self._stronger = {
            power: tuple(search for search in self._searches if search.shape.power > power)
            for power in {shape.power for shape in shapes}
        }
        self.classify = lru_cache(_COMBOS)(self._classify)

    def times(self, combo: Combo) -> int:
        """What playing this combination multiplies the multiplier by."""
        return self.shapes[_row_of(combo.key)].times

    def words(self, hand: Cards, key: int = 0) -> list[Cards]:
        """List the combinations in a hand that may be played: all on a lead, else those that beat `key`."""
        counts = counts_of(hand, self._most_copies)
        found: list[Cards] = []
        if not key:
            for search in self._searches:
                if counts[search.least] & search.possible:
                    found += search.find(hand, counts)
            return found
        search = self._searches[_row_of(key)]
        found += search.find(hand, counts, _length_of(key), key & _RANK_MASK)
        for stronger in self._stronger[search.shape.power]:
            if counts[stronger.least] & stronger.possible:
                found += stronger.find(hand, counts)
        return found

    def moves(self, hand: Cards, against: Combo | None = None) -> list[Combo]:
        """List the same combinations by name; `against` is what has to be beaten, None on a lead."""
        return [combo for cards in self.words(hand, against.key if against else 0) if (combo := self.classify(cards))]

    def texts(self, hand: Cards, against: Combo | None = None) -> list[str]:
        """List the same combinations as text, their ranks from low to high."""
        return [_TEXTS[cards] for cards in self.words(hand, against.key if against else 0)]

    def name(self, key: int) -> tuple[str, int, str, int]:
        """Read a key: kind, length, rank, and the key itself."""
        search, order = self._searches[_row_of(key)], key & _RANK_MASK
        rank = c.rank_of(1 << (search.literals[order].bit_length() - 1)) if search.literals else c.RANKS[order]
        return search.shape.name, _length_of(key), rank, key

    def count(self) -> Counter[str]:
        """Count all combinations of the game by kind: an exact check of the rows (rules.md §2)."""
        return Counter(combo.kind for combo in self.moves(self.deck))

    def _classify(self, cards: Cards) -> Combo | None:
        """Name the combination that these cards are, or None: the search restricted to the whole set."""
        held, counts = c.size(cards), counts_of(cards, self._most_copies)
        for row, search in enumerate(self._searches):
            shape = search.shape
            length, rest = (1, 0) if search.literals else divmod(held, search.cards_each)
            if rest or not (search.literals or shape.run <= length <= search.longest):
                continue
            order = search.rank_of(cards, counts, length)
            if order is not None:
                return Combo(*self.name(_key(shape, row, length, order)), cards)
        return None


class _Texts(dict[Cards, str]):
    """The text of every combination that was ever listed."""

    def __missing__(self, cards: Cards) -> str:
        text = self[cards] = c.format_cards(cards)
        return text


_TEXTS = _Texts()


def _key(shape: Shape, row: int, length: int, order: int) -> int:
    return (shape.power << _POWER_SHIFT) | (row << _RANK_BITS + _LENGTH_BITS) | (length << _RANK_BITS) | order


def _row_of(key: int) -> int:
    return key >> (_RANK_BITS + _LENGTH_BITS) & ((1 << _ROW_BITS) - 1)


def _length_of(key: int) -> int:
    return key >> _RANK_BITS & ((1 << _LENGTH_BITS) - 1)
