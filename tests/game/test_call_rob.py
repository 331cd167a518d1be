"""Every course of calling and robbing, against the rule book in the words of a generator."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product

import pytest

from dizhu import Game, Variant, position, variant
from dizhu.game.phases.call_rob import CallRob
from game.table import SMALL, fork, start


@dataclass(frozen=True)
class Outcome:
    """Who became landlord after how many robs; None: deal again."""

    landlord: int | None
    robs: int = 0


Claiming = Generator[tuple[int, str], bool, Outcome]
"""Yields the seat that is asked and the question; receives whether it does."""


def one_chance_each(first: int, openers: Sequence[int] = ()) -> Claiming:
    """Three players: call, then rob (§3.2); openers speak first and are landlord of last resort (§3.3)."""
    begin = openers[0] if openers else first
    declined: list[int] = []
    for seat in (begin, (begin + 1) % 3, (begin + 2) % 3):
        if (yield seat, "call"):
            caller = seat
            break
        declined.append(seat)
    else:
        return Outcome(openers[0] if openers else None)
    landlord, robs = caller, 0
    for seat in ((caller + 1) % 3, (caller + 2) % 3):
        if seat not in declined and (yield seat, "rob"):
            landlord, robs = seat, robs + 1
    if robs and (yield caller, "rob"):
        landlord, robs = caller, robs + 1
    return Outcome(landlord, robs)


def alternating(first: int, most: int = 4) -> Claiming:
    """Two players: the two rob in turn until one declines or `most` is reached (§3.5)."""
    if (yield first, "call"):
        landlord = first
    elif (yield 1 - first, "call"):
        return Outcome(1 - first)  # the first has declined to call and may not rob
    else:
        return Outcome(first)
    for robs in range(most):
        if not (yield 1 - landlord, "rob"):
            return Outcome(landlord, robs)
        landlord = 1 - landlord
    return Outcome(landlord, most)


def courses(rules: Callable[[], Claiming], longest: int = 8) -> Iterator[tuple[bool, ...]]:
    """Every sequence of answers that ends it."""
    for length in range(1, longest + 1):
        for answers in product((False, True), repeat=length):
            asked, outcome = told(rules, answers)
            if outcome and len(asked) == length:
                yield answers


def told(rules: Callable[[], Claiming], answers: Sequence[bool]) -> tuple[list[tuple[int, str]], Outcome | None]:
    """The questions that these answers meet, one more if it is not over, and how it ended."""
    claiming = rules()
    asked = [next(claiming)]
    for answer in answers:
        try:
            asked.append(claiming.send(answer))
        except StopIteration as end:
            return asked, end.value
    return asked, None


def follow(hand: Game, rules: Callable[[], Claiming], answers: Sequence[bool]) -> Outcome:
    """Answer a hand's questions and see that they are put to the right seats."""
    asked, outcome = told(rules, answers)
    assert outcome
    for (seat, question), answer in zip(asked, answers, strict=True):
        assert (hand.phase, hand.turn, hand.legal(seat)) == (question, (seat,), [question, "no"])
        events = hand.act(seat, question if answer else "no")
        worth = 2 if answer and question == "rob" else None
        assert (events[0].kind, events[0].seat, events[0].value) == (question if answer else "no", seat, worth)
    return outcome


@pytest.mark.parametrize("first", range(3))
def test_landlord_war_takes_every_course_as_the_rule_book_says(first: int):
    rules = lambda: one_chance_each(first)  # noqa: E731
    every = list(courses(rules))
    for answers in every:
        hand = start("landlord_war", bottom="89T", first=first)
        outcome = follow(hand, rules, answers)
        if outcome.landlord is None:
            assert (hand.phase, hand.turn, hand.result) == ("redeal", (), None)
            continue
        view = hand.view(None)
        assert (hand.phase, view.landlords, view.multiplier) == ("double", (outcome.landlord,), 2**outcome.robs)
        assert view.counts[outcome.landlord] == 5
        assert view.base == 1
    # 1 without a call; the third caller cannot be robbed; the second by one, the first by two others.
    assert len(every) == 1 + 1 + 3 + 7


