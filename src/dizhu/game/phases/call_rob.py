"""Calling for the landlord, then robbing it (`landlord_war`, `happy`, `two_player`; rules.md §3.2 and §3.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dizhu.game.change import replace
from dizhu.game.phases.phase import NO, Phase, Step, answered
from dizhu.game.state import Seat, State
from dizhu.game.view import Event, Factor


@dataclass(frozen=True)
class Claims:
    """How the calling stands: who is asked now, who holds the claim, who has declined, who was asked to rob."""

    seat: Seat
    holder: Seat | None = None
    declined: tuple[Seat, ...] = ()
    asked: tuple[Seat, ...] = ()
    robs: int = 0


@dataclass(frozen=True)
class CallRob(Phase):
    """The first call ends the calling; then those who have not declined may rob in turn, the caller last.

    chances: how often a seat may be asked to rob; None: until it declines. max_robs: robs that end it at once.
    let: whether each rob is one let card more. nobody: what happens when all decline and no hand is open.
    Each rob is ×2; the last robber is landlord.
    """

    chances: int | None = 1
    max_robs: int | None = None
    let: bool = False
    nobody: Literal["redeal", "first"] = "redeal"

    def name(self, state: State) -> str:
        """The question is `call` until somebody does, then `rob`."""
        return "call" if state.local.holder is None else "rob"

    def begin(self, state: State) -> Step:
        """Ask the first opener if a hand is open, else the first seat."""
        return Step(replace(state, dealt=None, local=Claims(state.opened[0] if state.opened else state.first)))

    def turn(self, state: State) -> tuple[Seat, ...]:
        """One seat is asked at a time."""
        return (state.local.seat,)

    def legal(self, state: State, seat: Seat) -> list[str]:
        """Call or rob, or decline."""
        return [self.name(state), NO]

    def apply(self, state: State, seat: Seat, action: str) -> Step:
        """Note the answer and find the next seat to ask."""
        claims: Claims = state.local
        name = self.name(state)
        state = answered(state, name, seat, action)
        event = Event(action, seat, 2 if action == "rob" else None)
        if name == "rob":
            claims = replace(claims, asked=(*claims.asked, seat))
        if action == NO:
            claims = replace(claims, declined=(*claims.declined, seat))
        elif action == "call":
            claims = replace(claims, holder=seat)
        else:
            claims = replace(claims, holder=seat, robs=claims.robs + 1)
            state = replace(state, factors=(*state.factors, Factor("rob", 2)), let=state.let + self.let)
        if claims.holder is None and len(claims.declined) == state.variant.seats:
            return self._nobody_calls(state, event)
        following = self._next(state, claims, seat)
        if following is None:
            return Step(replace(state, landlords=(claims.holder,)), (event,), done=True)
        return Step(replace(state, local=replace(claims, seat=following)), (event,))

    def _next(self, state: State, claims: Claims, seat: Seat) -> Seat | None:
        """Find who is asked after `seat`: round the table, whoever has not declined, has a chance left and no claim."""
        if claims.holder is not None and claims.robs == self.max_robs:
            return None
        for steps in range(1, state.variant.seats + 1):
            other = state.after(seat, steps)
            left = self.chances is None or claims.asked.count(other) < self.chances
            if left and other != claims.holder and other not in claims.declined:
                return other
        return None

    def _nobody_calls(self, state: State, event: Event) -> Step:
        if state.opened:
            return Step(replace(state, landlords=(state.opened[0],)), (event,), done=True)
        if self.nobody == "first":
            return Step(replace(state, landlords=(state.first,)), (event,), done=True)
        return Step(replace(state, ended="redeal"), (event, Event("redeal")))
