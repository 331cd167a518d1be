"""Picking cards, hints and refusals."""

from __future__ import annotations

import threading
import time
from typing import Any
from unittest.mock import patch

import pytest
from playwright.sync_api import expect

import dizhu
from browser.site import PATIENCE, POLL
from browser.table_page import TablePage, ranks
from browser.visits import Visits
from dizhu.bots.advice import advice
from server.harness import dealing

pytestmark = pytest.mark.browser

TWENTY = "33445566778899TTJJQQ"
HOLD = 900
"""Milliseconds after which a press is long."""


def follow(visits: Visits, hand: str, against: str, rest: str = "", **options: Any) -> TablePage:
    """Sit with this hand where the seat on the right has led with `against`, and may have cards left."""
    dealer = dealing(hand, against + (rest or "3"), "34", first=1)
    table = visits.sit("classic", dealer, {1: ["bid 3", f"play {against}"]}, by_hand=True, **options)
    table.site.step()
    table.site.others()
    table.asked()
    return table


def lead(visits: Visits, hand: str, **options: Any) -> TablePage:
    """Sit as landlord with this hand and the lead."""
    table = visits.sit("classic", dealing(hand, "34", "34"), {}, by_hand=True, **options)
    table.answer("bid 3")
    return table


def nothing_was_played(table: TablePage, hand: str) -> None:
    """A message of the own that comes later shows that no other has gone before it."""
    table.press("auto")
    shown, view = table.current()
    assert view.history == ()
    assert sorted(ranks(shown.cards)) == sorted(hand)


def test_cards_picked_while_others_think_stay_up(visits: Visits):
    script = {1: ["bid 3", "play 3"], 2: ["play 4"]}
    table = visits.sit("classic", dealing("5566", "3777", "48", first=1), script, by_hand=True)
    table.site.step()
    assert table.current()[1].phase == "play"
    table.click_cards([2, 3])
    for seat in (1, 2):
        assert table.current()[1].turn == (seat,)
        table.site.step()
        shown, _ = table.current()
        assert ranks(shown.raised) == "55"
    assert shown.turn
    assert not shown.live, "a pair does not beat the single card"
    table.click_cards([3])
    assert table.read().live
    table.press("play")
    shown, view = table.current()
    assert ranks(view.history[-1].cards) == "5"
    assert shown.raised == []


def test_a_drag_back_lowers_again(visits: Visits):
    table = lead(visits, TWENTY)
    table.drag(3, 8, 6)
    shown = table.read()
    assert shown.raised == shown.cards[3:7]
    table.drag(3, 6)
    assert table.read().raised == [], "a drag that begins on a card that is up lowers"


def test_a_drag_across_a_chain_takes_one_card_of_each_rank(visits: Visits):
    table = lead(visits, "3456678T")
    table.drag(1, 7)
    shown = table.read()
    assert ranks(shown.raised) == "345678"
    assert shown.live
    table.lower_all()
    table.drag(0, 7)
    assert ranks(table.read().raised) == "3456678T", "what is no chain stays as it was drawn"


class Finger:
    """One finger on the screen; Playwright's own can tap only."""

    def __init__(self, table: TablePage) -> None:
        self._table = table
        self._session = table.page.context.new_cdp_session(table.page)

    def down(self, card: int) -> None:
        """Put it on a card."""
        self._touch("touchStart", self._table.middle(card))

    def move(self, card: int) -> None:
        """Draw it to a card."""
        self._touch("touchMove", self._table.middle(card))

    def up(self) -> None:
        """Lift it."""
        self._touch("touchEnd")

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


def test_a_finger_drags_as_the_mouse_does(visits: Visits):
    table = lead(visits, TWENTY, size=(844, 390), has_touch=True)
    touch = Finger(table)
    touch.down(3)
    for card in (4, 5, 6, 7, 8, 7, 6):
        touch.move(card)
    touch.up()
    shown = table.read()
    assert shown.raised == shown.cards[3:7]
    table.handle("card-4").tap()
    shown = table.read()
    assert shown.raised == [*shown.cards[3:4], *shown.cards[5:7]]


