"""Whole hands of every game through the page, by clicking only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle

import pytest
from playwright.sync_api import expect

import dizhu
from browser.site import Scripted, playing_bot, shuffling
from browser.table_page import Shown, TablePage, places, ranks
from browser.visits import Visits

pytestmark = pytest.mark.browser

QUESTIONS = {
    "bid": ["no", "bid 1", "bid 2", "bid 3"],
    "call": ["no", "call"],
    "rob": ["no", "rob"],
    "open": ["no", "open"],
    "declare": ["no", "declare"],
    "double": ["no", "double"],
}


def check_page(shown: Shown, view: dizhu.View) -> None:
    """Compare the page with what its seat may know."""
    assert {int(seat): count for seat, (_, count) in shown.seats.items()} == {
        seat: count for seat, count in enumerate(view.counts) if seat != view.seat
    }
    assert view.seat is not None
    assert sorted(shown.cards) == sorted(view.hands[view.seat] or ())
    assert [card[0] for card in shown.cards] == list(reversed(ranks(shown.cards)))
    roles = {int(seat): role for seat, (role, _) in shown.seats.items()} | {view.seat: shown.role}
    assert all((role == "landlord") == (seat in view.landlords) for seat, role in roles.items())
    assert shown.multiplier == f"×{view.multiplier}"
    assert shown.refused is None
    check_buttons(shown, view)


def check_buttons(shown: Shown, view: dizhu.View) -> None:
    """Only what is allowed can be pressed."""
    if view.phase in QUESTIONS:
        answers = QUESTIONS[view.phase]
        allowed = {f"answer-{action.replace(' ', '-')}": action in view.legal for action in answers}
        assert shown.buttons == {**allowed, "hint": True}
    elif view.phase == "play":
        assert shown.buttons["pass"] == ("pass" in view.legal) == (view.table is not None)
        assert ("play" in shown.buttons) == (view.legal != ("pass",))
        assert shown.live == (f"play {ranks(shown.raised)}" in view.legal)


def choose_play(view: dizhu.View) -> str | None:
    """Lead with as many cards as possible, follow with as little as possible."""
    plays = [action.removeprefix("play ") for action in view.legal if action.startswith("play ")]
    if not plays:
        return None
    return plays[0] if view.table is not None else max(plays, key=lambda play: (len(play), -len(set(play))))


def raise_cards(table: TablePage, how: str, wanted: list[int]) -> None:
    """Raise these cards by clicks, or drag over each run of neighbours."""
    if how == "click":
        table.click_cards(wanted)
        return
    runs: list[list[int]] = []
    for index in wanted:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    for run in runs:
        table.drag(run[0], run[-1])


def take_turn(table: TablePage, shown: Shown, view: dizhu.View, how: str) -> str:
    """Play or pass."""
    play = choose_play(view)
    if play is None:
        table.press("pass")
        return "pass"
    if how == "hint":
        table.hint()
    else:
        raise_cards(table, how, places(shown.cards, play))
    up = table.read()
    assert up.live
    assert f"play {ranks(up.raised)}" in view.legal
    assert how == "hint" or ranks(up.raised) == play
    table.press("play")
    return how


def play_hand(table: TablePage, answers: dict[str, str]) -> set[str]:
    """Play to the end of a hand; returns what was done: `phase action`, `play click` and so on."""
    ways = cycle(["click", "drag", "hint"])
    done: set[str] = set()
    while True:
        shown, view = table.asked()
        if view.phase == "over":
            return done
        check_page(shown, view)
        done.add(respond(table, shown, view, answers, ways))


def respond(table: TablePage, shown: Shown, view: dizhu.View, answers: dict[str, str], ways: Iterator[str]) -> str:
    """Answer a question, or take a turn in the next of these ways; returns what was done."""
    if view.phase == "play":
        return f"play {take_turn(table, shown, view, next(ways))}"
    question = f"{view.phase} {view.moment}" if view.moment else view.phase
    wanted = answers.get(question, "no")
    action = wanted if wanted in view.legal else "no"
    table.answer(action)
    return f"{question} {action}"


def check_settlement(table: TablePage) -> None:
    """The sheet says what the server says, and its points sum to zero."""
    _, view = table.current()
    result = view.result
    assert result is not None
    sheet = table.sheet()
    assert sheet.points == list(result.points)
    assert sheet.house == result.house
    assert sum(sheet.points) + sheet.house == 0
    assert sheet.total == result.base * result.multiplier
    assert sheet.outcome == ("You win" if view.seat in result.winners else "You lose")
    table.handle("deal-check").locator("summary").click()
    expect(table.handle("deal-check").get_by_text("Checked: the seed belongs to it")).to_be_visible()


def check_next_hand(table: TablePage) -> None:
    """Another hand begins, and nothing is left of the last one."""
    table.next_hand()
    expect(table.handle("settlement")).to_have_count(0)
    shown, view = table.asked()
    check_page(shown, view)
    assert shown.raised == []
    hand = table.site.table.hand
    assert hand is not None
    assert hand.number > 1


@dataclass(frozen=True)
class Plan:
    """What is answered before the play, by this page and by the bots; what cannot be answered so is declined.

    first: the seat that is asked first.
    """

    own: dict[str, str]
    bots: dict[int, list[str]]
    first: int = 0
    seed: int = 7


PLANS = {
    "classic": Plan({"bid": "bid 2"}, {1: ["bid 1"]}, first=1),
    "auction": Plan({"bid": "bid 3"}, {1: ["bid 1"], 2: ["bid 2"]}, first=1),
    "landlord_war": Plan({"rob": "rob", "double": "double"}, {1: ["call"], 2: ["rob", "double"]}, first=1),
    "happy": Plan(
        {
            "open before": "no",
            "open early": "no",
            "open late": "open",
            "call": "call",
            "rob": "rob",
            "double": "double",
        },
        {1: ["rob", "double"]},
    ),
    "two_player": Plan({"call": "call", "rob": "rob"}, {1: ["rob"]}),
    "five_player": Plan({"declare": "declare", "double": "double"}, {1: ["double"]}, seed=13),
}


def test_every_game_is_here():
    assert set(PLANS) == set(dizhu.variants())


@pytest.mark.parametrize("variant", PLANS)
def test_a_whole_hand(visits: Visits, variant: str):
    plan = PLANS[variant]
    table = visits.sit(variant, shuffling(plan.seed, plan.first), Scripted(plan.bots, playing_bot()))
    done = play_hand(table, plan.own)
    assert {f"{question} {answer}" for question, answer in plan.own.items()} <= done
    assert {"play click", "play drag", "play hint"} <= done
    check_settlement(table)
    check_next_hand(table)
