"""The play: lead, beat or pass, until somebody is out (rules.md §5)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.errors import IllegalAction
from dizhu.game.change import replace
from dizhu.game.phases.declare import reveal
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.physical import Card, is_bare, parse_cards, rank_word, take, without
from dizhu.game.state import Seat, State, Trick
from dizhu.game.view import Event, Factor, Move
from dizhu.rules.combos import Combo, beats

PASS = "pass"
PLAY = "play "


@dataclass(frozen=True)
class Tricks(Phase):
    """The landlord who took the bottom leads (else the first seat), and the turn goes round until a hand is empty.

    must_beat: whether who can beat the table has to. A farmer who holds no more than the let cards after a play of
    his has won too.
    """

    must_beat: bool = False

    def name(self, state: State) -> str:
        """The phase is called `play`."""
        return "play"

    def begin(self, state: State) -> Step:
        """Give the lead to the landlord."""
        seats = state.variant.seats
        leader = state.first if state.taker is None else state.taker
        return Step(replace(state, dealt=None, local=leader, last=(None,) * seats, plays=(0,) * seats))

    def turn(self, state: State) -> tuple[Seat, ...]:
        """One seat plays at a time."""
        return (state.local,)

    def legal(self, state: State, seat: Seat) -> list[str]:
        """List pass, where it is allowed, then the combinations by rank text."""
        plays = [PLAY + text for text in self._moves(state, seat)]
        return plays if self._may_not_pass(state, seat) else [PASS, *plays]

    def _moves(self, state: State, seat: Seat) -> list[str]:
        return state.variant.grammar.texts(state.words[seat], state.trick.combo if state.trick else None)

    def _may_not_pass(self, state: State, seat: Seat) -> bool:
        return state.trick is None or (self.must_beat and bool(self._moves(state, seat)))

    def normal(self, state: State, seat: Seat, action: str) -> str:
        """Check a pass or a play; a play is spelt by ranks where these say which cards, else by physical cards."""
        if action == PASS:
            if self._may_not_pass(state, seat):
                raise IllegalAction("must_play", f"seat {seat} has the lead or must beat, and may not pass", seat=seat)
            return action
        if not action.startswith(PLAY):
            raise IllegalAction("not_allowed", f"seat {seat} may play or pass now, not {action!r}", seat=seat)
        return self._normal_play(state, seat, parse_cards(action.removeprefix(PLAY)))

    def _normal_play(self, state: State, seat: Seat, named: list[Card]) -> str:
        cards = take(state.hands[seat], named, state.deal.marked)
        shown = " ".join(named)
        if cards is None:
            raise IllegalAction("cards_not_held", f"seat {seat} does not hold {shown}", seat=seat)
        combo = state.variant.grammar.classify(rank_word(cards))
        if combo is None:
            raise IllegalAction(
                "not_a_combination", f"{shown or 'nothing'} is no combination in {state.variant.name}", seat=seat
            )
        if state.trick and not beats(combo, state.trick.combo):
            raise IllegalAction(
                "does_not_beat", f"{combo.text} ({combo.kind}) does not beat {state.trick.combo.text}", seat=seat
            )
        bare = combo.text
        if all(is_bare(card) for card in named) or take(state.hands[seat], list(bare), state.deal.marked) == cards:
            return PLAY + bare
        return PLAY + " ".join(cards)

    def apply(self, state: State, seat: Seat, action: str) -> Step:
        """Put cards down, or pass; the last seat that played leads again when all others have passed."""
        if action == PASS:
            return Step(self._passed(state, seat), (Event("pass", seat),))
        cards = take(state.hands[seat], parse_cards(action.removeprefix(PLAY)), state.deal.marked)
        assert cards is not None
        combo = state.variant.grammar.classify(rank_word(cards))
        assert combo is not None
        times = state.variant.grammar.times(combo)
        event = Event("play", seat, times if times > 1 else None, cards)
        state = self._put_down(state, seat, cards, combo)
        if times > 1:
            state = replace(state, factors=(*state.factors, Factor(combo.kind, times)))
        state, revealed = self._twin_played(state)
        left = len(state.hands[seat])
        let = 0 if seat in state.landlords else state.let
        if left <= let:
            state = replace(state, out=seat, reason="let" if left else "out")
            return Step(state, (event, *revealed), done=True)
        return Step(state, (event, *revealed))

    def _put_down(self, state: State, seat: Seat, cards: tuple[Card, ...], combo: Combo) -> State:
        hands, words, plays = list(state.hands), list(state.words), list(state.plays)
        hands[seat] = without(hands[seat], cards)
        words[seat] -= combo.cards
        plays[seat] += 1
        move = Move(seat, cards)
        last = list(state.last if state.trick else (None,) * state.variant.seats)
        last[seat] = move
        return replace(
            state,
            hands=tuple(hands),
            words=tuple(words),
            plays=tuple(plays),
            trick=Trick(seat, cards, combo),
            last=tuple(last),
            history=(*state.history, move),
            local=state.after(seat),
        )

    def _passed(self, state: State, seat: Seat) -> State:
        move = Move(seat, ())
        last = list(state.last)
        last[seat] = move
        following = state.after(seat)
        trick = None if state.trick and following == state.trick.seat else state.trick
        return replace(state, last=tuple(last), history=(*state.history, move), local=following, trick=trick)

    def _twin_played(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """The hidden landlord is known when the twin is seen: from his hand, or as the open landlord's second copy."""
        marked = state.deal.marked
        if marked is None or state.revealed:
            return state, ()
        seen = sum(move.cards.count(marked) for move in state.history if move.seat in state.all_landlords)
        hidden = any(move.seat == state.partner and marked in move.cards for move in state.history)
        return reveal(state) if hidden or seen == state.variant.deck.decks else (state, ())
