"""Every course that the bidding of classic and auction can take, against the rule book in the words of a generator."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

import pytest

from dizhu import Game
from game.table import fork, refused, start


@dataclass(frozen=True)
class Outcome:
    """Who became landlord at what base score; None: deal again."""

    landlord: int | None
    base: int = 1


Bidding = Generator[tuple[int, int], int, Outcome]
"""Yields the seat that is asked and the highest bid so far; receives its bid, 0 for a pass."""


def once_each(first: int) -> Bidding:
    highest, bidder = 0, None
    for seat in (first, (first + 1) % 3, (first + 2) % 3):
        bid = yield seat, highest
        if bid:
            highest, bidder = bid, seat
        if bid == 3:
            break
    return Outcome(bidder, highest or 1)


def until_two_pass(first: int) -> Bidding:
    seat, bids = first, []
    while True:
        bids.append((yield seat, max(bids, default=0)))
        if bids[-1] == 3:
            return Outcome(seat, 3)
        if bids == [0, 0, 0]:
            return Outcome(None)
        if bids[-2:] == [0, 0] and any(bids):
            return Outcome((seat - 2) % 3, max(bids))
        seat = (seat + 1) % 3


def until_all_others_are_out(first: int) -> Bidding:
    seat, highest, bidder, out = first, 0, None, set[int]()
    while len(out) < 3:
        if seat not in out:
            if seat == bidder:
                break
            bid = yield seat, highest
            if bid == 3:
                return Outcome(seat, 3)
            if bid:
                highest, bidder = bid, seat
            else:
                out.add(seat)
        seat = (seat + 1) % 3
    return Outcome(bidder, highest or 1)


def courses(rules: Callable[[int], Bidding], first: int, bids: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Every sequence of bids that ends the bidding."""
    _, highest, outcome = told(rules, first, bids)
    if outcome:
        return [bids]
    options = [0, *range(highest + 1, 4)]
    return [course for bid in options for course in courses(rules, first, (*bids, bid))]


def told(rules: Callable[[int], Bidding], first: int, bids: tuple[int, ...]) -> tuple[int, int, Outcome | None]:
    """What the rules ask after these bids, or how it ended."""
    bidding = rules(first)
    seat, highest = next(bidding)
    for bid in bids:
        try:
            seat, highest = bidding.send(bid)
        except StopIteration as end:
            return -1, 0, end.value
    return seat, highest, None


def walk(hand: Game, rules: Callable[[int], Bidding], first: int, course: tuple[int, ...]) -> None:
    for spoken, bid in enumerate(course):
        seat, highest, outcome = told(rules, first, course[:spoken])
        assert outcome is None
        assert (hand.phase, hand.turn) == ("bid", (seat,))
        assert hand.legal(seat) == ["no", *(f"bid {number}" for number in range(highest + 1, 4))]
        for lower in range(highest + 1):
            assert refused(hand, seat, f"bid {lower}") == "not_allowed"
        assert refused(hand, (seat + 1) % 3, "bid 3") == "not_your_turn"
        events = hand.act(seat, f"bid {bid}" if bid else "no")
        assert (events[0].kind, events[0].seat, events[0].value) == ("bid" if bid else "no", seat, bid or None)


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize(
    ("name", "options", "rules", "number"),
    [
        ("classic", {}, once_each, 20),
        ("auction", {}, until_two_pass, 40),
        ("auction", {"bid_again": False}, until_all_others_are_out, 23),
    ],
)
def test_every_course_of_the_bidding(
    name: str, options: Mapping[str, object], rules: Callable[[int], Bidding], number: int, first: int
):
    every = courses(rules, first)
    begun = start(name, bottom="89T", first=first, options=options)
    for course in every:
        hand = fork(begun)
        walk(hand, rules, first, course)
        _, _, outcome = told(rules, first, course)
        assert outcome
        if outcome.landlord is None:
            assert (hand.phase, hand.turn, hand.result, hand.view(0).landlords) == ("redeal", (), None, ())
            continue
        view = hand.view(outcome.landlord)
        assert (hand.phase, hand.turn, view.landlords) == ("play", (outcome.landlord,), (outcome.landlord,))
        assert (view.base, view.multiplier, view.counts[outcome.landlord]) == (outcome.base, 1, 5)
        assert [answer.action for answer in view.answers] == [f"bid {bid}" if bid else "no" for bid in course]
    assert len(every) == number


def test_bottom_is_shown_to_all_in_classic_and_to_the_landlord_alone_in_auction():
    for name, shown in (("classic", True), ("auction", False)):
        hand = start(name, bottom="89T")
        assert all(hand.view(seat).bottom is None for seat in (0, 1, 2, None))
        events = hand.act(0, "bid 3")
        assert [event.kind for event in events] == ["bid", "landlord", "bottom"]
        assert bool(events[-1].cards) is shown
        assert [bool(hand.view(seat).bottom) for seat in (0, 1, 2, None)] == [True, shown, shown, shown]


@pytest.mark.parametrize("action", ["call", "rob", "open", "double", "declare", "pass", "play 3", "bid 4", "bid 33"])
def test_other_answers_are_not_allowed_while_bidding(action: str):
    assert refused(start("classic"), 0, action) == "not_allowed"
    assert refused(start("auction"), 0, action) == "not_allowed"


@pytest.mark.parametrize(
    "action", ["bid", "bid ", "bid x", "bid -1", "bid 1.0", "bid ٣", "bid 1 1", "bid  1", "BID 1", ""]
)
def test_a_bid_is_a_number_in_digits(action: str):
    assert refused(start("classic"), 0, action) == "malformed_action"
