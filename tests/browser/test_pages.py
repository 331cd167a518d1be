"""The pages around the table in every language, on small and large screens, light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.layout import faults
from browser.site import shuffling
from browser.table_page import TablePage
from browser.test_languages import LANGUAGES, English, strangers, tag
from browser.visits import Visits

pytestmark = pytest.mark.browser

ADDRESSES = (
    "/",
    "/game/happy",
    "/game/two_player",
    "/watch",
    "/profile",
    "/leaderboard",
    "/account",
    "/settings",
    "/join/NOWHERE",
)
SIZES = ((1920, 1080), (1280, 800), (844, 390), (390, 844), (320, 500))
OWN_WORDS = "[data-testid=code], [data-testid=own-profile] strong"


def look(table: TablePage, folder: Path, name: str) -> list[str]:
    """Find faults of the layout on every screen, and keep pictures."""
    found: list[str] = []
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        table.page.wait_for_timeout(50)
        found += [f"{name} at {width}x{height}: {fault}" for fault in faults(table)]
        place = folder / f"{width}x{height}"
        place.mkdir(parents=True, exist_ok=True)
        table.page.screenshot(path=place / f"page-{name}.jpg", type="jpeg", quality=85)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_speak_their_language_and_everything_fits(visits: Visits, project: Path, language: str):
    english = English(project, language)
    scheme = "dark" if language == "es" else "light"
    table = visits.open(shuffling(7), {}, locale=tag(language), color_scheme=scheme)
    found: list[str] = []
    for address in ADDRESSES:
        table.go(address)
        table.page.wait_for_load_state("networkidle")
        for summary in table.page.locator("summary").all():
            summary.click()
        name = f"{address.strip('/').replace('/', '-') or 'lobby'}-{language}"
        found += look(table, project / "build" / "screenshots", name)
        if language != "en":
            found += [f"{name}: {words}" for words in strangers(table, english) if "NOWHERE" not in words]
    table.go("/game/classic")
    table.handle("open").click()
    table.root('[data-phase="waiting"]')
    code = table.text("code")
    found += look(table, project / "build" / "screenshots", f"waiting-{language}")
    table.handle("menu").click()
    for tab in ("talk", "plays", "players", "settings"):
        table.handle(f"tab-{tab}").click()
        found += look(table, project / "build" / "screenshots", f"{tab}-{language}")
        if language != "en":
            found += [f"{tab}: {words}" for words in strangers(table, english) if code not in words]
    expect(table.handle("menu-close")).to_be_visible()
    assert not found, "\n".join(found)
