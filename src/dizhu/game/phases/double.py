"""Doubling after the bottom cards are taken, before the first play (rules.md §3.4)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.change import replace
from dizhu.game.phases.phase import Question
from dizhu.game.state import Seat, State
from dizhu.game.view import Event, Factor


@dataclass(frozen=True)
class Double(Question):
    """Every seat may double once.

    pairwise: what a farmer and a landlord pay each other is doubled for each of the two who doubled; else each doubling
    is a factor of the whole table. for_beans: where beans are at stake, the landlord may double only if
    every seat has more than the room's threshold, a farmer only if he and the landlord have.
    """

    pairwise: bool = True
    for_beans: bool = False

    def name(self, state: State) -> str:
        """The question is called `double`."""
        return "double"

    def factor(self) -> int:
        """A doubling is ×2."""
        return 2

    def choices(self, state: State, seat: Seat) -> list[str]:
        """Everybody may double whom the beans at stake allow it."""
        return ["double"] if self._rich_enough(state, seat) else []

    def _rich_enough(self, state: State, seat: Seat) -> bool:
        if not self.for_beans or state.stakes is None:
            return True
        must = range(state.variant.seats) if seat in state.landlords else (seat, *state.landlords)
        return all(state.stakes.beans[other] > state.stakes.threshold for other in must)

    def settle(self, state: State, yes: tuple[tuple[Seat, str], ...]) -> tuple[State, tuple[Event, ...]]:
        """Note who doubled."""
        state = replace(state, doubled=tuple(sorted(seat for seat, _ in yes)), pairwise=self.pairwise)
        if not self.pairwise:
            state = replace(state, factors=state.factors + (Factor("double", 2),) * len(yes))
        return state, ()
