"""Bidding 1, 2 or 3 for the landlord (`classic` and `auction`, rules.md §3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.change import replace
from dizhu.game.phases.phase import NO, Phase, Step, answered
from dizhu.game.state import Seat, State
from dizhu.game.view import Event


@dataclass(frozen=True)
class Bids:
    """How the bidding stands: who is asked, how many have spoken, passes in a row, the highest bid and its bidder."""

    seat: Seat
    spoken: int = 0
    passes: int = 0
    highest: int = 0
    bidder: Seat | None = None


@dataclass(frozen=True)
class Bid(Phase):
    """In turn: decline, or bid more than the highest so far. The bid is the base score.

    rounds: how often each seat speaks; None: the turn goes round until all others pass in a row after a bid.
    highest: the bid that ends it at once. When nobody bids in the first round, the cards are dealt again.
    """

    rounds: int | None = None
    highest: int = 3

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
            bids = replace(bids, passes=bids.passes + 1)
            event = Event(NO, seat)
        else:
            bid = int(action.removeprefix("bid "))
            bids = replace(bids, passes=0, highest=bid, bidder=seat)
            event = Event("bid", seat, bid)
        bids = replace(bids, seat=state.after(seat), spoken=bids.spoken + 1)
        state = replace(state, local=bids)
        seats = state.variant.seats
        if bids.bidder is None:
            if bids.spoken < seats:
                return Step(state, (event,))
            return Step(replace(state, ended="redeal"), (event, Event("redeal")))
        spoken_out = self.rounds is not None and bids.spoken == seats * self.rounds
        if bids.highest < self.highest and bids.passes < seats - 1 and not spoken_out:
            return Step(state, (event,))
        return Step(replace(state, landlords=(bids.bidder,), base=bids.highest), (event,), done=True)
