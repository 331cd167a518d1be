"""Information states: they tell all that a seat has seen, and nothing else."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import dizhu
from dizhu import Variant
from dizhu.envs.actions import ANSWERS
from dizhu.envs.features import cards_row
from dizhu.envs.hand import Hand, Numbers, numbers
from dizhu.envs.information import Hands, early_hands, information_layout, information_row, information_text
from dizhu.envs.observation import observation_layout
from dizhu.envs.setting import Setting
from dizhu.game.deal import Deal
from dizhu.rules import cards as c
from dizhu.testing.worlds import other_world
from envs.small import small

NAMES = dizhu.variants()
SETTINGS = [(name, bidding) for name in NAMES for bidding in (True, False)]

settings = pytest.mark.parametrize(("name", "bidding"), SETTINGS)


class Course:
    """A hand that goes its way, with what the seats were shown early."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.early: dict[int, Hands] = {}

    def act(self, number: int) -> None:
        seat = self.hand.seat
        assert seat is not None
        early = early_hands(self.hand, seat)
        self.hand.act(number)
        if early:
            self.early[seat] = early

    def row(self, seat: int) -> Any:
        return information_row(self.hand, seat, self.early.get(seat))

    def text(self, seat: int) -> str:
        return information_text(self.hand, seat, self.early.get(seat))


def begun(name: str, bidding: bool, seed: int) -> Course:
    return Course(numbers(name, bidding).begin(np.random.default_rng(seed)))


def ranks(cards: Any) -> int:
    return sum(c.UNIT[card[0]] for card in cards or ())


@settings
def test_every_play_is_read_back_from_the_row(name: str, bidding: bool):
    game = dizhu.variant(name)
    layout, seen = (make(game, bidding=bidding) for make in (information_layout, observation_layout))
    starts, ends = zip(*((part.start, part.stop) for part in layout.sections.values()), strict=True)
    assert starts == (0, *ends[:-1])
    course, draws = begun(name, bidding, 2), random.Random(2)
    decks, marks = game.deck.decks, game.deck.decks if game.marked else 0
    while course.hand.seat is not None:
        seat = course.hand.seat
        view, row = course.hand.game.view(seat), course.row(seat)
        assert len(row) == layout.size
        shown = course.hand.observe(seat)["observation"]
        for part in seen.sections.keys() - {"history"}:
            np.testing.assert_array_equal(row[layout.sections[part]], shown[seen.sections[part]])
        plays = [move for move in view.history if move.cards]
        rows = row[layout.sections["plays"]].reshape(-1, layout.width + game.seats + marks)
        for move, cells in zip(plays, rows, strict=False):
            by = [int(place == (move.seat - seat) % game.seats) for place in range(game.seats)]
            copies = move.cards.count(view.marked or "")
            marked = [1] * copies + [0] * (marks - copies)
            assert cells.tolist() == cards_row(ranks(move.cards), decks) + by + marked
        assert not rows[len(plays) :].any()
        passes = view.history[::-1].index(plays[-1]) if plays else 0
        assert np.flatnonzero(row[layout.sections["passes"]]).tolist() == [passes]
        course.act(draws.choice(course.hand.legal()))


@settings
def test_two_worlds_alike_to_a_seat_are_one_information_state(name: str, bidding: bool):
    course, draws = begun(name, bidding, 3), random.Random(3)
    compared = 0
    while (seat := course.hand.seat) is not None:
        world = Course(Hand(course.hand.numbers, other_world(course.hand.game, seat, draws)))
        world.early = course.early
        compared += world.hand.game.deal != course.hand.game.deal
        assert world.text(seat) == course.text(seat)
        np.testing.assert_array_equal(world.row(seat), course.row(seat))
        course.act(draws.choice(course.hand.legal()))
    assert compared


def test_suits_are_left_out_but_the_marked_card_is_told():
    hands = ["7h 7s 3s", "7h 4s", "5s", "6s", "8s"]
    course = Course(numbers("five_player", False).begin(np.random.default_rng(1), {"hands": hands, "marked": "7h"}))
    assert "hands 0 377*" in course.text(0)
    assert "hands 1 47*; landlords 0, 1, maybe more" in course.text(1)
    course.act(course.hand.numbers.ids.encode("7"))
    assert "play 0 7;" in course.text(2)
    course.hand.game.act(1, "pass")
    for seat in (2, 3, 4):
        course.hand.game.act(seat, "pass")
    course.hand.game.act(0, "play 7h")
    assert "play 0 7, 1 -, 2 -, 3 -, 4 -, 0 7*;" in course.text(2)


