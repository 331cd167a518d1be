"""Who holds which cards when a hand begins: a fair shuffle, or any position that the deck allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dizhu.errors import InvalidDeal
from dizhu.game.physical import Card, in_order, is_bare, parse_cards
from dizhu.game.shuffle import Stream, commitment
from dizhu.game.variant import Variant


@dataclass(frozen=True, slots=True)
class Deal:
    """The start of a hand. Hands are in dealing order: what lies first was dealt first.

    first: the seat asked first (in games with a marked card: the one that was dealt it).
    seed, entropy: where the cards came from, if they were shuffled (32 bytes; what players added).
    """

    first: int
    hands: tuple[tuple[Card, ...], ...]
    bottom: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()
    marked: Card | None = None
    seed: bytes | None = None
    entropy: tuple[bytes, ...] = ()

    @property
    def commitment(self) -> str | None:
        """The SHA-256 of the seed as hex, shown before the deal; None for a position that was set up."""
        return None if self.seed is None else commitment(self.seed)


def shuffled(variant: Variant, seed: bytes, first: int | None = None, entropy: Sequence[bytes] = ()) -> Deal:
    """Deal a hand from a 32-byte seed: the same seed, entropy and first seat always give the same deal.

    `first` None takes the first seat that the seed draws; the cards do not depend on it. The marked copy of
    `five_player` never lies in the bottom: its place is drawn among the dealt ones, and the other cards are
    dealt uniformly (rules.md §3.6).
    """
    stream = Stream(seed, entropy)
    drawn = stream.below(variant.seats)
    if first is None:
        first = drawn
    if not 0 <= first < variant.seats:
        raise InvalidDeal("no_such_seat", f"seat {first} does not exist: seats are 0 to {variant.seats - 1}")
    cards = list(variant.deck.cards)
    dealt = variant.seats * variant.deal
    marked = None
    if variant.marked:
        plain = [index for index, card in enumerate(cards) if len(card) > 1]
        marked = cards.pop(plain[stream.below(len(plain))])
        place = stream.below(dealt)
        stream.shuffle(cards)
        cards.insert(place, marked)
        first = place // variant.deal
    else:
        stream.shuffle(cards)
    hands = tuple(tuple(cards[seat * variant.deal : (seat + 1) * variant.deal]) for seat in range(variant.seats))
    bottom = tuple(cards[dealt : dealt + variant.bottom])
    aside = tuple(cards[dealt + variant.bottom :])
    return Deal(first, hands, bottom, aside, marked, bytes(seed), tuple(entropy))


def position(
    variant: Variant, hands: Sequence[str], bottom: str = "", first: int = 0, marked: str | None = None, aside: str = ""
) -> Deal:
    """Set up a position of any size; cards are ranks (`33445`) or physical cards (`7h B`).

    A rank without suit becomes the first unused card of that rank. Raises ParseError, or InvalidDeal with
    code wrong_seats, empty_hand, no_such_seat, not_in_deck, too_many_cards or bad_marked_card.
    """
    groups = [parse_cards(text) for text in (*hands, bottom, aside)]
    unused = Counter(variant.deck.cards)
    unused.subtract(card for group in groups for card in group if not is_bare(card))
    held = [tuple(_dressed(card, unused) for card in group) for group in groups]
    marks = None if marked is None else "".join(parse_cards(marked))
    deal = Deal(first, tuple(held[:-2]), held[-2], held[-1], marks)
    check(variant, deal)
    return deal


def _dressed(card: Card, unused: Counter[Card]) -> Card:
    if not is_bare(card):
        return card
    copies = in_order(full for full in unused if full[0] == card and unused[full] > 0)
    if not copies:
        raise InvalidDeal("too_many_cards", f"the deck has no further card of rank {card}", card=card)
    unused[copies[0]] -= 1
    return copies[0]


def check(variant: Variant, deal: Deal) -> None:
    """Raise InvalidDeal unless the deck holds these cards and every seat has some."""
    if len(deal.hands) != variant.seats:
        raise InvalidDeal("wrong_seats", f"{variant.name} needs {variant.seats} hands, not {len(deal.hands)}")
    if not 0 <= deal.first < variant.seats:
        raise InvalidDeal("no_such_seat", f"seat {deal.first} does not exist: seats are 0 to {variant.seats - 1}")
    for seat, hand in enumerate(deal.hands):
        if not hand:
            raise InvalidDeal("empty_hand", f"seat {seat} has no cards", seat=seat)
    deck = Counter(variant.deck.cards)
    used = Counter(card for group in (*deal.hands, deal.bottom, deal.aside) for card in group)
    for card, count in used.items():
        if card not in deck:
            raise InvalidDeal("not_in_deck", f"{card} is not in the deck of {variant.name}", card=card)
        if count > deck[card]:
            raise InvalidDeal("too_many_cards", f"{card} is dealt {count} times; the deck has {deck[card]}", card=card)
    misplaced = deal.marked is not None and deal.marked not in deal.hands[deal.first]
    if misplaced or (deal.marked is not None) != variant.marked:
        wanted = f"a marked card in the hand of seat {deal.first}" if variant.marked else "no marked card"
        raise InvalidDeal("bad_marked_card", f"{variant.name} needs {wanted}, not {deal.marked}")
    if deal.marked and len(deal.marked) == 1:
        raise InvalidDeal("bad_marked_card", "the marked card is a card with a suit, no joker")
