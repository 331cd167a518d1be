"""The page as its player uses it: what it shows, read from its test handles, and what can be clicked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, Request, WebSocket, expect

import dizhu
from browser.site import PATIENCE, POLL, Site

MILLISECONDS = PATIENCE * 1000
RANKS = "3456789TJQKA2BR"
BLOCKED = "Service Worker registration blocked by Playwright"
"""Only the tests of a page without its server let it have one."""
KEYS = {"T": "0", "A": "1"}
"""The keys of ranks that have another name."""
GIVEN_UP = "WebSocket is closed before the connection is established"
"""What Chromium says when a page gives up a connection that it no longer wants, before it is open."""

_LAID_OUT = """new Promise((done) =>
  requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)))))"""
"""The own cards come a frame after the table that they lie on."""

_READ = """() => {
  const all = (start) => [...document.querySelectorAll(`[data-testid^="${start}"]`)];
  const one = (name) => document.querySelector(`[data-testid="${name}"]`);
  const text = (name) => one(name)?.textContent.trim() ?? null;
  const { phase, moment, seq, turn, status } = one("root").dataset;
  return {
    phase, moment, seq: Number(seq), turn: turn === "true", status,
    buttons: Object.fromEntries(
      [...all("answer-"), ...["play", "pass", "hint"].map(one).filter((button) => button !== null)]
        .map((button) => [button.dataset.testid, !button.disabled])),
    live: one("play")?.dataset.live === "true",
    cards: all("card-").map((card) => card.dataset.card),
    raised: all("card-").filter((card) => card.ariaPressed === "true").map((card) => card.dataset.card),
    seats: Object.fromEntries(all("seat-").map((seat) =>
      [seat.dataset.testid.slice(5), [seat.dataset.role, Number(seat.dataset.count)]])),
    role: one("own-seat")?.dataset.role ?? null,
    lasts: all("last-").map((last) =>
      [last.dataset.testid, last.querySelector("[role=img]")?.ariaLabel ?? last.textContent.trim()]).sort(),
    question: text("question"), refused: text("refused"), multiplier: text("multiplier"),
    bottom: one("bottom")?.ariaLabel ?? null, marked: one("marked")?.ariaLabel ?? null, let: text("let"),
    auto: one("auto")?.ariaPressed === "true",
    outcome: text("outcome"),
  };
}"""


@dataclass(frozen=True)
class Shown:
    """What the page shows at one moment.

    buttons: by test handle, whether they can be pressed. cards: the own hand from the left; raised: those that are up.
    seats: role and number of cards of the others, by seat. lasts: what lies or is said in front of each seat.
    """

    phase: str
    moment: str
    seq: int
    turn: bool
    status: str
    buttons: dict[str, bool]
    live: bool
    cards: list[str]
    raised: list[str]
    seats: dict[str, list[str | int]]
    role: str | None
    lasts: list[list[str]]
    question: str | None
    refused: str | None
    multiplier: str | None
    bottom: str | None
    marked: str | None
    let: str | None
    auto: bool
    outcome: str | None


@dataclass(frozen=True)
class Sheet:
    """The settlement as it is written."""

    outcome: str
    total: int
    points: list[int]
    house: int


class TablePage:
    """A page of a browser, at the site it visits."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.seat = 0
        self.faults: list[str] = []
        self._advices = 0
        page.set_default_timeout(MILLISECONDS)
        page.on("websocket", self._connected)
        page.on("console", lambda told: self._note(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("requestfailed", self._failed)
        page.on(
            "response", lambda answer: self._note(f"{answer.url}: {answer.status}") if answer.status >= 400 else None
        )

    def _note(self, fault: str) -> None:
        if fault != BLOCKED and GIVEN_UP not in fault:
            self.faults.append(fault)

    def _connected(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._heard)

    def _heard(self, message: str | bytes) -> None:
        self._advices += '"type":"advice"' in str(message)

    def _failed(self, request: Request) -> None:
        # A page that is left gives up what it still loads, its icon for example; that is no fault.
        if request.failure != "net::ERR_ABORTED":
            self._note(f"{request.url}: {request.failure}")

    # --- what is there ----------------------------------------------------------------------------------------------

    def handle(self, name: str) -> Locator:
        """Find an element by its test handle."""
        return self.page.get_by_test_id(name)

    def read(self) -> Shown:
        """Read all that the page shows now."""
        return Shown(**self.page.evaluate(_READ))

    def text(self, name: str) -> str:
        """Read the words of an element."""
        return self.handle(name).inner_text().strip()

    def root(self, condition: str) -> None:
        """Wait until the page is in a state, given as a CSS condition on its root."""
        self.page.wait_for_selector(f'[data-testid="root"]{condition}', state="attached")

    def current(self) -> tuple[Shown, dizhu.View]:
        """Wait until the page shows the newest event, and has laid out the own cards.

        Returns what the page shows and what the server shows its seat.
        """
        deadline = time.monotonic() + PATIENCE
        while True:
            seq, view = self.site.view(self.seat)
            shown = self.read()
            held = view.hands[view.seat] if view.seat is not None else None
            if shown.seq == seq and shown.phase == view.phase and (shown.cards or not held):
                return shown, view
            time.sleep(POLL)
            assert time.monotonic() < deadline, f"the page shows event {shown.seq}, the server is at {seq}"

    def asked(self) -> tuple[Shown, dizhu.View]:
        """Wait until the player is asked, and not the computer in his place, or the hand is over."""
        deadline = time.monotonic() + PATIENCE
        while True:
            shown, view = self.current()
            if (shown.turn and not shown.auto) or shown.phase == "over":
                return shown, view
            time.sleep(POLL)
            assert time.monotonic() < deadline, f"nobody asks; the page says: {shown.question}"

    # --- what can be done -------------------------------------------------------------------------------------------

    def visit(self, address: str = "") -> None:
        """Load the start page, or another, given by what comes after the `#`."""
        self.page.goto(f"{self.site.url}#{address}")
        self.root('[data-status="open"]')

    def go(self, address: str) -> None:
        """Go to another page of the site, as by a link."""
        self.page.evaluate("(address) => { location.hash = address; }", address)
        self.root(f'[data-page="{address.split("/")[1] or "lobby"}"]')

    def sit(self, variant: str) -> None:
        """Sit down at a game."""
        self.handle(f"game-{variant}").click()
        self.root(':not([data-phase="start"])')
        self.page.evaluate(_LAID_OUT)

    def reload(self) -> None:
        """Load the page anew, and wait until it has come back to its seat."""
        self.page.reload()
        self.root(':not([data-phase="start"])[data-status="open"]')
        self.page.evaluate(_LAID_OUT)

    def press(self, name: str) -> None:
        """Press a button that makes something happen at the table, and wait until the page has heard of it."""
        before = self.read().seq
        self.handle(name).click()
        self.root(f':not([data-seq="{before}"])')

    def answer(self, action: str) -> None:
        """Answer a question, for example `bid 2`."""
        self.press(f"answer-{action.replace(' ', '-')}")

    def hint(self, press: Callable[[], None] | None = None) -> None:
        """Ask for a hint, and on until it is a play; returns when the bot has said which it thinks the best.

        press: how to ask, if not by a click.
        """
        press = press or self.handle("hint").click
        before, deadline = self._advices, time.monotonic() + PATIENCE
        press()
        while self._advices == before:
            self.page.wait_for_timeout(10)
            assert time.monotonic() < deadline, "the bot says nothing"
        for _ in range(3):
            if self.read().live:
                return
            press()
        raise AssertionError("no hint can be played")

    def lower_all(self) -> None:
        """Click beside the cards, which lowers them all."""
        self.handle("question").click()
        expect(self.page.locator('[data-card][aria-pressed="true"]')).to_have_count(0)

    def click_cards(self, indices: Iterable[int]) -> None:
        """Click cards by their place from the left."""
        for index in indices:
            self.handle(f"card-{index}").click()

    def type_cards(self, play: str) -> None:
        """Raise cards by the keys of their ranks."""
        for rank in play:
            self.page.keyboard.press(KEYS.get(rank, rank.lower()))

    def drag(self, *path: int, release: bool = True) -> None:
        """Press the mouse on a card, draw it over others, and let it go."""
        first, *rest = path
        self.page.mouse.move(*self.middle(first))
        self.page.mouse.down()
        for index in rest:
            self.page.mouse.move(*self.middle(index), steps=3)
        if release:
            self.page.mouse.up()

    def middle(self, index: int) -> tuple[float, float]:
        """Where to touch a card so that it does not matter whether it is up."""
        box = self.handle(f"card-{index}").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def next_hand(self) -> None:
        """Ask for the next hand on the settlement sheet, and wait for its cards."""
        self.handle("next-hand").click()
        self.root(':not([data-phase="over"])')

    # --- the settlement ---------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """Wait for the settlement and read it."""
        expect(self.handle("settlement")).to_be_visible()
        seats = self.page.locator('[data-testid^="points-"]').all_inner_texts()
        house = self.page.locator('[data-testid="settlement"] tbody tr:not([data-testid]) .points').all_inner_texts()
        total = self.handle("multiplier-parts").locator("strong").inner_text()
        return Sheet(self.text("outcome"), number(total), [number(text) for text in seats], sum(map(number, house)))


def number(text: str) -> int:
    """Read a number as it is written for people."""
    return int(text.replace("−", "-").replace("+", ""))


def ranks(cards: Iterable[str]) -> str:
    """Write cards as the server writes combinations."""
    return "".join(sorted((card[0] for card in cards), key=RANKS.index))


def places(hand: list[str], play: str) -> list[int]:
    """Tell where in a hand the cards of a play are, given by their ranks."""
    found: list[int] = []
    for rank in play:
        found.append(next(index for index, card in enumerate(hand) if card[0] == rank and index not in found))
    return sorted(found)
