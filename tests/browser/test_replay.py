"""A finished hand, shown again: by its link, from any seat, and its deal checked in the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import expect

import dizhu
from browser.layout import faults
from browser.scenes import SCENES
from browser.site import shuffling
from browser.visits import Visits
from dizhu.bots.analyse import Judged
from dizhu.game.record import Record
from dizhu.game.verify import verify

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("variant", ["landlord_war", "five_player"])
def test_a_hand_can_be_gone_through_and_checked(visits: Visits, variant: str):
    table = visits.sit(variant, shuffling(5))
    table.press("auto")
    sheet = table.sheet()
    table.handle("replay-link").click()
    replay = table.handle("replay")
    steps = int(replay.get_attribute("data-steps") or 0)
    assert steps > 0
    expect(replay).to_have_attribute("data-step", "0")
    expect(table.handle("deal-verdict")).to_have_attribute("data-verdict", "good")
    before = table.page.locator(".own [role=img]").get_attribute("aria-label")

    table.handle("replay-last").click()
    expect(replay).to_have_attribute("data-step", str(steps))
    expect(replay.get_by_role("status")).to_contain_text(f"{sheet.points[1]}".replace("-", "−"))
    table.handle("replay-back").click()
    table.handle("replay-forward").click()
    expect(replay).to_have_attribute("data-step", str(steps))
    table.handle("replay-first").click()
    assert table.page.locator(".own [role=img]").get_attribute("aria-label") == before
    table.handle("replay-seat").select_option("1")
    assert table.page.locator(".own [role=img]").get_attribute("aria-label") != before
    table.handle("replay-acts").get_by_role("button").nth(3).click()
    expect(replay).to_have_attribute("data-step", "4")
    table.handle("replay-speed").select_option("4")
    table.handle("replay-play").click()
    expect(replay).to_have_attribute("data-step", "6")
    table.handle("replay-pause").click()

    with table.page.expect_download() as saved:
        table.handle("replay-download").click()
    record = json.loads(Path(saved.value.path()).read_text("utf-8"))
    result = verify(record, dizhu.variant).result
    assert result is not None
    assert list(result.points) == sheet.points


@pytest.mark.parametrize("variant", ["classic", "five_player"])
def test_a_phone_that_lies_shows_all_of_a_hand_at_once(visits: Visits, variant: str):
    table = visits.sit(variant, shuffling(5), size=(844, 390))
    table.press("auto")
    table.sheet()
    table.handle("replay-link").click()
    replay = table.handle("replay")
    for step in (0, 12, int(replay.get_attribute("data-steps") or 0)):
        table.handle("replay-step").fill(str(step))
        table.page.wait_for_timeout(50)
        assert faults(table) == []
        assert table.page.evaluate("document.scrollingElement.scrollHeight") == 390
    expect(table.handle("replay-acts")).to_be_hidden()
    table.handle("replay-more").click()
    table.handle("replay-acts").get_by_role("button").nth(3).click()
    expect(replay).to_have_attribute("data-step", "4")


def judging(record: Record, _: Callable[[str], dizhu.Variant]) -> Iterator[Judged]:
    """Judge every second turn: it is a mistake, and the landlords' chance rises with each."""
    turns = [number for number, text in enumerate(record["actions"]) if " play " in text][::2]
    for count, number in enumerate(turns):
        seat, move = record["actions"][number].split(" ", 1)
        yield Judged(number, int(seat), move, 0.25, move, 0.5, count / len(turns))


@pytest.mark.parametrize("size", [(1280, 800), (844, 390), (390, 844)])
def test_moves_are_judged_when_that_is_asked_for(visits: Visits, size: tuple[int, int]):
    table = visits.sit("classic", shuffling(5), size=size)
    table.press("auto")
    table.sheet()
    table.handle("replay-link").click()
    replay, chance = table.handle("replay"), table.handle("replay-chance")
    table.handle("replay-last").click()
    expect(chance).to_have_count(0)
    low = size[1] < size[0] < 1000
    if low:
        table.handle("replay-more").click()
    with patch("dizhu.server.api.replays.analyse", judging):
        table.handle("replay-judge").click()
        expect(table.handle("replay-judge")).to_have_count(0)
    if low:
        table.handle("replay-more").click()
    expect(chance).to_be_visible()
    assert not low or faults(table) == []
    table.handle("replay-first").click()
    expect(chance).to_have_count(0)
    while chance.count() == 0:
        table.handle("replay-forward").click()
    expect(chance).to_contain_text("0 %")
    expect(replay.get_by_role("status")).to_contain_text("Better:")
    assert not low or faults(table) == []
    table.handle("replay-forward").click()
    expect(chance).to_contain_text("0 %")
    expect(replay.get_by_role("status")).not_to_contain_text("Better:")


def test_that_moves_cannot_be_judged_is_told(visits: Visits):
    table = visits.sit("classic", shuffling(5))
    table.press("auto")
    table.sheet()
    table.handle("replay-link").click()
    with patch("dizhu.server.api.replays.analyse", side_effect=dizhu.DizhuError("no_networks", "there are none")):
        table.handle("replay-judge").click()
        expect(table.page.get_by_role("alert")).to_contain_text("cannot be judged")
    table.faults.clear()  # the server's 409


def test_a_link_that_leads_nowhere_is_told_of(visits: Visits):
    table = visits.open(SCENES["classic"].dealer)
    table.page.goto(table.site.url + "#/replay/nothing")
    expect(table.handle("no-replay")).to_be_visible()
    table.faults.clear()  # the server's 404
