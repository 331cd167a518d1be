"""The list of tables to look on at, and the way from it to one of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.site import Site, shuffling
from browser.table_page import TablePage
from browser.test_accessible import violations
from browser.test_lobby import FILL
from browser.test_pages import look
from browser.visits import Visits

pytestmark = pytest.mark.browser


def look_well(table: TablePage, folder: Path, name: str) -> list[str]:
    """Find faults of the layout and for a screen reader, light and dark, and keep pictures."""
    found: list[str] = []
    for scheme in ("light", "dark"):
        table.page.emulate_media(color_scheme=scheme)
        found += violations(table.page, f"{name}, {scheme}")
        found += look(table, folder, f"{name}-{scheme}")
    return found


def move_away(site: Site) -> None:
    """Let the server take the players for people who play from elsewhere."""
    site.ask(lambda: [setattr(place, "address", "192.0.2.1") for _, place in site.table.players()])


def test_a_table_of_a_room_is_found_in_the_list_and_watched(visits: Visits, project: Path):
    player = visits.open(shuffling(7), by_hand=True)
    watcher = visits.beside(player)
    watcher.handle("to-watch").click()
    expect(watcher.handle("no-tables")).to_be_visible()
    player.handle("play-now").click()
    expect(player.handle("search")).to_be_visible()
    player.site.pass_time(FILL)
    player.root(':not([data-phase="start"])')
    name = player.site.ask(lambda: player.site.table.id)
    watcher.handle("look-again").click()
    listed = watcher.handle("tables").locator("li")
    expect(listed).to_have_count(1)
    for words in ("Classic · Points room", "Guest", "Bot 2", "Bot 3", "Hand 1", "0 watching"):
        expect(listed).to_contain_text(words)
    found = look_well(watcher, project / "build" / "screenshots", "tables")
    assert not found, "\n".join(found)
    watcher.handle(f"watch-{name}").click()
    expect(watcher.handle("refused")).to_contain_text("from where one of the players plays")
    watcher.handle("cancel").click()
    move_away(player.site)
    watcher.handle("to-watch").click()
    watcher.handle(f"watch-{name}").click()
    expect(watcher.handle("watching")).to_be_visible()
    expect(watcher.page.locator("[data-card]")).to_have_count(0)


def test_who_sits_at_a_table_is_not_offered_others(visits: Visits):
    table = visits.sit("classic", shuffling(7), by_hand=True)
    table.page.evaluate("location.hash = '#/watch'")
    table.root('[data-page="lobby"]:not([data-phase="start"])')
    expect(table.handle("tables")).to_have_count(0)
