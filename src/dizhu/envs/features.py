"""What a seat in turn knows, as rows of zeros and ones: DouZero's features, laid out the same for every game and role.

A set of cards is a row of `width` cells: for each rank from 3 to 2 four cells (two decks: eight), as many ones from the
left as there are cards, then the black and the red jokers. A state is, in this order:

    hand        own cards
    unseen      all cards that are neither own nor played
    table       the combination to beat; empty on a lead
    last        of each other seat, from the next one round: its last turn (empty: it passed, or had none)
    played      of each other seat: all it has played
    left        of each other seat: its number of cards, one of `largest` cells
    bombs       how often the multiplier was doubled by a combination, 0 to 14 (more count as 14)
    landlords   of each seat, from the own one round: whether the own seat knows it as landlord
    let         cards left at which a farmer wins, 0 to 4 (more, which a host may allow, count as 4)

The history is the last 15 turns, a row of cards each, the newest last; a pass is an empty row.

Differs from a table of `five_player`: the twin card does not make the hidden landlord known, since the simulator has no
suits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from dizhu.game.variant import Variant
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards

HISTORY = 15
MOST_BOMBS = 14
MOST_LET = 4
_PLAIN_RANKS = c.RANKS[:-2]
_JOKERS = c.RANKS[-2:]


@dataclass(frozen=True)
class Layout:
    """The cells of a game's rows: `sections` names the parts of a state and their places."""

    variant: Variant
    width: int
    sections: dict[str, slice]

    @property
    def size(self) -> int:
        """The number of cells of a row."""
        return sum(self.sizes.values())

    @property
    def sizes(self) -> dict[str, int]:
        """The number of cells of each part."""
        return {name: section.stop - section.start for name, section in self.sections.items()}


def layout(variant: Variant) -> Layout:
    """Lay the rows of a game out."""
    width = 54 * variant.deck.decks
    others = variant.seats - 1
    sizes = {
        "hand": width,
        "unseen": width,
        "table": width,
        "last": width * others,
        "played": width * others,
        "left": (variant.deal + variant.bottom) * others,
        "bombs": MOST_BOMBS + 1,
        "landlords": variant.seats,
        "let": MOST_LET + 1,
    }
    return Layout(variant, width, laid_out(sizes))


def laid_out(sizes: Mapping[str, int]) -> dict[str, slice]:
    """Give parts of these sizes their places, one after the other."""
    ends = list(accumulate(sizes.values()))
    return {name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)}


@dataclass
class Known:
    """A hand so far as seat `turn` knows it: its own hand, the landlords it knows of, `table` what has to be beaten.

    counts, played, last: the cards left, all cards played and the last turn of each seat.
    """

    hand: Cards
    turn: int
    counts: Sequence[int]
    landlords: Collection[int]
    let: int
    doublings: int
    table: Cards
    played: list[Cards]
    last: list[Cards]
    history: list[Cards] = field(default_factory=list[Cards])


def cards_row(cards: Cards, decks: int) -> list[int]:
    """Write a set of cards as ones and zeros.

    >>> cards_row(c.parse("334R"), decks=1)[:8], cards_row(c.parse("334R"), decks=1)[-2:]
    ([1, 1, 0, 0, 1, 0, 0, 0], [0, 1])
    """
    return list(_cells(cards, decks))


@lru_cache(1 << 14)
def _cells(cards: Cards, decks: int) -> tuple[int, ...]:
    row: list[int] = []
    for ranks, cells in ((_PLAIN_RANKS, 4 * decks), (_JOKERS, decks)):
        for rank in ranks:
            count = cards // c.UNIT[rank] & 0xF
            row += [1] * count + [0] * (cells - count)
    return tuple(row)


def state_row(variant: Variant, known: Known) -> list[int]:
    """Write what the seat in turn knows as one row, in the order of the layout."""
    decks, seats, me = variant.deck.decks, variant.seats, known.turn
    others = [(me + steps) % seats for steps in range(1, seats)]
    largest = variant.deal + variant.bottom
    row = cards_row(known.hand, decks)
    row += cards_row(variant.deck.word - known.hand - sum(known.played), decks)
    row += cards_row(known.table, decks)
    for seat in others:
        row += cards_row(known.last[seat], decks)
    for seat in others:
        row += cards_row(known.played[seat], decks)
    for seat in others:
        row += one_hot(known.counts[seat] - 1, largest)
    row += one_hot(min(known.doublings, MOST_BOMBS), MOST_BOMBS + 1)
    row += [int(seat in known.landlords) for seat in (me, *others)]
    return row + one_hot(min(known.let, MOST_LET), MOST_LET + 1)


def one_hot(place: int, size: int) -> list[int]:
    """Write a number as a row with a single one; a negative number as zeros."""
    return [int(cell == place) for cell in range(size)]


def as_ones(number: int, size: int) -> list[int]:
    """Write a number as so many ones from the left."""
    return [int(cell < number) for cell in range(size)]


def history_rows(variant: Variant, known: Known) -> Iterator[list[int]]:
    """Write the last 15 turns, oldest first; what has not happened yet is empty."""
    recent = known.history[-HISTORY:]
    for cards in [0] * (HISTORY - len(recent)) + recent:
        yield cards_row(cards, variant.deck.decks)