def test_the_own_answer_that_is_held_back_is_known_to_oneself_only():
    told: dict[str, list[Any]] = defaultdict(list)
    for answer in ("open", "no"):
        course = begun("happy", True, 4)
        course.act(course.hand.numbers.ids.encode(answer))
        for seat in range(3):
            told["text"].append(course.text(seat))
            told["row"].append(course.row(seat))
        held = course.row(0)[information_layout(dizhu.variant("happy")).sections["held"]]
        assert ANSWERS[int(held.argmax())] == answer
    assert [told["text"][seat] == told["text"][3 + seat] for seat in range(3)] == [False, True, True]
    assert [bool((told["row"][seat] == told["row"][3 + seat]).all()) for seat in range(3)] == [False, True, True]


def test_it_is_remembered_which_cards_came_first():
    """What a seat of `happy` was asked about its first 12 cards stays part of what it knows."""
    course = begun("happy", True, 5)
    first = course.hand.game.deal.hands[1][:12]
    while len(course.hand.game.state.answers) < 6:
        course.act(course.hand.numbers.ids.encode("no"))
    assert f"early 1 {c.format_cards(ranks(first))};" in course.text(1)
    early = course.row(1)[information_layout(dizhu.variant("happy")).sections["early"]]
    assert early[:54].tolist() == cards_row(ranks(first), 1)
    assert not early[54:].any()


def deals(game: Variant) -> list[Deal]:
    """Every deal of a small game without marked card."""
    dealt: list[Deal] = []
    for cards in permutations(game.deck.cards):
        hands = tuple(cards[seat * game.deal : (seat + 1) * game.deal] for seat in range(game.seats))
        rest = cards[game.seats * game.deal :]
        dealt += [Deal(first, hands, rest[: game.bottom], rest[game.bottom :]) for first in range(game.seats)]
    return dealt


class Seen:
    """What must be the same wherever a seat is in the same information state."""

    def __init__(self) -> None:
        self.rows: dict[str, tuple[int, bytes]] = {}
        self.legal: dict[str, list[int]] = {}
        self.recalled: dict[str, tuple[Any, ...]] = {}
        self.met = 0

    def meet(self, course: Course, own: tuple[Any, ...]) -> str:
        seat = course.hand.seat
        assert seat is not None
        text, row = course.text(seat), (seat, course.row(seat).tobytes())
        self.met += 1
        assert self.rows.setdefault(text, row) == row
        assert self.legal.setdefault(text, course.hand.legal()) == course.hand.legal()
        assert self.recalled.setdefault(text, own) == own
        return text


@pytest.mark.parametrize(
    ("game", "hands"),
    [
        (small("two_player", ranks="56", suits=2, deal=2), None),
        (small("two_player", ranks="5BR", suits=3, deal=1, bottom=1), None),
        (small("classic", ranks="34", suits=4, deal=2, bottom=1), 400),
        (small("happy", ranks="34BR", suits=3, deal=2, bottom=1), 400),
        (small("landlord_war", ranks="345", suits=3, deal=2, bottom=1), 600),
    ],
    ids=lambda value: value.name if isinstance(value, Variant) else "",
)
def test_the_same_text_is_the_same_row_the_same_choice_and_the_same_past(game: Variant, hands: int | None):
    """In every hand of the first games, in many of the others: the past is all that the seat saw and answered before.

    And texts that differ have rows that differ, so that nothing is lost in either form.
    """
    draws, seen = random.Random(6), Seen()
    setting = Setting(game)
    of = Numbers(setting)

    def go_on(course: Course, past: tuple[tuple[Any, ...], ...], everywhere: bool) -> None:
        seat = course.hand.seat
        if seat is None:
            return
        text = seen.meet(course, past[seat])
        legal = course.hand.legal()
        for number in legal if everywhere else [draws.choice(legal)]:
            following = Course(Hand(of, setting.start(course.hand.game.deal)))
            following.hand.moment, following.early = course.hand.moment, dict(course.early)
            following.act(number)
            own = (*past[seat], (text, number))
            go_on(following, tuple(own if each == seat else past[each] for each in range(game.seats)), everywhere)

    every = deals(game) if hands is None else []
    for deal in every or (dizhu.shuffled(game, draws.randbytes(32)) for _ in range(hands or 0)):
        go_on(Course(Hand(of, setting.start(deal))), ((),) * game.seats, everywhere=bool(every))
    assert len(set(seen.rows.values())) == len(seen.rows)
    assert seen.met > len(seen.rows) > 50
