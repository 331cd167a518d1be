"""Bidding 1, 2 or 3 for the landlord (`classic` and `auction`, rules.md §3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dizhu.game.change import replace
from dizhu.game.phases.phase import NO, Phase, Step, answered
from dizhu.game.state import Seat, State
from dizhu.game.view import Event


@dataclass(frozen=True)
class Bids:
    """How the bidding stands: who is asked, how many have spoken, who is out, the highest bid and its bidder."""

    seat: Seat
    spoken: int = 0
    out: tuple[Seat, ...] = ()
    highest: int = 0
    bidder: Seat | None = None


@dataclass(frozen=True)
class Bid(Phase):
    """In turn: decline, or bid more than the highest so far. The bid is the base score.

    rounds: how often each seat speaks; None: the turn goes round until all others pass in a row after a bid.
    again: whether who has passed is asked again when the turn comes back. highest: the bid that ends it at once.
    nobody: what happens when nobody bids in the first round: another deal, or the first seat is landlord.
    """

    rounds: int | None = None
    again: bool = True
    highest: int = 3
    nobody: Literal["redeal", "first"] = "redeal"

    def name(self, state: State) -> str:
        """The question is called `bid`."""
        return "bid"

    def begin(self, state: State) -> Step:
        """Ask the first seat."""
        return Step(replace(state, local=Bids(state.first)))

    def turn(self, state: State) -> tuple[Seat, ...]:
        """One seat speaks at a time."""
        return (state.local.seat,)

    def legal(self, state: State, seat: Seat) -> list[str]:
        """List the higher bids after declining."""
        return [NO, *(f"bid {bid}" for bid in range(state.local.highest + 1, self.highest + 1))]

    def apply(self, state: State, seat: Seat, action: str) -> Step:
        """Note the answer, and end the bidding when it is over."""
        bids: Bids = state.local
        state = answered(state, "bid", seat, action)
        if action == NO:
            bids = replace(bids, out=bids.out if self.again else (*bids.out, seat))
            event = Event(NO, seat)
        else:
            bid = int(action.removeprefix("bid "))
            bids = replace(bids, highest=bid, bidder=seat)
            event = Event("bid", seat, bid)
        bids = replace(bids, spoken=bids.spoken + 1)
        if bids.bidder is None and bids.spoken == state.variant.seats:
            return self._nobody_bids(state, event)
        following = self._next(state, bids, seat)
        if following is None:
            return Step(replace(state, landlords=(bids.bidder,), base=bids.highest), (event,), done=True)
        return Step(replace(state, local=replace(bids, seat=following)), (event,))

    def _next(self, state: State, bids: Bids, seat: Seat) -> Seat | None:
        """Find who is asked after `seat`; nobody when the turn would come to the highest bidder."""
        seats = state.variant.seats
        if bids.highest == self.highest or (self.rounds is not None and bids.spoken == seats * self.rounds):
            return None
        others = (state.after(seat, steps) for steps in range(1, seats + 1))
        following = next(other for other in others if other not in bids.out)
        return None if following == bids.bidder else following

    def _nobody_bids(self, state: State, event: Event) -> Step:
        if self.nobody == "first":
            return Step(replace(state, landlords=(state.first,)), (event,), done=True)
        return Step(replace(state, ended="redeal"), (event, Event("redeal")))
