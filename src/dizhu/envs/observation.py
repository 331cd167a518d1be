"""What one seat sees of a hand, as a row of zeros and ones: the observation of the single-hand environments.

The row begins as in `features.py` (`hand` to `let`), with the same cells in the same places, and goes on:

    history     the last 15 turns, the newest last: 15 rows of cards, as in the history of `VectorEnv`
    bottom      the bottom cards, where this seat may know them
    shown       of each other seat: its hand, where this seat may see it (an open hand, a known fellow landlord; at the
                end all)
    revealed    whether all landlords are known to everybody
    marked      the rank of the marked card, one of 13 cells (only in games that have one)
    own_marked  as many ones from the left as the own hand has marked cards: a landlord with both plays alone (likewise)

and with bidding:

    first       the seat that is asked first, from the own one round
    question    what is asked: one of `QUESTIONS`
    answers     20 rows of answers in the order in which they were published, the newest last: the seat from the own one
                round, the question (`ASKED`), the answer (`actions.ANSWERS`), one cell each

Every fact has cells of its own. A row is made from the seat's `dizhu.View` and from nothing else, so that it cannot
tell more than the seat may know. `observation_layout(...).sections` says where each part lies.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dizhu.envs.actions import ANSWERS
from dizhu.envs.features import (
    HISTORY,
    Known,
    Layout,
    as_ones,
    cards_row,
    history_rows,
    laid_out,
    layout,
    one_hot,
    state_row,
)
from dizhu.game.physical import rank_word
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.rules import cards as c

QUESTIONS = (
    "open before",
    "open early",
    "open late",
    "open landlord",
    "bid",
    "call",
    "rob",
    "declare",
    "double",
    "play",
)
"""The questions of all games; hands may be opened at four moments."""

ASKED = ("open", "bid", "call", "rob", "declare", "double")
"""The questions as answers name them."""

MOST_ANSWERS = 20
_MARKED_RANKS = c.RANKS[:-2]
_DOUBLINGS = frozenset(("bomb", "rocket"))


@lru_cache
def observation_layout(variant: Variant, *, bidding: bool = True) -> Layout:
    """Lay the row of a game out."""
    play = layout(variant)
    width, others = play.width, variant.seats - 1
    sizes = {"history": HISTORY * width, "bottom": width, "shown": width * others, "revealed": 1}
    if variant.marked:
        sizes["marked"] = len(_MARKED_RANKS)
        sizes["own_marked"] = variant.deck.decks
    if bidding:
        sizes["first"] = variant.seats
        sizes["question"] = len(QUESTIONS)
        sizes["answers"] = MOST_ANSWERS * _answer_width(variant.seats)
    return replace(play, sections=laid_out(play.sizes | sizes))


def observe(variant: Variant, view: View, *, bidding: bool = True) -> NDArray[np.int8]:
    """Write a seat's view of a hand as one row."""
    assert view.seat is not None, "a spectator has no observation"
    decks, known = variant.deck.decks, _known(variant, view)
    others = [(view.seat + steps) % variant.seats for steps in range(1, variant.seats)]
    row = state_row(variant, known)
    row += chain.from_iterable(history_rows(variant, known))
    row += cards_row(rank_word(view.bottom or ()), decks)
    for seat in others:
        row += cards_row(rank_word(view.hands[seat] or ()), decks)
    row.append(int(view.revealed))
    if variant.marked:
        row += _marked(view, decks)
    if bidding:
        row += one_hot((view.first - view.seat) % variant.seats, variant.seats)
        question = f"{view.phase} {view.moment}" if view.moment else view.phase
        row += [int(name == question) for name in QUESTIONS]
        row += _answers(variant, view, view.seat)
    return np.array(row, np.int8)


def _known(variant: Variant, view: View) -> Known:
    assert view.seat is not None
    seats = variant.seats
    played, last = [0] * seats, [0] * seats
    history = [rank_word(move.cards) for move in view.history]
    for move, cards in zip(view.history, history, strict=True):
        played[move.seat] += cards
        last[move.seat] = cards
    return Known(
        hand=rank_word(view.hands[view.seat] or ()),
        turn=view.seat,
        counts=view.counts,
        landlords=view.landlords,
        let=view.let,
        doublings=sum(factor.name in _DOUBLINGS for factor in view.factors),
        table=rank_word(view.table.cards) if view.table else 0,
        played=played,
        last=last,
        history=history,
    )


def _marked(view: View, copies: int) -> list[int]:
    assert view.marked is not None
    assert view.seat is not None
    own = (view.hands[view.seat] or ()).count(view.marked)
    return one_hot(_MARKED_RANKS.index(view.marked[0]), len(_MARKED_RANKS)) + as_ones(own, copies)


def _answer_width(seats: int) -> int:
    return seats + len(ASKED) + len(ANSWERS)


def _answers(variant: Variant, view: View, me: int) -> list[int]:
    recent = view.answers[-MOST_ANSWERS:]
    row = [0] * ((MOST_ANSWERS - len(recent)) * _answer_width(variant.seats))
    for answer in recent:
        row += one_hot((answer.seat - me) % variant.seats, variant.seats)
        row += one_hot(ASKED.index(answer.phase), len(ASKED))
        row += one_hot(ANSWERS.index(answer.action), len(ANSWERS))
    return row
