"""What the engine expects of a phase, and the shared form of simultaneous questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dizhu.errors import IllegalAction
from dizhu.game.change import replace
from dizhu.game.state import Seat, State
from dizhu.game.view import Answer, Event

NO = "no"


@dataclass(frozen=True, slots=True)
class Step:
    """What a phase made of the state: the new state, what happened, and whether the phase is over."""

    state: State
    events: tuple[Event, ...] = ()
    done: bool = False


class Phase:
    """One phase of a hand: pure functions of the state. What is its own it keeps in `state.local`.

    A phase that asks nobody does its work in `begin` and is done at once. `simultaneous` phases have
    the default answer `no`, and tell nobody's answer before the last is in.
    """

    simultaneous: ClassVar[bool] = False

    def name(self, state: State) -> str:
        """Name the question as views and cases call it."""
        raise NotImplementedError

    def moment(self, state: State) -> str | None:
        """Tell the questions of one name apart, where there are several in a hand."""
        return None

    def begin(self, state: State) -> Step:
        """Enter the phase."""
        raise NotImplementedError

    def turn(self, state: State) -> tuple[Seat, ...]:
        """List the seats that must answer now, ascending."""
        return ()

    def legal(self, state: State, seat: Seat) -> list[str]:
        """List what an asked seat may answer, from low to high; never empty."""
        return []

    def normal(self, state: State, seat: Seat, action: str) -> str:
        """Bring an answer into its one spelling, or refuse it; nothing else is checked after that."""
        if action not in self.legal(state, seat):
            choices = ", ".join(self.legal(state, seat))
            raise IllegalAction("not_allowed", f"seat {seat} may not answer {action!r} now, only: {choices}", seat=seat)
        return action

    def apply(self, state: State, seat: Seat, action: str) -> Step:
        """Carry out a legal answer in its one spelling."""
        raise NotImplementedError

    def leave(self, state: State, seat: Seat) -> Step:
        """End the hand because a seat leaves it on purpose; asked of the variant's last phase."""
        raise IllegalAction("may_not_leave", f"leaving does not end a hand of {state.variant.name}", seat=seat)

    def may_leave(self, state: State) -> bool:
        """Tell whether leaving on purpose ends the hand; asked of the variant's last phase."""
        return False


def answered(state: State, phase: str, seat: Seat, action: str) -> State:
    """Write a public answer into the state."""
    return replace(state, answers=(*state.answers, Answer(phase, seat, action)))


@dataclass(frozen=True, slots=True)
class Held:
    """Simultaneous answers held back until all are in, in order of arrival."""

    answers: tuple[tuple[Seat, str], ...] = ()

    @property
    def seats(self) -> set[Seat]:
        """The seats that have answered."""
        return {seat for seat, _ in self.answers}


@dataclass(frozen=True)
class Question(Phase):
    """A question to several seats at the same time: say who is asked, what he may say, and what comes of it."""

    simultaneous: ClassVar[bool] = True

    def asked(self, state: State) -> tuple[Seat, ...]:
        """List the seats that are asked, ascending; none: the question falls away."""
        return tuple(range(state.variant.seats))

    def choices(self, state: State, seat: Seat) -> list[str]:
        """List the answers other than `no` that are open to a seat."""
        raise NotImplementedError

    def settle(self, state: State, yes: tuple[tuple[Seat, str], ...]) -> tuple[State, tuple[Event, ...]]:
        """Carry out the answers other than `no`, in order of arrival, and tell what happened besides."""
        raise NotImplementedError

    def factor(self) -> int | None:
        """What each published answer multiplies by, for its event."""
        return None

    def begin(self, state: State) -> Step:
        """Ask, unless there is nobody to ask."""
        return Step(replace(state, local=Held()), done=not self.asked(state))

    def turn(self, state: State) -> tuple[Seat, ...]:
        """List the asked seats that have not answered."""
        return tuple(seat for seat in self.asked(state) if seat not in state.local.seats)

    def legal(self, state: State, seat: Seat) -> list[str]:
        """Every seat may decline."""
        return [*self.choices(state, seat), NO]

    def apply(self, state: State, seat: Seat, action: str) -> Step:
        """Hold the answer back; when it is the last, publish all and settle."""
        held = Held((*state.local.answers, (seat, action)))
        state = replace(state, local=held)
        if self.turn(state):
            return Step(state, (Event("answered", seat),))
        name = self.name(state)
        for who, what in held.answers:
            state = answered(state, name, who, what)
        events = tuple(Event(what, who, None if what == NO else self.factor()) for who, what in held.answers)
        state, more = self.settle(state, tuple(answer for answer in held.answers if answer[1] != NO))
        return Step(state, events + more, done=True)
