"""The first hand: what to do now is said, until the player has read it or the hand is over."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from playwright.sync_api import expect

from browser.scenes import SCENES, filled
from browser.site import until
from browser.table_page import ranks
from browser.visits import Visits

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [(1280, 800), (844, 390), (390, 844)])
def test_the_first_hand_is_guided_once(visits: Visits, size: tuple[int, int]):
    scene = SCENES["classic"]
    table = visits.sit("classic", scene.dealer, scene.bots, size=size, by_hand=True, guided=False)
    guide = table.handle("guide")
    expect(guide).to_have_attribute("data-guide", "guide.wait")
    table.site.others()
    expect(guide).to_have_attribute("data-guide", "guide.question")
    table.answer("bid 3")
    expect(guide).to_have_attribute("data-guide", "guide.lead")
    table.handle("guide-close").click()
    expect(guide).to_have_count(0)
    table.reload()
    expect(guide).to_have_count(0)


SETTLED = 200
"""Milliseconds after which an advice has come."""
COUNT = "window.clicks = 0; addEventListener('click', ({ isTrusted }) => { if (isTrusted) window.clicks += 1; }, true)"


def test_a_newcomer_plays_a_card_with_the_second_click(visits: Visits):
    script = {1: ["bid 3", "play 34567"]}
    dealer = filled(["56789TTJQK2", "34567889", "3"], first=1)
    table = visits.open(dealer, script, size=(844, 390), guided=False, locale="en-GB")
    table.page.evaluate(COUNT)
    with patch("dizhu.server.hints.advice", return_value=("pass", "play TJQKA")) as told:
        table.sit("classic")
        until(lambda: told.called)
        table.page.wait_for_timeout(SETTLED)
    shown, view = table.asked()
    assert [move.seat for move in view.history] == [1, 2]
    assert ranks(shown.raised) == "56789", "a pass is not put up"
    table.press("play")
    assert table.page.evaluate("window.clicks") == 2
    assert [ranks(move.cards) for move in table.current()[1].history if move.seat == 0] == ["56789"]
    table.asked()
    assert table.read().raised == [], "later on nothing is put up unasked"
