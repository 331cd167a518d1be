"""The simulator without a compiler: the same deals, moves and hands as the core, from the plain rules.

Differs from `dizhu.game` in what it leaves out: no suits, no bidding, no views. A hand starts when the landlord leads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import Combo, Grammar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dizhu.game.variant import Variant

_WORD = (1 << 64) - 1
_JOKERS_OF_TWO_DECKS = 4


class Draws:
    """The generator wyrand, for play-outs only, never for cards that people play with."""

    def __init__(self, seed: int) -> None:
        """Start from any whole number; its lowest 64 bits count."""
        self._state = seed & _WORD

    def next(self) -> int:
        """Draw 64 bits."""
        self._state = state = (self._state + 0xA0761D6478BD642F) & _WORD
        product = state * (state ^ 0xE7037ED1A0B428DB)
        return ((product >> 64) ^ product) & _WORD

    def below(self, bound: int) -> int:
        """Draw from 0 to bound - 1; 32 random bits are scaled, so the bias is below bound / 2^32."""
        return (self.next() >> 32) * bound >> 32


class Rules:
    """One game for the simulator; see `dizhu._core._native.Rules`, which it stands in for."""

    def __init__(self, variant: Variant) -> None:
        """Take what the simulator needs from a variant."""
        self.grammar = Grammar(variant.shapes, variant.deck.word, variant.deal + variant.bottom)
        self.seats = variant.seats
        self.cards_each = variant.deal
        self.held = variant.deal + variant.bottom
        self.marked = variant.marked
        self.base = variant.base
        self.units = [unit for unit in c.UNIT.values() for _ in range(variant.deck.word // unit & 0xF)]

    def table(self, hands: Sequence[Cards], landlords: int, turn: int, let: int) -> Table:
        """Set a position up; `landlords` has a bit for each landlord's seat. Raises ValueError."""
        whole = 0
        if len(hands) != self.seats:
            raise ValueError(f"this game has {self.seats} hands")
        for hand in hands:
            whole += hand
            if not hand or not c.contains(self.grammar.deck, whole):
                raise ValueError("every hand has cards, and all of them are in the deck")
        return Table(self, list(hands), landlords, turn, let)

    def deal(self, seed: int) -> Table:
        """Deal a random hand, seat 0 landlord and to lead."""
        return self.deal_from(Draws(seed))

    def deal_from(self, draws: Draws) -> Table:
        """Deal a random hand with a generator that goes on."""
        cards = self.units.copy()
        hands = [0] * self.seats
        landlords, twin, held = 1, -1, self.held
        if self.marked:
            marked = draws.below(len(cards) - _JOKERS_OF_TWO_DECKS)
            twin = marked ^ 1
            hands[0] = cards[marked]
            cards[marked] = cards[-1]
            cards.pop()
            held -= 1
        while len(cards) > held:
            seat = (len(cards) - held - 1) // self.cards_each + 1
            place = draws.below(len(cards))
            if seat < self.seats:
                hands[seat] += cards[place]
            if place == twin:
                landlords |= 1 << seat
                twin = -1
            cards[place] = cards[-1]
            cards.pop()
            if twin == len(cards):
                twin = place
        hands[0] += sum(cards)
        return Table(self, hands, landlords, 0, 0)

    def play_random(self, games: int, seed: int) -> tuple[int, int]:
        """Play whole random hands; returns the decisions made and the hands won by the landlords."""
        draws = Draws(seed)
        decisions = won = 0
        for _ in range(games):
            table = self.deal_from(draws)
            decisions += table.play_on(draws)
            won += table.landlords >> table.winner & 1
        return decisions, won


