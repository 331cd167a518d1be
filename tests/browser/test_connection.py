"""Coming back: after a reload, a lost connection, from another window; automatic play; leaving."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from browser.site import STEP, Scripted, playing_bot, shuffling, until
from browser.table_page import TablePage
from browser.visits import Visits
from server.harness import dealing

pytestmark = pytest.mark.browser

WALKS = {
    "classic": ({"bid": "bid 3"}, {}, 0, {"bid", "play", "over"}),
    "happy": (
        {"call": "call", "rob": "rob", "double": "double"},
        {1: ["rob"]},
        0,
        {"open before", "open early", "open late", "call", "rob", "open landlord", "double", "play", "over"},
    ),
    "five_player": ({"declare": "declare"}, {}, 13, {"declare", "double", "play", "over"}),
}


@pytest.mark.parametrize("variant", WALKS)
def test_a_reload_comes_back_to_the_same_place(visits: Visits, variant: str):
    answers, script, seed, expected = WALKS[variant]
    table = visits.sit(variant, shuffling(seed or 7), Scripted(script, playing_bot()))
    seen: set[str] = set()
    while "over" not in seen:
        _, view = table.asked()
        place = f"{view.phase} {view.moment}" if view.moment else view.phase
        if place not in seen:
            seen.add(place)
            come_back(table)
        if view.phase == "play":
            table.press("pass" if "pass" in view.legal else "auto")
        elif view.phase != "over":
            action = answers.get(view.phase, "no")
            table.answer(action if action in view.legal else "no")
    assert seen == expected


def come_back(table: TablePage) -> None:
    """Load the page anew: everything is there again."""
    # Of several who are asked at once the bots have answered by now.
    until(lambda: table.site.asked <= {0})
    over = table.current()[1].phase == "over"
    before = (table.sheet() if over else None, table.read())
    table.reload()
    table.current()
    assert (table.sheet() if over else None, table.read()) == before
    assert over or table.handle("clock").is_visible()


def test_a_selection_is_kept_when_the_connection_is_lost(visits: Visits):
    table = visits.sit("classic", dealing("5566", "37", "48"), {}, by_hand=True)
    table.answer("bid 3")
    table.click_cards([0, 1])
    before = table.read()
    table.site.cut()
    table.root('[data-status="waiting"]')
    expect(table.handle("connection")).to_have_text("Connection lost. Reconnecting…")
    table.root('[data-status="open"]')
    expect(table.handle("connection")).to_have_count(0)
    assert table.current()[0] == before
    table.press("play")


def test_what_happened_meanwhile_is_there_afterwards(visits: Visits):
    table = visits.sit("classic", dealing("5566", "3344", "79"), {1: ["play 44"]}, by_hand=True)
    table.answer("bid 3")
    table.click_cards([2, 3])
    table.press("play")
    said = table.handle("said").text_content()
    table.page.context.set_offline(True)
    table.site.cut()
    table.root('[data-status="waiting"]')
    table.site.others()
    expect(table.handle("connection")).to_be_visible()
    table.page.context.set_offline(False)
    table.root('[data-status="open"]')
    shown, view = table.current()
    assert shown.turn
    assert shown.seats == {"1": ["farmer", 4], "2": ["farmer", 2]}
    assert len(view.history) == 3
    assert table.handle("said").text_content() == said, "what has passed is not announced"
    tolerate(table, "ERR_INTERNET_DISCONNECTED")


def tolerate(table: TablePage, what: str) -> None:
    """Errors of the network are what the test wanted."""
    table.faults = [fault for fault in table.faults if what not in fault]


def test_another_window_takes_the_seat(visits: Visits):
    table = visits.sit("classic", dealing("5566", "37", "48"), {}, by_hand=True)
    other = TablePage(table.page.context.new_page(), table.site)
    other.page.goto(table.site.url)
    other.root('[data-phase="bid"][data-status="open"]')
    expect(table.handle("connection")).to_contain_text("This table is open in another window.")
    other.answer("bid 3")
    table.handle("continue-here").click()
    table.root('[data-phase="play"][data-status="open"]')
    expect(other.handle("continue-here")).to_be_visible()
    assert other.faults == []
    table.click_cards([0])
    table.press("play")


def test_a_stopping_server_is_told_of(visits: Visits):
    table = visits.sit("classic", dealing("5566", "37", "48"), {}, by_hand=True)
    table.site.end("shutdown")
    expect(table.handle("connection")).to_have_text("The server is restarting. Reconnecting…")
    table.root('[data-status="open"]')
    expect(table.handle("connection")).to_have_count(0)
    table.answer("bid 3")


def test_automatic_play_and_back(visits: Visits):
    table = visits.sit("classic", dealing("556677", "37", "48"), {}, by_hand=True)
    table.answer("bid 3")
    expect(table.handle("auto")).to_have_attribute("aria-pressed", "false")
    table.press("auto")
    expect(table.handle("auto")).to_have_attribute("aria-pressed", "true")
    table.site.step(3)
    shown, view = table.current()
    assert len(view.history) == 3
    assert view.turn == (0,)
    table.press("auto")
    assert not table.read().auto
    table.site.pass_time(STEP)
    shown, view = table.current()
    assert shown.turn
    table.click_cards([0])
    table.press("play")
    assert len(table.current()[1].history) == 4


def test_time_runs_out(visits: Visits):
    table = visits.sit("classic", dealing("556677", "37", "48", first=0), {1: ["bid 1", "play 3"]}, by_hand=True)
    expect(table.handle("clock")).to_have_text(re.compile("59.|600"))
    table.site.pass_time(600)
    table.root('[data-turn="false"]')
    table.site.others()
    shown, view = table.asked()
    assert [answer.action for answer in view.answers][:2] == ["no", "bid 1"]
    assert shown.phase == "play"


def test_leaving_tells_its_price(visits: Visits):
    table = visits.sit("classic", dealing("556677", "37", "48"), {}, by_hand=True)
    table.handle("leave").click()
    expect(table.handle("leave-text")).to_have_text("Leaving ends the hand and costs you 3 points.")
    table.handle("leave-stay").click()
    expect(table.handle("leave-dialog")).to_have_count(0)
    table.answer("bid 2")
    table.site.others()
    table.asked()
    table.handle("leave").click()
    expect(table.handle("leave-text")).to_have_text("Leaving ends the hand and costs you 6 points.")
    table.handle("leave-go").click()
    table.root('[data-phase="start"]')
    table.sit("happy")
    table.handle("leave").click()
    expect(table.handle("leave-text")).to_contain_text("played automatically to the end")
    table.page.keyboard.press("Escape")
    expect(table.handle("leave-dialog")).to_have_count(0)
    assert table.read().phase == "open"
