"""Playing with the hand shown to all (`happy`, rules.md §3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dizhu.game.change import replace
from dizhu.game.phases.phase import Question, Step
from dizhu.game.state import Seat, State
from dizhu.game.view import Event, Factor


@dataclass(frozen=True)
class OpenHand(Question):
    """One moment at which hands may be opened, for a factor of `times`.

    dealt: cards each that are dealt at this moment, None when all are. who: everybody, or the landlord alone.
    Only the largest factor of the table counts, once; a hand that is open is not asked again.
    """

    at: Literal["before", "early", "late", "landlord"]
    times: int
    dealt: int | None = None
    who: Literal["all", "landlord"] = "all"

    def name(self, state: State) -> str:
        """The question is called `open` at every moment."""
        return "open"

    def moment(self, state: State) -> str | None:
        """Tell which moment it is."""
        return self.at

    def asked(self, state: State) -> tuple[Seat, ...]:
        """Ask whoever has not opened yet."""
        seats = state.landlords if self.who == "landlord" else range(state.variant.seats)
        return tuple(seat for seat in seats if seat not in state.opened)

    def choices(self, state: State, seat: Seat) -> list[str]:
        """Opening is free to everybody who is asked."""
        return ["open"]

    def factor(self) -> int:
        """Tell with the event what opening now is worth."""
        return self.times

    def begin(self, state: State) -> Step:
        """Deal up to this moment, then ask."""
        return super().begin(replace(state, dealt=self.dealt))

    def settle(self, state: State, yes: tuple[tuple[Seat, str], ...]) -> tuple[State, tuple[Event, ...]]:
        """Show the hands; moments come with falling factors, so the first factor of the table is its largest."""
        if not yes:
            return state, ()
        others = tuple(factor for factor in state.factors if factor.name != "open")
        best = max([self.times, *(factor.times for factor in state.factors if factor.name == "open")])
        opened = state.opened + tuple(seat for seat, _ in yes)
        return replace(state, opened=opened, factors=(Factor("open", best), *others)), ()
