"""Chromium, and the pages that a test opens in it."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import ExitStack
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from browser.site import BY_HAND, HASTY, Scripted, StepClock, playing_bot, running
from browser.table_page import TablePage
from dizhu.bots import Bot
from dizhu.server.clock import Clock
from dizhu.server.hand import Dealer

Script = dict[int, list[str]] | Bot | None
"""What the bots do: lines for `Scripted`, or a bot, or None for the one that the client asks for."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
FONTS = {"zh": "Chinese", "hi": "Devanagari"}


def missing() -> str | None:
    """Say what the tests in a browser lack here, if anything."""
    if shutil.which("chromium") is None:
        return "there is no chromium on the PATH; scripts/system-packages installs it"
    for language, script in FONTS.items():
        fonts = shutil.which("fc-list") and subprocess.run(
            ["fc-list", f":lang={language}", "family"], capture_output=True, text=True, check=False
        )
        if not fonts or not fonts.stdout.strip():
            return f"there is no font with {script} letters; scripts/system-packages installs one"
    return None


class Profiles:
    """Kinds of browsers, each opened once: a window of its own costs more than all that a test does in it."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._opened: dict[str, BrowserContext] = {}

    def page(self, *, guided: bool = True, person: int = 0, **kind: Any) -> Page:
        """Open a page; nothing of an earlier one is left. `guided`: it has been told before how to play.

        Pages of one kind and person are windows of one browser, as far as the server knows.
        """
        name = repr((sorted(kind.items()), guided, person))
        if name not in self._opened:
            options = {"locale": "en", "reduced_motion": "reduce", "service_workers": "block"}
            self._opened[name] = self._browser.new_context(**{**options, **kind})
            if guided:
                self._opened[name].add_init_script("localStorage.setItem('dizhu.guided', 'on')")
            self._opened[name].new_page()  # it keeps the window open
        return self._opened[name].new_page()

    @staticmethod
    def tidy(page: Page) -> None:
        """Close a page and those opened beside it, and forget what they stored."""
        context = page.context
        page.evaluate("localStorage.clear()")
        for other in context.pages[1:]:
            other.close()
        context.set_offline(False)
        context.clear_cookies()


class Visits:
    """Opens pages, each with a server of its own, and looks at the end whether anything went wrong in one."""

    def __init__(self, profiles: Profiles, stack: ExitStack) -> None:
        self._profiles = profiles
        self._stack = stack
        self._pages: list[TablePage] = []

    def open(
        self,
        dealer: Dealer,
        script: Script = None,
        *,
        size: tuple[int, int] = (1280, 800),
        by_hand: bool = False,
        **kind: Any,
    ) -> TablePage:
        """Visit the start page. `by_hand`: bots answer when the test says so; `kind`: what browser it is."""
        bot = playing_bot() if script is None else Scripted(script) if isinstance(script, dict) else script
        settings, clock = (BY_HAND, StepClock()) if by_hand else (HASTY, Clock())
        site = self._stack.enter_context(running(dealer, bot, settings, clock))
        page = self._profiles.page(**kind)
        self._stack.callback(self._profiles.tidy, page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        table = TablePage(page, site)
        self._pages.append(table)
        table.visit()
        return table

    def beside(self, other: TablePage, address: str = "", *, person: int = 1) -> TablePage:
        """Visit the same site as somebody else, who likes it dark."""
        page = self._profiles.page(person=person, color_scheme="dark")
        self._stack.callback(self._profiles.tidy, page)
        page.set_viewport_size({"width": 844, "height": 390})
        table = TablePage(page, other.site)
        self._pages.append(table)
        table.visit(address)
        return table

    def sit(self, variant: str, dealer: Dealer, script: Script = None, **options: Any) -> TablePage:
        """Visit, and sit down at a game."""
        table = self.open(dealer, script, **options)
        table.sit(variant)
        return table

    def check(self) -> None:
        """Fail for every error in the console, in a script or of a request."""
        for table in self._pages:
            assert table.faults == [], table.faults
