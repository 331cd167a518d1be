"""The page as an installed app: it opens without the server, says so, and goes on when the server is back."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from browser.site import shuffling
from browser.visits import Visits

pytestmark = pytest.mark.browser

KEPT = "async () => (await (await caches.open('dizhu')).keys()).map(({ url }) => new URL(url).pathname)"


def test_a_reload_without_the_server_shows_a_clear_page_that_goes_on_by_itself(visits: Visits):
    table = visits.open(shuffling(1), service_workers="allow")
    page = table.page
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.reload()
    expect(table.handle("away")).to_be_visible()
    expect(page.get_by_role("heading")).to_have_text("The server cannot be reached")
    page.context.set_offline(False)
    table.root('[data-phase="start"][data-status="open"]')
    expect(table.handle("away")).to_have_count(0)
    table.faults.clear()  # what could not be reached


def test_the_shell_is_kept_and_nothing_that_the_server_tells(visits: Visits):
    table = visits.open(shuffling(1), service_workers="allow")
    table.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    table.page.goto(table.site.url + "#/leaderboard")
    table.page.reload()
    kept = table.page.evaluate(KEPT)
    assert "/" in kept
    assert sum(path.endswith(".json") and path.startswith("/assets/") for path in kept) >= 4
    assert not [path for path in kept if not path.startswith(("/assets/", "/icon", "/manifest")) and path != "/"]


def test_the_app_can_be_installed(visits: Visits):
    table = visits.open(shuffling(1))
    manifest = json.loads(table.page.request.get(table.site.url + "manifest.json").text())
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = table.page.request.get(table.site.url + icon["src"].removeprefix("/"))
        assert answer.status == 200
        assert answer.headers["content-type"] == icon["type"]
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
