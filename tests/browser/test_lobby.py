"""The way to a table: play now, rooms, private tables; and looking on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.sync.client import ClientConnection, connect

import dizhu
from browser.site import Site, shuffling, until
from browser.table_page import TablePage
from browser.visits import Visits
from dizhu.server.players import offered

pytestmark = pytest.mark.browser

FILL = 12.0
"""After so many seconds bots take the seats of a room for points."""
ELSEWHERE = ("127.0.0.2", 0)
"""Who plays from here may be watched from the browser's address."""


def to_the_end(table: TablePage) -> None:
    """Let the computer play the hand, and look at the settlement."""
    table.press("auto")
    while table.site.view()[1].phase != "over":
        table.site.step()
    table.sheet()


def test_one_press_finds_a_table_and_bots_fill_it(visits: Visits):
    table = visits.open(shuffling(7), by_hand=True)
    table.handle("play-now").click()
    expect(table.handle("search")).to_have_text("1 of 3")
    table.site.pass_time(FILL)
    table.root(':not([data-phase="start"])')
    assert table.read().refused is None
    to_the_end(table)
    expect(table.handle("ladder")).to_be_visible()
    expect(table.handle("replay-link")).to_have_attribute("href", "#/replay/" + share(table))
    table.handle("settlement-leave").click()
    table.handle("leave-go").click()
    table.root('[data-phase="start"][data-page="lobby"]')
    table.handle("own-profile").click()
    expect(table.handle("tallies")).to_contain_text("1 won" if won(table) else "0 of 1")
    expect(table.handle("history").locator("a")).to_have_count(1)
    table.handle("to-leaderboard").click()
    expect(table.handle("board").locator(".self")).to_contain_text("labourer")


@pytest.mark.skipif(len(offered(dizhu.variant("classic"))) == 1, reason="the networks are not here")
def test_the_strength_of_the_bots_is_chosen_and_kept_for_the_next_table(visits: Visits):
    table = visits.open(shuffling(7), by_hand=True)
    table.page.goto(f"{table.site.url}#/game/classic")
    expect(table.handle("level")).to_have_value("normal")
    table.handle("level").select_option("master")
    table.handle("practice").click()
    table.root(':not([data-phase="start"])')
    assert [place.bot for place in table.site.table.places] == [None, "master", "master"]
    table.handle("leave").click()
    table.handle("leave-go").click()
    table.root('[data-phase="start"]')
    table.page.goto(f"{table.site.url}#/game/classic")
    table.handle("open").click()
    expect(table.handle("level")).to_have_value("master")
    table.handle("level").select_option("easy")
    table.handle("fill").click()
    until(lambda: [place.bot for place in table.site.table.places] == [None, "easy", "easy"])
    table.handle("leave").click()
    table.root('[data-phase="start"]')
    table.go("/game/classic")
    table.page.reload()
    expect(table.handle("level")).to_have_value("easy")


def share(table: TablePage) -> str:
    settled = table.site.ask(lambda: table.site.table.settled)
    assert settled is not None
    return settled.share


def won(table: TablePage) -> bool:
    return "1 of 1" in table.text("tallies")


def test_people_who_look_for_a_table_meet(visits: Visits):
    one = visits.open(shuffling(7), by_hand=True)
    one.handle("play-now").click()
    expect(one.handle("search")).to_have_text("1 of 3")
    other = visits.beside(one, "/room/classic-points")
    expect(one.handle("search")).to_have_text("2 of 3")
    expect(other.handle("search")).to_have_text("2 of 3")
    one.site.pass_time(FILL)
    for table in (one, other):
        table.root(':not([data-phase="start"])')
    assert [place.account is not None for place in one.site.table.places] == [True, True, False]


def test_a_search_is_given_up_and_a_room_is_told_beforehand(visits: Visits):
    table = visits.open(shuffling(7), by_hand=True)
    table.handle("rooms-happy").click()
    room = table.handle("room-happy-beginner")
    for condition in ("10 beans a point", "5 beans a hand", "need 200", "from 500", "×32"):
        expect(room).to_contain_text(condition)
    table.handle("enter-happy-points").click()
    expect(table.handle("search")).to_be_visible()
    table.handle("cancel").click()
    table.root('[data-page="lobby"]')
    until(lambda: not table.site.searching)
    table.site.pass_time(FILL)
    expect(table.handle("play-now")).to_be_visible()
    assert table.site.tables == 0


def test_who_is_broke_is_helped_once_a_day(visits: Visits):
    table = visits.open(shuffling(7), by_hand=True)
    table.site.give(-2_900)
    table.page.reload()
    expect(table.handle("beans")).to_contain_text("100")
    table.go("/game/classic")
    expect(table.handle("room-classic-beginner")).to_contain_text("100 beans short")
    expect(table.handle("enter-classic-beginner")).to_have_count(0)
    table.handle("grant").click()
    expect(table.handle("beans")).to_contain_text("1,100")
    table.handle("enter-classic-beginner").click()
    expect(table.handle("search")).to_be_visible()


def test_a_private_table_is_joined_by_its_code(visits: Visits):
    host = visits.open(shuffling(7), by_hand=True)
    host.go("/game/classic")
    host.page.locator("summary").click()
    host.handle("option-cap").select_option("16")
    host.handle("open").click()
    host.root('[data-phase="waiting"]')
    expect(host.handle("qr")).to_be_visible()
    expect(host.page.get_by_text("Multiplier at most: 16")).to_be_visible()
    guest = visits.beside(host)
    guest.handle("join-code").fill(host.text("code").lower())
    guest.handle("join").click()
    guest.root('[data-phase="waiting"]')
    expect(guest.handle("fill")).to_have_count(0)
    expect(host.handle("waiting-1")).to_contain_text("Guest")
    host.handle("ready").click()
    expect(guest.handle("waiting-0").get_by_text("Ready")).to_have_count(1)
    guest.handle("ready").click()
    host.handle("fill").click()
    for table in (host, guest):
        table.root('[data-phase="bid"]')
    assert host.site.view()[1].cap == 16
    talk(host, guest)
    forgive(host)


