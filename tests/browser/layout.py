"""What is wrong with the layout of a page."""

from __future__ import annotations

from pathlib import Path

from browser.table_page import TablePage

SMALLEST = 40
"""The side of a button in pixels that a finger can hit."""
_SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; frames < 3; frames += 1) await frame();
  const moving = () => document.getAnimations().some(
    (motion) => motion.playState === "running" && motion.effect.getComputedTiming().endTime < Infinity);
  while (moving()) await frame();
}"""
"""Waits until the page has taken in the size of its screen, and what moves for a while has come to rest."""
_CHECK = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")


def show_on(table: TablePage, size: tuple[int, int], *, counter: bool) -> None:
    """Give the page a screen of a size, and open or close its card counter."""
    table.page.set_viewport_size({"width": size[0], "height": size[1]})
    button = table.handle("counter")
    if button.is_visible() and (button.get_attribute("aria-pressed") == "true") != counter:
        button.dispatch_event("click")
    table.page.evaluate(_SETTLED)


def faults(table: TablePage) -> list[str]:
    """List what overlaps, is cut off, covered, too small or off the screen."""
    return table.page.evaluate(_CHECK, SMALLEST)