def test_a_double_click_or_a_long_press_plays_nothing(visits: Visits):
    table = lead(visits, "3456789")
    table.handle("card-6").dblclick()
    table.handle("card-5").click(delay=HOLD)
    assert ranks(table.read().raised) == "4", "twice is up and down again, long is once"
    nothing_was_played(table, "3456789")


def test_a_double_tap_or_a_long_touch_plays_nothing(visits: Visits):
    table = lead(visits, "3456789", size=(390, 844), has_touch=True)
    table.handle("card-6").tap()
    table.handle("card-6").tap()
    touch = Finger(table)
    touch.down(5)
    table.page.wait_for_timeout(HOLD)
    touch.up()
    assert ranks(table.read().raised) == "4"
    nothing_was_played(table, "3456789")


def test_a_click_beside_the_cards_lowers_them(visits: Visits):
    table = lead(visits, "3456789")
    table.click_cards([0, 3])
    assert len(table.read().raised) == 2
    table.lower_all()


def hints(table: TablePage, presses: int) -> list[str]:
    """Press the hint button, and tell what stands up each time."""
    found: list[str] = []
    for _ in range(presses):
        table.handle("hint").click()
        shown, view = table.current()
        assert shown.live
        assert f"play {ranks(shown.raised)}" in view.legal
        found.append(ranks(shown.raised))
    return found


def raised_at_last(table: TablePage, cards: str) -> None:
    """Wait until these cards stand up."""
    deadline = time.monotonic() + PATIENCE
    while ranks(table.read().raised) != cards:
        assert time.monotonic() < deadline
        time.sleep(POLL)


def test_hints_are_those_of_the_best_bot_and_come_round(visits: Visits):
    table = follow(visits, "55668888BR", "44")
    expected = [answer.removeprefix("play ") for answer in advice(table.current()[1]) if answer != "pass"]
    assert sorted(expected) == sorted(["55", "66", "8888", "BR"])
    with patch("dizhu.server.hints.advice", lambda _: ("play 66", "pass", "play 55", "play 8888", "play BR")):
        table.handle("hint").click()
        raised_at_last(table, "66")
        assert hints(table, 5) == ["55", "8888", "BR", "66", "55"]
    table.press("play")
    assert ranks(table.current()[1].history[-1].cards) == "55"


def test_the_best_bot_may_advise_to_pass(visits: Visits):
    table = follow(visits, "556688", "44")
    with patch("dizhu.server.hints.advice", lambda _: ("pass", "play 66")):
        table.handle("hint").click()
        expect(table.handle("pass")).to_have_attribute("aria-current", "true")
        assert table.read().raised == []
        assert hints(table, 1) == ["66"]
        expect(table.handle("pass")).to_have_attribute("aria-current", "false")


def test_before_the_play_a_hint_marks_an_answer(visits: Visits):
    table = visits.sit("classic", dealing("3399", "45", "67"), {}, by_hand=True)
    with patch("dizhu.server.hints.advice", lambda _: ("bid 2", "no")):
        table.handle("hint").click()
        expect(table.handle("answer-bid-2")).to_have_attribute("aria-current", "true")
        table.page.keyboard.press("h")
        expect(table.handle("answer-no")).to_have_attribute("aria-current", "true")
        expect(table.handle("answer-bid-2")).to_have_attribute("aria-current", "false")


def test_what_is_selected_while_the_best_bot_thinks_is_kept(visits: Visits):
    table = follow(visits, "556688", "44")
    go_on = threading.Event()

    def slowly(_: dizhu.View) -> tuple[str, ...]:
        assert go_on.wait(PATIENCE)
        return ("play 88", "play 66")

    with patch("dizhu.server.hints.advice", slowly):
        table.handle("hint").click()
        assert ranks(table.read().raised) == "55", "an own idea until then"
        table.lower_all()
        table.type_cards("66")
        go_on.set()
        # The advice is there when the next question to the server is answered.
        table.press("auto")
        table.press("auto")
        assert ranks(table.read().raised) == "66"


