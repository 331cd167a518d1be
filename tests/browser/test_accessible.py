"""Every page in every language, light and dark, as axe-core sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.scenes import SCENES
from browser.visits import Visits

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = Path(__file__).resolve().parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async () => (await axe.run()).violations.flatMap(({ id, nodes }) => nodes
  .filter(({ target }) => !(id === 'label-content-name-mismatch' && `${target}`.includes('card-')))
  .map(({ target, any }) => `${id}: ${target}: ${any.map(({ message }) => message)}`))"""
"""A card's rank is drawn on it, and spoken as a word: `10` is "ten of spades"."""
LANGUAGES = ("en", "zh-Hans", "es", "hi")
PAGES = ("", "game/happy", "watch", "rules/five_player", "leaderboard", "profile", "account", "settings")


def violations(page: Page, name: str) -> list[str]:
    """Look at what is on the screen now; what comes in slowly is waited for."""
    page.wait_for_timeout(300)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text("utf-8"))
    return [f"{name}: {fault}" for fault in page.evaluate(RUN)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_in_the_way_of_anybody(visits: Visits, language: str, scheme: str):
    scene = SCENES["classic"]
    kind: dict[str, Any] = {"locale": language, "color_scheme": scheme}
    table = visits.open(scene.dealer, scene.bots, by_hand=True, guided=False, **kind)
    page, found = table.page, []
    for place in PAGES:
        page.goto(f"{table.site.url}#/{place}")
        found += violations(page, place or "lobby")
    page.goto(f"{table.site.url}#/game/classic")
    table.handle("practice").click()
    table.handle("guide").wait_for()
    found += violations(page, "waiting for others")
    table.site.others()
    table.handle("answer-bid-3").wait_for()
    found += violations(page, "bidding")
    table.answer("bid 3")
    table.handle("hint").click()
    found += violations(page, "lead")
    table.handle("menu").click()
    for tab in ("talk", "plays", "players", "settings"):
        table.handle(f"tab-{tab}").click()
        found += violations(page, f"menu {tab}")
    table.handle("menu-close").click()
    table.handle("leave").click()
    found += violations(page, "leaving")
    table.handle("leave-stay").click()
    table.press("auto")
    while table.current()[1].phase != "over":
        table.site.step()
    table.sheet()
    found += violations(page, "settlement")
    share = table.handle("replay-link").get_attribute("href")
    page.goto(f"{table.site.url}{share}")
    table.handle("deal-verdict").wait_for()
    found += violations(page, "replay")
    assert found == [], "\n".join(found)
