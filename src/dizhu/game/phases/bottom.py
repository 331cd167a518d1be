"""Who gets the bottom cards, and the marked card that makes a landlord without bidding (rules.md §3.6)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.change import replace
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.physical import rank_word
from dizhu.game.state import State
from dizhu.game.view import Event


@dataclass(frozen=True)
class MarkedCard(Phase):
    """Whoever was dealt the marked card is the open landlord; the twin card makes a hidden one."""

    def begin(self, state: State) -> Step:
        """Name the open landlord, and note who else holds the twin: nobody, if it is his own or in the bottom."""
        marked = state.deal.marked
        partner = next((seat for seat, hand in enumerate(state.hands) if seat != state.first and marked in hand), None)
        return Step(replace(state, landlords=(state.first,), partner=partner), done=True)


@dataclass(frozen=True)
class TakeBottom(Phase):
    """The landlord takes the bottom cards; `show`: everybody sees them, else he alone."""

    show: bool = True

    def begin(self, state: State) -> Step:
        """Give the cards to the landlord."""
        (landlord,) = state.landlords
        bottom = state.deal.bottom
        hands = list(state.hands)
        words = list(state.words)
        hands[landlord] += bottom
        words[landlord] += rank_word(bottom)
        state = replace(
            state,
            dealt=None,
            taker=landlord,
            hands=tuple(hands),
            words=tuple(words),
            bottom_known="everybody" if self.show else "landlord",
        )
        events = (Event("landlord", landlord), Event("bottom", landlord, cards=bottom if self.show else ()))
        return Step(state, events, done=True)
