"""All that a seat has seen of a hand so far, as text and as a row: what OpenSpiel calls an information state.

An observation shows the present and the last 15 turns; an information state forgets nothing. A seat that can tell two
hands apart has different ones, and a seat that cannot has equal ones. Suits are left out, for no play depends on them,
but the marked card of `five_player` is told from its rank (`7*`).

The row has the parts of `observation.py` but `history`, and after them:

    plays       every play, the oldest first, in as many rows as there are cards in all hands: its cards, the seat from
                the own one round, and (only in games that have one) as many ones as there are marked cards in it
    passes      how many seats have passed since

and with bidding:

    held        the own answer that is held back until all have answered: one of `actions.ANSWERS`
    early       the hands that were seen, from the own one round, when the own seat was asked while only a part of the
                cards was dealt (only in games that deal in parts)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dizhu.envs.actions import ANSWERS
from dizhu.envs.features import Layout, as_ones, cards_row, laid_out, one_hot
from dizhu.envs.hand import Hand
from dizhu.envs.observation import observation_layout, observe
from dizhu.game.phases.open_hand import OpenHand
from dizhu.game.phases.phase import Held
from dizhu.game.physical import Card, rank_word
from dizhu.game.state import Seat
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.rules import cards as c

Hands = tuple[tuple[Card, ...] | None, ...]
"""Hands by seat, as one seat sees them: None where they are hidden."""


@lru_cache
def information_layout(variant: Variant, *, bidding: bool = True) -> Layout:
    """Lay the row of a game out."""
    seen = observation_layout(variant, bidding=bidding)
    sizes = {name: size for name, size in seen.sizes.items() if name != "history"}
    most_plays = variant.seats * variant.deal + variant.bottom
    sizes["plays"] = most_plays * (seen.width + variant.seats + (variant.deck.decks if variant.marked else 0))
    sizes["passes"] = variant.seats
    if bidding:
        sizes["held"] = len(ANSWERS)
        if _deals_in_parts(variant):
            sizes["early"] = seen.width * variant.seats
    return replace(seen, sections=laid_out(sizes))


def information_row(hand: Hand, seat: Seat, early: Hands | None = None) -> NDArray[np.int8]:
    """Write all that a seat has seen as a row; `early` is what `early_hands` told when the seat was asked last."""
    setting = hand.numbers.setting
    game, view = setting.game, hand.game.view(seat)
    history = observation_layout(game, bidding=setting.bidding).sections["history"]
    row = np.delete(observe(game, view, bidding=setting.bidding), history)
    decks = game.deck.decks
    more: list[int] = []
    for move in view.history:
        if move.cards:
            more += cards_row(rank_word(move.cards), decks)
            more += one_hot((move.seat - seat) % game.seats, game.seats)
            if game.marked:
                more += as_ones(move.cards.count(view.marked or ""), decks)
    sizes = information_layout(game, bidding=setting.bidding).sizes
    more += [0] * (sizes["plays"] - len(more))
    more += one_hot(_passes(view), game.seats)
    if "held" in sizes:
        more += [int(answer == _held(hand, seat)) for answer in ANSWERS]
    if "early" in sizes:
        for steps in range(game.seats):
            seen = early[(seat + steps) % game.seats] if early else None
            more += cards_row(rank_word(seen or ()), decks)
    return np.concatenate([row, np.array(more, np.int8)])


def information_text(hand: Hand, seat: Seat, early: Hands | None = None) -> str:
    """Write all that a seat has seen as text; for `early` see `information_row`."""
    return "; ".join(_told(hand, hand.game.view(seat), seat, early))


def early_hands(hand: Hand, seat: Seat) -> Hands | None:
    """Give the hands that a seat sees while only a part of the cards is dealt, for it cannot see them so later."""
    return hand.game.view(seat).hands if hand.game.state.dealt else None


def _deals_in_parts(variant: Variant) -> bool:
    return any(isinstance(phase, OpenHand) and phase.dealt for phase in variant.phases)


def _passes(view: View) -> int:
    plays = [number for number, move in enumerate(view.history, 1) if move.cards]
    return len(view.history) - plays[-1] if plays else 0


def _held(hand: Hand, seat: Seat) -> str | None:
    local = hand.game.state.local
    return dict(local.answers).get(seat) if isinstance(local, Held) else None


def _told(hand: Hand, view: View, seat: Seat, early: Hands | None) -> Iterator[str]:
    yield f"seat {seat} of {view.variant}, first {view.first}"
    if view.marked:
        yield f"marked {view.marked[0]}"
    if early:
        yield f"early {_hands(early, view.marked)}"
    yield f"hands {_hands(view.hands, view.marked)}"
    if view.bottom is not None:
        yield f"bottom {_cards(view.bottom, view.marked)}"
    if view.answers:
        yield "answers " + ", ".join(f"{answer.seat} {answer.action}" for answer in view.answers)
    if held := _held(hand, seat):
        yield f"held {held}"
    if view.landlords:
        yield f"landlords {', '.join(map(str, view.landlords))}" + ("" if view.revealed else ", maybe more")
    if view.history:
        yield "play " + ", ".join(f"{move.seat} {_cards(move.cards, view.marked)}" for move in view.history)
    yield " ".join(filter(None, (view.phase, view.moment, *map(str, view.turn))))


def _hands(hands: Hands, marked: Card | None) -> str:
    shown = (f"{seat} {_cards(cards, marked)}" for seat, cards in enumerate(hands) if cards is not None)
    return ", ".join(shown)


def _cards(cards: tuple[Card, ...], marked: Card | None) -> str:
    """Write cards by rank, the marked ones last of their rank."""
    ordered = sorted(cards, key=lambda card: (c.RANKS.index(card[0]), card == marked))
    return "".join(card[0] + "*" * (card == marked) for card in ordered) or "-"
