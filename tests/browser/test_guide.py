"""The first hand: what to do now is said, until the player has read it or the hand is over."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.scenes import SCENES
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
