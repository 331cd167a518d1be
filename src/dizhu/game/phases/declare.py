"""The landlords of `five_player` may make themselves known (rules.md §3.6)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.change import replace
from dizhu.game.phases.phase import Question
from dizhu.game.state import Seat, State
from dizhu.game.view import Event, Factor


@dataclass(frozen=True)
class Declare(Question):
    """Both landlords may declare; everybody is asked, so that asking reveals nothing. Once for the table: × `times`."""

    times: int = 2

    def name(self, state: State) -> str:
        """The question is called `declare`."""
        return "declare"

    def factor(self) -> int:
        """Tell with the event what a declaration is worth to the table, once."""
        return self.times

    def choices(self, state: State, seat: Seat) -> list[str]:
        """Only a landlord has something to declare."""
        return ["declare"] if seat in state.all_landlords else []

    def settle(self, state: State, yes: tuple[tuple[Seat, str], ...]) -> tuple[State, tuple[Event, ...]]:
        """One declaration is enough to make the hidden landlord known, or that there is none."""
        if not yes:
            return state, ()
        state = replace(state, factors=(*state.factors, Factor("declare", self.times)))
        return reveal(state)


def reveal(state: State) -> tuple[State, tuple[Event, ...]]:
    """Make the hidden landlord known to all: the event names him, or nobody if the open landlord plays alone."""
    event = Event("reveal", state.partner)
    return replace(state, landlords=state.all_landlords, revealed=True), (event,)