def test_without_an_advice_hints_come_round_with_the_bombs_last(visits: Visits):
    table = follow(visits, "55668888BR", "44")
    with patch("dizhu.server.hints.advice", side_effect=RuntimeError):
        assert hints(table, 6) == ["55", "66", "88", "8888", "BR", "55"]
    assert table.read().refused is None


def test_hints_on_the_lead_are_legal_and_come_round(visits: Visits):
    table = lead(visits, "3344557779BR")
    # From the last one on, for the page's own idea is another one.
    told = advice(table.current()[1])[::-1]
    expected = [answer.removeprefix("play ") for answer in told]
    with patch("dizhu.server.hints.advice", lambda _: told):
        table.handle("hint").click()
        raised_at_last(table, expected[0])
        assert hints(table, len(expected)) == [*expected[1:], expected[0]]


def test_nothing_beats_this(visits: Visits):
    table = follow(visits, "345", "KK")
    shown = table.read()
    assert shown.question == "Nothing in your hand beats this."
    assert shown.buttons == {"pass": True}
    expect(table.handle("clock")).to_be_visible()
    expect(table.handle("last-1").get_by_role("img")).to_be_visible()
    table.press("pass")
    assert table.current()[1].history[-1].cards == ()


@pytest.mark.parametrize(
    ("picked", "reason"),
    [
        ([2], "This does not beat the cards on the table."),
        ([0, 2], "These cards are no combination of this game."),
        ([], "Pick some cards first."),
    ],
)
def test_a_refusal_says_why_and_changes_nothing(visits: Visits, picked: list[int], reason: str):
    table = follow(visits, "377", "5")
    table.click_cards(picked)
    before = table.read()
    assert not before.live
    table.handle("play").click()
    expect(table.handle("refused")).to_have_text(reason)
    shown, view = table.current()
    assert shown.raised == before.raised
    assert shown.lasts == before.lasts
    assert view.table is not None
    expect(table.handle("last-1").get_by_role("img", name="five")).to_be_visible()
    expect(table.handle("clock")).to_be_visible()
    table.click_cards([1])
    assert table.read().refused is None, "the reason goes when another card is picked"


def test_who_leads_cannot_pass(visits: Visits):
    table = lead(visits, "3377")
    expect(table.handle("pass")).to_be_disabled()
    before = table.read()
    table.page.keyboard.press("p")
    table.click_cards([0, 1])
    table.press("play")
    _, view = table.current()
    assert view.history[0].cards != ()
    assert before.buttons == {"pass": False, "hint": True, "play": True}


def test_a_new_hand_has_nothing_of_the_last(visits: Visits):
    table = visits.sit("classic", dealing("3399", "45", "67"), {}, by_hand=True)
    table.answer("bid 3")
    table.handle("multiplier").click()
    table.click_cards([0, 1])
    table.press("play")
    table.site.others()
    table.asked()
    table.click_cards([0, 1])
    table.press("play")
    assert table.asked()[1].phase == "over"
    table.sheet()
    table.next_hand()
    shown, view = table.current()
    assert view.phase == "bid"
    assert shown.raised == []
    assert [cards for _, cards in shown.lasts] == ["", "", ""]
    assert shown.question == "Your bid for landlord?"
    assert shown.role == "unknown"
    assert {role for role, _ in shown.seats.values()} == {"unknown"}
    assert shown.multiplier == "×1"
    expect(table.handle("settlement")).to_have_count(0)
    table.answer("bid 3")
    assert table.read().buttons["pass"] is False


def test_the_twin_of_a_card_that_was_played_stays_down(visits: Visits):
    table = visits.sit("five_player", dealing("7h 4s 4s 5s", "34", "34", "34", "34", marked="7h"), {}, by_hand=True)
    for _ in range(2):
        table.answer("no")
        table.site.others()
    assert table.asked()[0].cards == ["7h", "5s", "4s", "4s"]
    table.click_cards([3])
    table.press("play")
    shown, _ = table.current()
    assert shown.cards == ["7h", "5s", "4s"]
    assert shown.raised == []
