"""The end of a hand: spring, the one formula of settlement, and what leaving costs (rules.md §4)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.errors import IllegalAction
from dizhu.game.change import replace
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.state import Seat, State
from dizhu.game.view import Event, Factor, Result


@dataclass(frozen=True)
class Settle(Phase):
    """Each landlord and each farmer: the loser pays the winner base × multiplier × doublings / number of landlords.

    The variant's cap is the most that counts of multiplier × doublings.
    spring: whether the hand counts double when one side was never in the game. anti_spring: whether a landlord who only
    led counts as such. escape: what leaving on purpose costs, as a multiple of base × multiplier (before a landlord is
    known: that many points); None: leaving ends nothing.
    """

    spring: bool = True
    anti_spring: bool = True
    escape: int | None = None

    def name(self, state: State) -> str:
        """Nobody is asked anything here."""
        return "over"

    def begin(self, state: State) -> Step:
        """Settle a hand that somebody went out of."""
        assert state.out is not None
        landlords = state.all_landlords
        farmers = _others(state, landlords)
        winners, losers = (landlords, farmers) if state.out in landlords else (farmers, landlords)
        if name := self._sprung(state, winners, losers):
            state = replace(state, factors=(*state.factors, Factor(name, 2)))
        points = _pay(state, landlords, farmers, 1 if state.out in landlords else -1)
        return over(state, winners, points, ())

    def _sprung(self, state: State, winners: tuple[Seat, ...], losers: tuple[Seat, ...]) -> str | None:
        """Name the spring: the losing side never played, or as landlord played its lead only."""
        if not self.spring:
            return None
        plays = sum(state.plays[seat] for seat in losers)
        if plays == 0:
            return "spring"
        return "anti_spring" if self.anti_spring and plays == 1 and losers == state.landlords else None

    def may_leave(self, state: State) -> bool:
        """Leaving has a price only where the variant names one, and only before the end."""
        return self.escape is not None and state.ended is None

    def leave(self, state: State, seat: Seat) -> Step:
        """End the hand for a seat that walks out: it pays, its partner does not, the rest goes to the house."""
        if self.escape is None:
            raise IllegalAction("may_not_leave", f"leaving does not end a hand of {state.variant.name}", seat=seat)
        event = Event("leave", seat)
        points = [0] * state.variant.seats
        winners: tuple[Seat, ...] = ()
        price = self.escape
        if landlords := state.all_landlords:
            farmers = _others(state, landlords)
            winners = farmers if seat in landlords else landlords
            lost = _pay(state, landlords, farmers, -1 if seat in landlords else 1)
            points = [lost[other] if other in winners else 0 for other in range(state.variant.seats)]
            price *= state.base * _capped(state, state.multiplier)
        points[seat] = -price
        return over(replace(state, reason="leave", out=seat), winners, tuple(points), (event,))


def _others(state: State, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat in range(state.variant.seats) if seat not in seats)


def _pay(state: State, landlords: tuple[Seat, ...], farmers: tuple[Seat, ...], sign: int) -> tuple[int, ...]:
    """Share out between each landlord and each farmer; `sign` 1 when the landlords win."""
    points = [0] * state.variant.seats
    for landlord in landlords:
        for farmer in farmers:
            times = state.multiplier
            if state.pairwise:
                times *= 2 ** len({landlord, farmer} & set(state.doubled))
            share, rest = divmod(state.base * _capped(state, times), len(landlords))
            assert rest == 0, "the base score must divide between the landlords"
            points[landlord] += sign * share
            points[farmer] -= sign * share
    return tuple(points)


def _capped(state: State, times: int) -> int:
    cap = state.variant.cap
    return times if cap is None else min(times, cap)


def over(state: State, winners: tuple[Seat, ...], points: tuple[int, ...], events: tuple[Event, ...]) -> Step:
    """End the hand with these winners and points: all is shown, and what the points do not sum to is the house's."""
    result = Result(
        reason=state.reason,
        landlords=state.all_landlords,
        winners=winners,
        base=state.base,
        multiplier=state.multiplier,
        factors=state.factors,
        doubled=state.doubled,
        points=points,
        house=-sum(points),
    )
    state = replace(
        state,
        ended="over",
        landlords=state.all_landlords,
        revealed=True,
        bottom_known="everybody",
        dealt=None,
        result=result,
    )
    return Step(state, (*events, Event("over", state.out)))
