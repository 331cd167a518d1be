"""What the table shows while a hand is played, and playing without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import dizhu
from browser.site import Scripted, playing_bot, shuffling
from browser.table_page import TablePage, places, ranks
from browser.visits import Visits
from server.harness import dealing

pytestmark = pytest.mark.browser


def test_the_last_two_cards_raise_an_alarm(visits: Visits):
    table = visits.sit("classic", dealing("33557799TJ", "446", "88A", first=0), {1: ["play 44"]}, by_hand=True)
    table.answer("bid 3")
    table.click_cards(places(table.read().cards, "33"))
    table.press("play")
    expect(table.handle("seat-1")).not_to_contain_text("Last card!")
    table.site.step()
    table.current()
    expect(table.handle("seat-1")).to_contain_text("Last card!")
    expect(table.handle("said")).to_contain_text("Bot 1 has 1 card left.")
    expect(table.handle("seat-2")).not_to_contain_text("Only")


def test_two_cards_raise_an_alarm_too(visits: Visits):
    table = visits.sit("classic", dealing("33557799TJ", "4466", "88A"), {1: ["play 44"]}, by_hand=True)
    table.answer("bid 3")
    table.click_cards(places(table.read().cards, "33"))
    table.press("play")
    table.site.step()
    table.current()
    expect(table.handle("seat-1")).to_contain_text("Only 2 cards!")
    expect(table.handle("said")).to_contain_text("Bot 1 has 2 cards left.")


def counter(table: TablePage) -> dict[str, int]:
    """Read the card counter."""
    return {
        str(cell.get_attribute("data-rank")): int(cell.inner_text())
        for cell in table.handle("counter-table").locator("td").all()
    }


def unseen(view: dizhu.View, decks: int, lowest: str = "3") -> dict[str, int]:
    """Count what a seat has not seen: the deck, less its hand and all that was played."""
    assert view.seat is not None
    seen = [card[0] for card in view.hands[view.seat] or ()] + [card[0] for move in view.history for card in move.cards]
    order = "3456789TJQKA2BR"
    ranks_in_play = order[order.index(lowest) :]
    return {rank: (1 if rank in "BR" else 4) * decks - seen.count(rank) for rank in ranks_in_play}


@pytest.mark.parametrize(
    ("variant", "decks", "lowest"), [("classic", 1, "3"), ("two_player", 1, "5"), ("five_player", 2, "3")]
)
def test_the_card_counter(visits: Visits, variant: str, decks: int, lowest: str):
    table = visits.sit(variant, shuffling(4), Scripted({}, playing_bot()))
    plays = 0
    while plays < 3:
        _, view = table.asked()
        assert counter(table) == unseen(view, decks, lowest)
        assert view.phase != "over"
        if view.phase == "play":
            plays += 1
            stuck = "hint" not in table.read().buttons
            if not stuck:
                table.hint()
            table.press("pass" if stuck else "play")
        else:
            table.answer(next((action for action in ("bid 3", "call") if action in view.legal), "no"))
    table.handle("counter").click()
    expect(table.handle("counter-table")).to_have_count(0)


def test_three_of_a_rank_and_one_are_gone(visits: Visits):
    table = visits.sit("classic", dealing("3334 5", "3", "44"), {}, by_hand=True)
    table.answer("bid 3")
    assert counter(table)["3"] == 1
    table.click_cards(places(table.read().cards, "333"))
    table.press("play")
    table.site.others()
    table.asked()
    table.click_cards(places(table.read().cards, "4"))
    table.press("play")
    table.current()
    assert {rank: counter(table)[rank] for rank in "345"} == {"3": 1, "4": 3, "5": 3}


def test_the_landlord_is_marked_at_all_times(visits: Visits):
    table = visits.sit("classic", dealing("3399", "4455", "678T", first=2), {2: ["bid 3", "play 6"]}, by_hand=True)
    table.site.step()
    for _ in range(2):
        shown, _ = table.current()
        assert {seat: role for seat, (role, _) in shown.seats.items()} == {"1": "farmer", "2": "landlord"}
        assert shown.role == "farmer"
        expect(table.handle("seat-2")).to_contain_text("Landlord")
        table.reload()
    table.site.step()
    assert table.asked()[0].seats["2"] == ["landlord", 3]


def test_a_bomb_and_a_rocket_are_seen_and_multiply(visits: Visits):
    table = visits.sit("classic", dealing("3333BR5", "4678", "678T"), {}, by_hand=True)
    table.answer("bid 1")
    table.site.others()
    table.asked()
    table.click_cards(places(table.read().cards, "3333"))
    table.press("play")
    expect(table.handle("flash")).to_have_attribute("data-flash", "bomb")
    table.site.others()
    table.asked()
    assert table.read().multiplier == "×2"
    table.click_cards(places(table.read().cards, "BR"))
    table.press("play")
    expect(table.handle("flash")).to_have_attribute("data-flash", "rocket")
    table.handle("multiplier").click()
    expect(table.handle("factors")).to_contain_text("Rocket")
    table.site.others()
    table.asked()
    table.click_cards([0])
    table.press("play")
    expect(table.handle("flash")).to_have_attribute("data-flash", "spring")
    sheet = table.sheet()
    assert sheet.points == [16, -8, -8]
    assert table.handle("multiplier-parts").inner_text().replace("\n", " ") == (
        "Base score 1 × Bomb ×2 × Rocket ×2 × Spring ×2 = 8"
    )


def test_nobody_wants_to_be_landlord(visits: Visits):
    table = visits.sit("classic", dealing("3399", "4455", "678T"), {}, by_hand=True)
    table.answer("no")
    table.site.step(2)
    table.root('[data-phase="redeal"]')
    expect(table.handle("question")).to_have_text("Nobody wants to be landlord. The cards are dealt again.")
    table.site.step()
    shown, view = table.asked()
    assert view.phase == "bid"
    assert view.answers == ()
    assert [said for _, said in shown.lasts] == ["", "", ""]


def test_the_keyboard_alone_plays_a_hand(visits: Visits):
    table = visits.open(shuffling(7), Scripted({}, playing_bot()))
    keyboard = table.page.keyboard
    for _ in range(20):
        if table.page.evaluate("document.activeElement.dataset.testid") == "game-landlord_war":
            break
        keyboard.press("Tab")
    keyboard.press("Enter")
    table.root(':not([data-phase="start"])')
    seen: set[str] = set()
    while True:
        shown, view = table.asked()
        if view.phase == "over":
            break
        if view.phase != "play":
            seen.add(view.phase)
            keyboard.press("y" if view.phase in view.legal else "n")
        elif "hint" not in shown.buttons:
            keyboard.press("p")
        elif "rank" not in seen:
            seen.add("rank")
            play_lowest(table, view)
        elif "arrows" not in seen:
            seen.add("arrows")
            walk_to_the_cards(table)
            keyboard.press("Escape")
            table.hint(lambda: keyboard.press("h"))
            keyboard.press("Enter")
        else:
            table.hint(lambda: keyboard.press("h"))
            keyboard.press("Enter")
        table.root(f':not([data-seq="{shown.seq}"])')
    assert {"call", "double", "rank", "arrows"} <= seen
    table.sheet()
    keyboard.press("Enter")
    table.root(':not([data-phase="over"])')


def play_lowest(table: TablePage, view: dizhu.View) -> None:
    """Raise a play by the keys of its ranks, and play it."""
    play = next(action.removeprefix("play ") for action in view.legal if action.startswith("play "))
    table.type_cards(play)
    assert ranks(table.read().raised) == play
    table.page.keyboard.press("Enter")


def walk_to_the_cards(table: TablePage) -> None:
    """Go to the hand by Tab, along it by the arrows, and raise a card by the space bar."""
    keyboard = table.page.keyboard
    for _ in range(20):
        if (table.page.evaluate("document.activeElement.dataset.testid") or "").startswith("card-"):
            break
        keyboard.press("Tab")
    keyboard.press("Home")
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    keyboard.press("Space")
    shown = table.read()
    assert shown.raised == [shown.cards[2]]
