"""Several people at one table, each with a browser of his own, play a whole hand."""

from __future__ import annotations

from itertools import cycle

import pytest
from playwright.sync_api import expect

from browser.site import playing_bot, shuffling
from browser.table_page import TablePage
from browser.test_whole_hands import PLANS, check_page, check_settlement, respond
from browser.visits import Visits

pytestmark = pytest.mark.browser


def gather(visits: Visits, variant: str, people: int) -> list[TablePage]:
    """Let one person open a private table and others come to it; whoever is missing is a bot."""
    plan = PLANS[variant]
    host = visits.open(shuffling(plan.seed, plan.first), playing_bot())
    host.go(f"/game/{variant}")
    host.handle("open").click()
    host.root('[data-phase="waiting"]')
    tables = [host]
    for seat in range(1, people):
        guest = visits.beside(host, f"/join/{host.text('code')}", person=seat)
        guest.root('[data-phase="waiting"]')
        guest.seat = seat
        tables.append(guest)
    for table in tables:
        table.handle("ready").click()
    if host.handle("fill").is_visible():
        host.handle("fill").click()
    for table in tables:
        table.root(':not([data-phase="waiting"])')
    return tables


def play_together(tables: list[TablePage], answers: dict[str, str]) -> list[set[str]]:
    """Play to the end of a hand, whoever is asked; returns what each has done."""
    ways = cycle(["click", "drag", "hint"])
    done: list[set[str]] = [set() for _ in tables]
    site = tables[0].site
    while site.view()[1].phase != "over":
        for table in tables:
            if table.seat in site.asked:
                shown, view = table.asked()
                check_page(shown, view)
                done[table.seat].add(respond(table, shown, view, answers, ways).split()[0])
    return done


@pytest.mark.parametrize(("variant", "people"), [("classic", 2), ("five_player", 5)])
def test_people_play_a_whole_hand_together(visits: Visits, variant: str, people: int):
    tables = gather(visits, variant, people)
    done = play_together(tables, PLANS[variant].own)
    assert all("play" in acts for acts in done)
    for table in tables:
        check_settlement(table)
    for table in tables[1:]:
        table.handle("next-hand").click()
        expect(tables[0].handle(f"settlement-seat-{table.seat}").get_by_title("Ready")).to_be_visible()
    tables[0].handle("next-hand").click()
    for table in tables:
        table.root(':not([data-phase="over"])')
        shown, view = table.current()
        assert sorted(shown.cards) == sorted(view.hands[table.seat] or ())