class Table:
    """The play of a hand; see `dizhu._core._native.Table`, which it stands in for.

    over: whether a seat is out. key: what has to be beaten, 0 on a lead. leader: the seat that played last.
    """

    __slots__ = (
        "_listed",
        "combo",
        "doublings",
        "key",
        "landlords",
        "leader",
        "let",
        "over",
        "plays",
        "rules",
        "seat_hands",
        "turn",
        "winner",
    )

    def __init__(self, rules: Rules, hands: list[Cards], landlords: int, turn: int, let: int) -> None:
        """Begin with a lead."""
        self.rules = rules
        self.seat_hands = hands
        self.landlords = landlords
        self.turn = self.leader = turn
        self.let = let
        self.plays = [0] * rules.seats
        self.doublings = 0
        self.over = False
        self.winner = -1
        self.combo: Combo | None = None
        self.key = 0
        self._listed: list[Cards] | None = None

    @property
    def hands(self) -> tuple[Cards, ...]:
        """Every hand, by seat."""
        return tuple(self.seat_hands)

    def moves(self) -> list[Cards]:
        """List what the seat in turn may play, from low to high; 0, a pass, comes first where it is allowed."""
        listed = self._listed
        if listed is None:
            listed = [] if self.over else self.rules.grammar.words(self.seat_hands[self.turn], self.key)
            if self.key and not self.over:
                listed.insert(0, 0)
            self._listed = listed
        return listed.copy()

    def count(self) -> int:
        """Count the moves."""
        return len(self._listed or self.moves())

    def play(self, cards: Cards) -> None:
        """Play a set of cards, 0 to pass; raises ValueError if that is not allowed."""
        if cards not in (self._listed or self.moves()):
            raise ValueError("the hand is over" if self.over else f"seat {self.turn} may not play this now")
        seat, rules = self.turn, self.rules
        self.turn = (seat + 1) % rules.seats
        self._listed = None
        if not cards:
            if self.turn == self.leader:
                self.combo, self.key = None, 0
            return
        combo = rules.grammar.classify(cards)
        assert combo is not None, "what a grammar lists it can name"
        self.combo, self.key = combo, combo.key
        self.leader = seat
        self.seat_hands[seat] = left = self.seat_hands[seat] - cards
        self.plays[seat] += 1
        self.doublings += rules.grammar.times(combo) > 1
        if not left or (self.let and not self.landlords >> seat & 1 and c.size(left) <= self.let):
            self.over = True
            self.winner = self.turn = seat

    def play_index(self, index: int) -> None:
        """Play the move of that place in `moves()`; raises ValueError if there are not that many."""
        listed = self._listed or self.moves()
        if self.over or not 0 <= index < len(listed):
            raise ValueError("the hand is over" if self.over else "there are not that many moves")
        self.play(listed[index])

    def play_random(self, seed: int) -> int:
        """Play on at random to the end; returns the decisions made."""
        return self.play_on(Draws(seed))

    def play_on(self, draws: Draws) -> int:
        """Play on to the end, every legal answer equally likely."""
        decisions = 0
        while not self.over:
            choices = self.count()
            self.play_index(draws.below(choices) if choices > 1 else 0)
            decisions += 1
        return decisions

    def points(self) -> list[int]:
        """Settle a hand that is over, as `dizhu.game.phases.settle` does: what each seat wins, spring included."""
        rules, seats = self.rules, range(self.rules.seats)
        landlords = [seat for seat in seats if self.landlords >> seat & 1]
        won = self.winner in landlords
        lost = sum(self.plays[seat] for seat in seats if (seat in landlords) != won)
        spring = lost == 0 or (lost == 1 and not won and not rules.marked)
        share = rules.base // len(landlords) << self.doublings + spring
        sign = 1 if won else -1
        farmers = rules.seats - len(landlords)
        return [sign * share * farmers if seat in landlords else -sign * share * len(landlords) for seat in seats]

    def copy(self) -> Table:
        """Copy the table: what happens to one does not happen to the other."""
        other = Table(self.rules, self.seat_hands.copy(), self.landlords, self.turn, self.let)
        other.leader = self.leader
        other.plays = self.plays.copy()
        other.doublings = self.doublings
        other.over = self.over
        other.winner = self.winner
        other.combo = self.combo
        other.key = self.key
        return other