def test_three_robs_are_the_most():
    hand = start("landlord_war", None, ["0 call", "1 rob", "2 rob", "0 rob"])
    assert hand.view(None).multiplier == 8
    assert hand.view(None).landlords == (0,)
    assert [factor.name for factor in hand.view(None).factors] == ["rob"] * 3


MOMENTS = ("before", "early", "late")
FACTORS = {"before": 5, "early": 4, "late": 3}


def openings() -> Iterator[tuple[tuple[str | None, ...], tuple[int, ...]]]:
    """At which moment each seat opens, if at all, with every order of arrival that can matter."""
    for moments in product((None, *MOMENTS), repeat=3):
        together = max((moments.count(moment) for moment in MOMENTS), default=0)
        for order in permutations(range(3)) if together > 1 else ((0, 1, 2),):
            yield moments, order


def test_happy_with_every_combination_of_openers():
    tried = 0
    for moments, order in openings():
        begun = start("happy", bottom="89T", first=2)
        openers: list[int] = []
        for moment in MOMENTS:
            for seat in order:
                if seat in openers:
                    continue
                opens = moments[seat] == moment
                assert begun.view(seat).moment == moment
                begun.act(seat, "open" if opens else "no")
            openers += [seat for seat in order if moments[seat] == moment]
        if len(openers) == 3:
            assert set(begun.view(None).opened) == {0, 1, 2}
        best = max((FACTORS[moment] for moment in moments if moment), default=1)
        assert begun.view(None).multiplier == best
        rules = lambda openers=tuple(openers): one_chance_each(2, openers)  # noqa: E731
        for answers in courses(rules):
            tried += 1
            hand = fork(begun)
            outcome = follow(hand, rules, answers)
            if outcome.landlord is None:
                assert hand.phase == "redeal"
                assert not openers
                continue
            view = hand.view(None)
            assert view.landlords == (outcome.landlord,)
            assert view.multiplier == best * 2**outcome.robs
            if outcome.landlord in openers:
                assert hand.phase == "double"
            else:
                assert (hand.phase, view.moment, hand.turn) == ("open", "landlord", (outcome.landlord,))
                hand.act(outcome.landlord, "open")
                assert hand.view(None).multiplier == max(best, 2) * 2**outcome.robs
    assert tried > 1_000


def limited(most: int) -> Variant:
    """The game of two with another limit of robs: a field that a host can change."""
    game = variant("two_player")
    claim = CallRob(chances=None, max_robs=most, let=True, nobody="first")
    return replace(game, phases=(claim, *game.phases[1:]))


@pytest.mark.parametrize("most", range(1, 6))
@pytest.mark.parametrize("first", range(2))
def test_two_player_robs_in_alternation_up_to_the_limit(first: int, most: int):
    game = limited(most)
    rules = lambda: alternating(first, most)  # noqa: E731
    every = list(courses(rules))
    for answers in every:
        hand = Game(game, position(game, SMALL["two_player"], "89T", first))
        outcome = follow(hand, rules, answers)
        view = hand.view(None)
        assert outcome.landlord is not None
        assert (hand.phase, hand.turn, view.landlords) == ("play", (outcome.landlord,), (outcome.landlord,))
        assert (view.multiplier, view.let) == (2**outcome.robs, outcome.robs)
    assert len(every) == most + 3


def test_two_player_as_it_is_declared_allows_four_robs():
    hand = start("two_player", None, ["0 call", "1 rob", "0 rob", "1 rob", "0 rob"])
    assert (hand.phase, hand.view(None).landlords, hand.view(None).let) == ("play", (0,), 4)


def test_two_player_where_both_decline_the_first_is_landlord():
    hand = start("two_player", None, ["1 no", "0 no"], first=1)
    assert (hand.view(None).landlords, hand.view(None).multiplier, hand.turn) == ((1,), 1, (1,))
