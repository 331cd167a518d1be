"""A hand as RLCard's agents see it: the raw state, and the row of zeros and ones that its networks are fed with.

The row, every set of cards in 54 cells (see `features.py`), every count one of as many cells as it can be:

    landlord (790)  own cards, others' cards, what is to be beaten, the last 9 turns, played by the seat before, played
                    by the seat after, cards left of the seat before (17), of the seat after (17)
    farmer (901)    own cards, others' cards, what is to be beaten, the last 9 turns, played by the landlord, played by
                    the other farmer, last turn of the landlord, last turn of the other farmer, cards left of the
                    landlord (20), of the other farmer (17)

RLCard 1.2.0 differs from its own description in two places: it writes the first turns of landlord and farmer where it
means the last ones, and marks the highest count where no card is left. `exact` writes what RLCard writes, for networks
that were trained there.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dizhu.envs.actions import PASS
from dizhu.envs.features import cards_row, one_hot
from dizhu.envs.hand import Hand
from dizhu.game.physical import in_order, rank_word, without
from dizhu.game.state import Seat, State
from dizhu.rules import cards as c

RawState = dict[str, Any]

_TURNS = 9
_MOST_LEFT = {"landlord": 20, "farmer": 17}


def raw_state(hand: Hand, seat: Seat) -> RawState:
    """Describe a hand as RLCard does, in values that are nobody else's; cards are ranks from low to high.

    seen_cards: the bottom cards that the landlord has not played yet. actions: none for a seat that is not asked.
    """
    state = hand.game.state
    others = sum(word for other, word in enumerate(state.words) if other != seat)
    played = [0] * len(state.hands)
    trace: list[tuple[Seat, str]] = []
    for move in state.history:
        word = rank_word(move.cards)
        played[move.seat] += word
        trace.append((move.seat, c.format_cards(word) or PASS))
    return {
        "seen_cards": _seen_cards(state),
        "landlord": state.taker,
        "trace": trace,
        "played_cards": [c.format_cards(word) for word in played],
        "self": seat,
        "current_hand": c.format_cards(state.words[seat]),
        "others_hand": c.format_cards(others),
        "num_cards_left": [len(cards) for cards in state.hands],
        "actions": [action.removeprefix("play ") for action in hand.game.legal(seat)],
    }


def extracted_state(hand: Hand, seat: Seat, record: list[tuple[Seat, str]], *, exact: bool) -> RawState:
    """Make the state that agents are handed: the row, legal ids with their cards as rows, and the raw state."""
    raw = raw_state(hand, seat)
    return OrderedDict(
        obs=_row(raw, exact=exact),
        legal_actions=OrderedDict((hand.numbers.ids.encode(action), action_row(action)) for action in raw["actions"]),
        raw_obs=raw,
        raw_legal_actions=list(raw["actions"]),
        action_record=list(record),
    )


def action_row(action: str) -> NDArray[np.int8]:
    """Write the cards of an action in 54 cells; none for a pass."""
    return np.array(_cells(action), np.int8)


def perfect_information(hand: Hand) -> RawState:
    """Tell everything about a hand, all cards open."""
    state = hand.game.state
    return {
        "hand_cards_with_suit": [" ".join(map(_with_suit, in_order(cards))) for cards in state.hands],
        "hand_cards": [c.format_cards(word) for word in state.words],
        "trace": raw_state(hand, 0)["trace"],
        "current_player": hand.seat,
        "legal_actions": [] if hand.seat is None else raw_state(hand, hand.seat)["actions"],
    }


def _with_suit(card: str) -> str:
    """Write a card suit first, a joker with a J."""
    return card[1].upper() + card[0] if len(card) > 1 else card + "J"


def _seen_cards(state: State) -> str:
    gone = [card for move in state.history if move.seat == state.taker for card in move.cards]
    left = without(state.deal.bottom, [card for card in gone if card in state.deal.bottom])
    return "".join(card[0] for card in in_order(left))


@lru_cache(1 << 14)
def _cells(cards: str) -> tuple[int, ...]:
    return tuple(cards_row(c.parse("" if cards == PASS else cards), decks=1))


def _row(raw: RawState, *, exact: bool) -> NDArray[np.int8]:
    me, landlord = raw["self"], raw["landlord"]
    moves = [cards for _, cards in raw["trace"]]
    history = [""] * max(0, _TURNS - len(moves)) + moves[-_TURNS:]
    to_beat = next((cards for cards in moves[:-3:-1] if cards != PASS), "")
    parts = [raw["current_hand"], raw["others_hand"], to_beat, *history]
    if me == landlord:
        others = [(me - 1) % 3, (me + 1) % 3]
        parts += [raw["played_cards"][seat] for seat in others]
    else:
        others = [landlord, 3 - me - landlord]
        parts += [raw["played_cards"][seat] for seat in others]
        parts += [_turn(raw, seat, exact=exact) for seat in others]
    counts = (_count(raw, seat, exact=exact) for seat in others)
    return np.array([*chain.from_iterable(map(_cells, parts)), *chain.from_iterable(counts)], np.int8)


def _turn(raw: RawState, seat: Seat, *, exact: bool) -> str:
    """Give the last turn of a seat (`exact`: the first)."""
    turns = [cards for other, cards in raw["trace"] if other == seat]
    return (turns[0] if exact else turns[-1]) if turns else PASS


def _count(raw: RawState, seat: Seat, *, exact: bool) -> list[int]:
    most = _MOST_LEFT["landlord" if seat == raw["landlord"] else "farmer"]
    left: int = raw["num_cards_left"][seat]
    return one_hot(most - 1 if exact and not left else left - 1, most)
