"""Physical cards, with suits: `7h`, `Ts`, `B`, `R`. Only the screen and the marked card of `five_player` need them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dizhu.errors import ParseError
from dizhu.rules import cards as c
from dizhu.rules.cards import RANKS, Cards

Card = str
"""A card as text: its rank and suit, a joker by its rank alone."""

SUITS = "shcd"
_JOKERS = "BR"
_TOKEN = re.compile(r"([BR])|([3-9TJQKA2])([shcd]?)")
_ORDER = {
    card: index
    for index, card in enumerate(
        rank + suit for rank in RANKS for suit in ("",) + (() if rank in _JOKERS else tuple(SUITS))
    )
}


@dataclass(frozen=True)
class Deck:
    """The cards a game is played with: how many decks, of which ranks, and which cards are taken out of each."""

    decks: int = 1
    ranks: str = RANKS
    without: tuple[Card, ...] = ()

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card of the deck, copies included, in fixed order."""
        return tuple(
            rank + suit
            for _ in range(self.decks)
            for rank in self.ranks
            for suit in ([""] if rank in _JOKERS else SUITS)
            if rank + suit not in self.without
        )

    @cached_property
    def word(self) -> Cards:
        """The number of cards of each rank."""
        return rank_word(self.cards)


ONE_DECK = Deck()
TWO_DECKS = Deck(decks=2)
NO_THREES_AND_FOURS = Deck(ranks=RANKS[2:])


def rank_word(cards: Iterable[Card]) -> Cards:
    """Forget the suits: the set of cards by rank."""
    word = 0
    for card in cards:
        word += c.UNIT[card[0]]
    return word


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Sort cards from low to high; equal ranks by suit."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def parse_cards(text: str) -> list[Card]:
    """Read cards with or without suits: `33344456`, `7h 7d B`, or a mixture; a card without its suit stays bare.

    >>> parse_cards("7h 7 B")
    ['7h', '7', 'B']

    Raises ParseError `malformed_cards`.
    """
    found: list[Card] = []
    for word in text.split():
        at = 0
        while at < len(word):
            token = _TOKEN.match(word, at)
            if token is None:
                c.parse(word[at])
                raise ParseError(
                    "malformed_cards", f"{word!r} is not a card: write rank and suit, as in 7h", cards=text
                )
            found.append(token.group())
            at = token.end()
    return found


def is_bare(card: Card) -> bool:
    """Tell whether a card is named by its rank only although it has a suit."""
    return len(card) == 1 and card not in _JOKERS


def take(hand: tuple[Card, ...], named: list[Card], last: Card | None = None) -> tuple[Card, ...] | None:
    """Choose from a hand the physical cards that `named` stands for, or None if they are not held.

    A bare rank stands for the first card of that rank in the hand's order, and for the card `last` only when there
    is no other: naming ranks never gives the marked card away without need.
    """
    left = sorted(hand, key=lambda card: card == last)
    chosen: list[Card] = []
    for card in sorted(named, key=is_bare):
        own = next((own for own in left if own == card or own[0] == card), None)
        if own is None:
            return None
        left.remove(own)
        chosen.append(own)
    return in_order(chosen)


def without(hand: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Take cards out of a hand that holds them; the rest keeps its order."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return tuple(rest)
