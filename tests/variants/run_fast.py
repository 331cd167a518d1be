"""Run Fast (跑得快): three players, no landlord; whoever is out first is paid for every card that the others have left.

48 cards: no jokers, one 2 (hearts), three aces (no spade). 16 each. Whoever holds the three of spades leads, anything
he likes. Who can beat the table must. Combinations: solo, pair, trio, chains (of five solos, two pairs, two trios), a
trio or a chain of trios with two cards for each (at most two of a rank), and bombs, which multiply nothing. Each loser
pays one point for a card left, twice that if he put none down.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from dizhu.game.change import replace as changed
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.phases.settle import over
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import Deck
from dizhu.game.state import State
from dizhu.game.variant import Variant
from dizhu.rules import shapes as s

SHAPES = (
    s.SOLO,
    s.PAIR,
    s.TRIO,
    s.SOLO_CHAIN,
    replace(s.PAIR_CHAIN, run=2),
    s.TRIO_CHAIN,
    s.Shape("trio_two", copies=3, kickers=2, most=2),
    s.Shape("trio_two_chain", copies=3, run=2, kickers=2, most=2),
    replace(s.BOMB, times=1),
)

COUNTS = Counter(
    solo=13,
    pair=12,
    trio=12,
    solo_chain=36,
    pair_chain=56,
    trio_chain=38,
    trio_two=924,
    trio_two_chain=33_435,
    bomb=11,
)


@dataclass(frozen=True)
class ThreeOfSpadesLeads(Phase):
    """Find the seat that leads."""

    def begin(self, state: State) -> Step:
        """In a position without that card, the first seat leads."""
        holder = next((seat for seat, hand in enumerate(state.hands) if "3s" in hand), state.first)
        return Step(changed(state, first=holder), done=True)


@dataclass(frozen=True)
class PayForCardsLeft(Phase):
    """Each loser pays the winner for the cards he has left."""

    unplayed: int = 2

    def name(self, state: State) -> str:
        """Nobody is asked anything here."""
        return "over"

    def begin(self, state: State) -> Step:
        """Settle the hand."""
        assert state.out is not None
        pays = [
            state.base * len(hand) * (1 if state.plays[seat] else self.unplayed)
            for seat, hand in enumerate(state.hands)
        ]
        points = tuple(sum(pays) if seat == state.out else -paid for seat, paid in enumerate(pays))
        return over(state, (state.out,), points, ())


VARIANT = Variant(
    name="run_fast",
    title="Run Fast",
    seats=3,
    deck=Deck(ranks="3456789TJQKA2", without=("As", "2s", "2d", "2c")),
    deal=16,
    bottom=0,
    shapes=SHAPES,
    phases=(ThreeOfSpadesLeads(), Tricks(must_beat=True), PayForCardsLeft()),
    source="a common form of the game; what is open in it is said above",
)
