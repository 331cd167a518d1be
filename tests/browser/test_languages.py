"""The four languages: kept after a reload, complete, and nothing of another in any of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.layout import faults, show_on
from browser.scenes import SCENES, stops
from browser.table_page import TablePage
from browser.visits import Visits
from server.harness import dealing

pytestmark = pytest.mark.browser

LANGUAGES = ("en", "zh-Hans", "es", "hi")
OTHER_LETTERS = ("zh-Hans", "hi")
LATIN = re.compile("[A-Za-z]{2}")
EVERYWHERE = re.compile(r"\b(Enter|Esc|SHA|[0-9a-f]{64})\b")
"""Keys of the keyboard, names, and numbers that are the same in every language."""
SMALL = ((320, 500), (844, 390))
LONG = ("es",)
"""The languages with the longest words."""

_WORDS = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!node.parentElement.closest("option, script, style, svg")) found.add(node.data.trim());
  }
  for (const element of document.querySelectorAll("[aria-label], [title]")) {
    found.add(element.ariaLabel ?? "").add(element.title ?? "");
  }
  return [...found.add(document.title)].filter((words) => words !== "");
}"""
"""All that can be read or is read out, but the names of the languages."""


def dictionary(project: Path, language: str) -> dict[str, list[str]]:
    """Read the texts of a language: each key with its forms."""
    text = (project / "src" / "dizhu" / "locales" / f"{language}.json").read_text(encoding="utf-8")
    return {key: [entry] if isinstance(entry, str) else list(entry.values()) for key, entry in json.loads(text).items()}


class English:
    """Knows what only English says, beside another language."""

    def __init__(self, project: Path, language: str) -> None:
        self._keys = dictionary(project, "en")
        self._latin = language not in OTHER_LETTERS
        both = {text for texts in dictionary(project, language).values() for text in texts}
        only = {text for texts in self._keys.values() for text in texts if text not in both}
        parts = [re.split(r"\{\w+\}", text) for text in only]
        # A text that is little more than its placeholders would fit everything.
        self._texts = [re.compile(".+".join(map(re.escape, some))) for some in parts if LATIN.search("".join(some))]

    def strange(self, words: str) -> bool:
        """Whether these words are English, or no words but the name of a text or a place left open."""
        if words in self._keys or "{" in words:
            return True
        if not self._latin and LATIN.search(EVERYWHERE.sub("", words)):
            return True
        return any(text.fullmatch(words) for text in self._texts)


def strangers(table: TablePage, english: English) -> set[str]:
    """List words on the page that do not belong to its language."""
    return {words for words in table.page.evaluate(_WORDS) if english.strange(words)}


def tag(language: str) -> str:
    """Name a language as a browser does."""
    return "zh-CN" if language == "zh-Hans" else language


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_kept(visits: Visits, language: str):
    table = visits.open(dealing("3399", "44", "55"), {}, locale="es" if language == "en" else "en")
    table.handle("language").select_option(language)
    expect(table.page.locator("html")).to_have_attribute("lang", language)
    table.page.reload()
    table.root('[data-status="open"]')
    expect(table.page.locator("html")).to_have_attribute("lang", language)
    expect(table.handle("language")).to_have_value(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_s_language_is_taken_at_first(visits: Visits, language: str):
    table = visits.open(dealing("3399", "44", "55"), {}, locale=tag(language))
    expect(table.handle("language")).to_have_value(language)


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("scene", ["classic", "happy", "five_player"])
def test_nothing_is_left_in_english_and_everything_fits(visits: Visits, project: Path, scene: str, language: str):
    english = English(project, language)
    at = SCENES[scene]
    table = visits.open(at.dealer, at.bots, by_hand=True, locale=tag(language))
    found = [f"start: {words}" for words in strangers(table, english)]
    table.sit(at.variant)
    for stop in stops(table, at):
        table.handle("multiplier").dispatch_event("click")
        found += [f"{stop}: {words}" for words in strangers(table, english)]
        table.handle("multiplier").dispatch_event("click")
        for size in SMALL if language in LONG else ():
            show_on(table, size, counter=False)
            found += [f"{stop} at {size}: {fault}" for fault in faults(table)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_refusals_and_dialogs_are_translated(visits: Visits, project: Path, language: str):
    english = English(project, language)
    table = visits.sit("classic", dealing("3399", "44", "55"), {}, by_hand=True, locale=tag(language))
    table.answer("bid 3")
    table.click_cards([0, 2])
    table.handle("play").click()
    expect(table.handle("refused")).to_be_visible()
    assert strangers(table, english) == set()
    table.handle("leave").click()
    expect(table.handle("leave-dialog")).to_be_visible()
    assert strangers(table, english) == set()
    table.handle("leave-stay").click()
    table.page.context.set_offline(True)
    table.site.cut()
    expect(table.handle("connection")).to_be_visible()
    assert strangers(table, english) == set()
    table.faults.clear()