def forgive(host: TablePage) -> None:
    """Block somebody, read the rules meanwhile, and block him no more."""
    host.handle("menu").click()
    host.handle("tab-players").click()
    host.handle("block-1").click()
    expect(host.handle("block-1")).to_have_attribute("aria-pressed", "true")
    host.handle("tab-rules").click()
    expect(host.handle("rules")).to_be_visible()
    host.handle("to-account").click()
    blocks = host.handle("blocks")
    expect(blocks).to_contain_text("Guest")
    blocks.get_by_role("button").click()
    expect(blocks).to_have_count(0)
    host.handle("back-to-table").click()
    host.root('[data-phase="bid"]')
    host.handle("menu").click()
    host.handle("tab-players").click()
    expect(host.handle("block-1")).to_have_attribute("aria-pressed", "false")
    host.handle("menu-close").click()


def test_who_comes_between_two_hands_has_not_lost_the_last(visits: Visits):
    host = visits.open(shuffling(7), by_hand=True)
    host.go("/game/classic")
    host.handle("open").click()
    host.root('[data-phase="waiting"]')
    code = host.text("code")
    host.handle("fill").click()
    host.handle("ready").click()
    host.root('[data-phase="bid"]')
    to_the_end(host)
    guest = visits.beside(host)
    guest.page.evaluate(SHEETS)
    guest.go(f"/join/{code}")
    guest.root('[data-phase="waiting"]')
    expect(host.handle("settlement")).to_contain_text("Guest")
    guest.handle("ready").click()
    host.handle("next-hand").click()
    for table in (host, guest):
        table.root('[data-phase="bid"]')
    assert guest.page.evaluate("window.sheets") == 0


SHEETS = """window.sheets = 0;
new MutationObserver(() => { window.sheets += document.querySelectorAll("[data-testid=settlement]").length; })
  .observe(document, { childList: true, subtree: true })"""
"""Counts how often there was a settlement to be seen, however briefly."""


def talk(host: TablePage, guest: TablePage) -> None:
    """Say things, and hear them no more."""
    guest.handle("menu").click()
    guest.handle("phrase-0").click()
    expect(host.handle("bubble-1")).to_contain_text("Hello")
    guest.handle("menu").click()
    guest.handle("chat").fill("<b>你好</b>")
    guest.handle("chat-send").click()
    expect(host.handle("bubble-1")).to_contain_text("<b>你好</b>")
    host.handle("menu").click()
    host.handle("tab-players").click()
    host.handle("mute-1").click()
    expect(host.handle("mute-1")).to_have_attribute("aria-pressed", "true")
    host.handle("report-1").click()
    host.handle("reason-insults").click()
    expect(host.page.get_by_text("Thank you")).to_be_visible()
    host.handle("tab-plays").click()
    expect(host.handle("plays").locator("li")).to_have_count(0)
    host.handle("menu-close").click()
    expect(host.handle("bubble-1")).to_have_count(0)
    guest.handle("menu").click()
    guest.handle("phrase-16").click()
    expect(guest.handle("bubble-1")).to_be_visible()
    expect(host.handle("bubble-1")).to_have_count(0)


@pytest.mark.parametrize(("address", "reason"), [("/join/NOWHERE", "no table"), ("/room/nowhere", "no such room")])
def test_a_wrong_address_says_so(visits: Visits, address: str, reason: str):
    table = visits.open(shuffling(7), {})
    table.go(address)
    expect(table.handle("refused")).to_contain_text(reason)
    table.handle("cancel").click()
    expect(table.handle("play-now")).to_be_visible()


def test_a_table_is_watched_without_seeing_a_hand(visits: Visits):
    table = visits.open(shuffling(7), {}, by_hand=True)
    with playing(table.site) as player:
        table.go(f"/watch/{table.site.ask(lambda: table.site.table.id)}")
        expect(table.handle("watching")).to_be_visible()
        expect(table.page.locator("[data-card]")).to_have_count(0)
        expect(table.handle("auto")).to_have_count(0)
        assert table.read().seats == {"1": ["unknown", 17], "2": ["unknown", 17]}
        player.send(json.dumps({"type": "act", "id": 9, "seq": table.site.seq, "action": "bid 3"}))
        table.root('[data-phase="play"]')
        expect(table.handle("own-seat")).to_have_attribute("data-role", "landlord")
        table.reload()
        expect(table.handle("watching")).to_be_visible()
        table.handle("leave").click()
        table.root('[data-phase="start"]')


@contextmanager
def playing(site: Site) -> Iterator[ClientConnection]:
    """Sit at a table for practice from another address."""
    with connect(site.url.replace("http", "ws", 1) + "ws", source_address=ELSEWHERE) as player:
        said: list[dict[str, Any]] = [
            {"type": "hello", "id": 1, "protocol": 1, "token": None},
            {"type": "sit", "id": 2, "variant": "classic", "bot": "rule"},
        ]
        for command in said:
            player.send(json.dumps(command))
        while json.loads(player.recv())["type"] != "table":
            pass
        yield player
