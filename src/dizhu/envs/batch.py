"""Many hands at once without a compiler: the readable form of the core's Batch, same seeds, same hands."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dizhu.envs.features import MOST_LET, Known, cards_row, history_rows, layout, state_row
from dizhu.game.variant import Variant
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.sim.plain import Draws, Rules, Table

_MOST_HANDS = 1 << 20


class Arrays(NamedTuple):
    """What a batch of N hands shows: arrays that it writes in place.

    states: (N, state_size) int8. histories: (N, 15, width) int8. moves: (at least `rows`, width) int8, the moves of all
    hands one after the other, those of hand i from starts[i] to starts[i + 1]; a pass is an empty row.
    starts: (N + 1) int32. turns: (N) int8, the seat that is to play. done: (N) int8, whether the last step ended a
    hand (the state is then that of the next one). points: (N, seats) int32, what the hand that ended last was worth
    to each seat.
    """

    states: NDArray[np.int8]
    histories: NDArray[np.int8]
    moves: NDArray[np.int8]
    starts: NDArray[np.int32]
    turns: NDArray[np.int8]
    done: NDArray[np.int8]
    points: NDArray[np.int32]


class _Hand:
    """One hand of the batch and what has happened in it."""

    def __init__(self, rules: Rules, draws: Draws, let: int) -> None:
        self.rules = rules
        self.draws = draws
        self.let = let
        self.done = False
        self.points = [0] * rules.seats
        self.deal()

    def deal(self) -> None:
        self.table: Table = self.rules.deal_from(self.draws)
        self.table.let = self.let
        self.played: list[Cards] = [0] * self.rules.seats
        self.last: list[Cards] = [0] * self.rules.seats
        self.history: list[Cards] = []

    def step(self, cards: Cards) -> None:
        seat = self.table.turn
        self.done = False
        self.last[seat] = cards
        self.played[seat] += cards
        self.history.append(cards)
        self.table.play(cards)
        if self.table.over:
            self.points = self.table.points()
            self.deal()
            self.done = True

    def known(self) -> Known:
        table, seat = self.table, self.table.turn
        return Known(
            hand=table.seat_hands[seat],
            turn=seat,
            counts=[c.size(hand) for hand in table.seat_hands],
            # Seat 0 is the open landlord; the hidden one knows himself.
            landlords={0, seat} if table.landlords >> seat & 1 else {0},
            let=table.let,
            doublings=table.doublings,
            table=table.combo.cards if table.combo else 0,
            played=self.played,
            last=self.last,
            history=self.history,
        )


class PlainBatch:
    """See `dizhu._core._native.Batch`, which it stands in for."""

    def __init__(self, variant: Variant, count: int, seed: int, let: int = 0) -> None:
        """Deal `count` hands; raises ValueError for a number of hands or let cards that cannot be."""
        if not 1 <= count <= _MOST_HANDS or not 0 <= let <= MOST_LET:
            raise ValueError(f"count must be from 1 to {_MOST_HANDS}, let from 0 to {MOST_LET}")
        rules, draws = Rules(variant), Draws(seed)
        self._variant = variant
        self._hands = [_Hand(rules, Draws(draws.next()), let) for _ in range(count)]
        self._moves = [hand.table.moves() for hand in self._hands]
        self.state_size = layout(variant).size
        self.width = layout(variant).width

    @property
    def rows(self) -> int:
        """Rows of all moves now open."""
        return sum(map(len, self._moves))

    def step(self, actions: NDArray[np.int32]) -> int:
        """Play in every hand the move of that place; ValueError, and nothing played, for one that is not there."""
        for place, (action, moves) in enumerate(zip(actions, self._moves, strict=True)):
            if not 0 <= action < len(moves):
                raise ValueError(f"hand {place} has {len(moves)} moves, there is no move {action}; nothing was played")
        for hand, action, moves in zip(self._hands, actions, self._moves, strict=True):
            hand.step(moves[int(action)])
        self._moves = [hand.table.moves() for hand in self._hands]
        return self.rows

    def observe(self, *buffers: NDArray[Any]) -> int:
        """Write what the seats in turn see into the arrays of `Arrays`, given one by one."""
        arrays = Arrays(*buffers)
        decks = self._variant.deck.decks
        for place, hand in enumerate(self._hands):
            known = hand.known()
            arrays.states[place] = state_row(self._variant, known)
            arrays.histories[place] = list(history_rows(self._variant, known))
            arrays.turns[place] = known.turn
            arrays.done[place] = hand.done
            arrays.points[place] = hand.points
        arrays.starts[:] = list(accumulate(map(len, self._moves), initial=0))
        arrays.moves[: self.rows] = [cards_row(cards, decks) for moves in self._moves for cards in moves]
        return self.rows

    def words(self, hand: int) -> list[Cards]:
        """List the moves open in a hand, as sets of cards."""
        return self._moves[hand]

    def position(self, hand: int) -> tuple[tuple[Cards, ...], int, int, int]:
        """Tell where a hand stands, all cards open: hands, a bit for each landlord, the turn, let cards."""
        table = self._hands[hand].table
        return table.hands, table.landlords, table.turn, table.let
