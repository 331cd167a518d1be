"""A name and a password for a guest, and what can be done with them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.site import shuffling
from browser.table_page import TablePage
from browser.visits import Visits

pytestmark = pytest.mark.browser

NAME, PASSWORD, OTHER = "Tea Drinker", "correct horse", "battery staple"
REFUSED = ("422", "403")
"""What the server answers to a bad name or a wrong password; the browser's console tells of it too."""


def fill(table: TablePage, form: str, **fields: str) -> None:
    """Fill in a form of the account and send it."""
    for field, text in fields.items():
        table.handle(f"{form}-{field}").fill(text)
    table.handle(f"{form}-go").click()


def claimed(table: TablePage, *, expected: bool) -> None:
    """Wait until the page knows whether the account has a name and a password."""
    expect(table.handle("me")).to_have_attribute("data-claimed", "true" if expected else "false")


def test_a_guest_keeps_the_account_and_comes_back(visits: Visits):
    table = visits.open(shuffling(7), {})
    table.handle("to-account").click()
    claimed(table, expected=False)
    fill(table, "claim", name="root%", new=PASSWORD)
    expect(table.handle("claim-told")).to_contain_text("letters, digits")
    fill(table, "claim", name=NAME, new=PASSWORD)
    claimed(table, expected=True)
    expect(table.handle("own-profile")).to_contain_text(NAME)
    fill(table, "password", old="wrong", new=OTHER)
    expect(table.handle("password-told")).to_contain_text("not your password")
    fill(table, "password", old=PASSWORD, new=OTHER)
    expect(table.handle("password-told")).to_contain_text("Done")
    table.handle("logout").click()
    claimed(table, expected=False)
    expect(table.handle("own-profile")).to_contain_text("Guest")
    fill(table, "login", name=NAME, old=PASSWORD)
    expect(table.handle("login-told")).to_be_visible()
    fill(table, "login", name=NAME, old=OTHER)
    claimed(table, expected=True)
    fill(table, "rename", name="Rice Farmer")
    expect(table.handle("me")).to_contain_text("Rice Farmer")
    expect(table.handle("own-profile")).to_contain_text("Rice Farmer")
    table.handle("delete-ask").click()
    fill(table, "delete", old=OTHER)
    claimed(table, expected=False)
    table.faults[:] = [fault for fault in table.faults if not any(code in fault for code in REFUSED)]


def test_pages_can_be_read_while_a_hand_is_played(visits: Visits):
    table = visits.sit("classic", shuffling(7), {}, by_hand=True)
    table.answer("no")
    table.go("/leaderboard")
    expect(table.handle("board")).to_be_visible()
    table.handle("back-to-table").click()
    table.root('[data-phase="bid"][data-page="lobby"]')
    expect(table.handle("card-0")).to_be_visible()
