"""Nothing overlaps, is cut off or scrolls, on small and large screens. Pictures of it all go to build/screenshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from browser.layout import faults, show_on
from browser.scenes import SCENES, stops
from browser.table_page import TablePage
from browser.visits import Visits

pytestmark = pytest.mark.browser

SIZES = {(1280, 800): True, (1920, 1080): False, (844, 390): True, (390, 844): True, (320, 500): True}
"""Screens, and whether pictures are kept of them."""
WIDE = 1000
"""From this width on the card counter is open when a page is first visited."""


def look(table: TablePage, folder: Path, name: str) -> list[str]:
    """Find faults on every screen, and keep pictures."""
    found: list[str] = []
    for (width, height), kept in SIZES.items():
        size = f"{width}x{height}"
        if width < WIDE and name.endswith("-play"):
            show_on(table, (width, height), counter=True)
            found += [f"{name} at {size} with the card counter: {fault}" for fault in faults(table)]
        show_on(table, (width, height), counter=width >= WIDE)
        found += [f"{name} at {size}: {fault}" for fault in faults(table)]
        if kept:
            (folder / size).mkdir(parents=True, exist_ok=True)
            table.page.screenshot(path=folder / size / f"{name}.jpg", type="jpeg", quality=85)
    return found


@pytest.fixture
def folder(project: Path) -> Path:
    return project / "build" / "screenshots"


def test_the_start_page(visits: Visits, folder: Path):
    table = visits.open(SCENES["classic"].dealer, {})
    found = look(table, folder, "start")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", SCENES)
def test_the_table(visits: Visits, folder: Path, name: str):
    for old in folder.glob(f"*/{name}-[0-9]*"):
        old.unlink()
    scene = SCENES[name]
    table = visits.sit(scene.variant, scene.dealer, scene.bots, by_hand=True)
    found: list[str] = []
    most = 0
    for stop in stops(table, scene):
        found += look(table, folder, f"{name}-{stop}")
        most = max(most, len(table.read().cards))
    assert not found, "\n".join(found)
    assert most == {"classic-farmer": 17, "two_player": 17, "five_player": 24}.get(name, 20)
