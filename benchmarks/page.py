"""How fast is the page? Chromium, a server, and whole hands against bots, all on this machine.

    python benchmarks/page.py                      every game, the best of three runs
    python benchmarks/page.py --runs 5 classic     one game, the best of five

Measured are, each in a browser that has never been here:

- `ready`: from the address to the lobby with its buttons, and `cards`: from a press there to a table with all own cards
  laid out, both with the processor slowed down to a quarter;
- `tasks`: how many tasks kept the page busy for more than 50 ms while a hand was dealt and played, and `longest`;
  `busiest`: the most that one task had of the processor, which hardly depends on what else runs;
- `dealing`, `playing`: the share of frames that came more than 20 ms after the one before, of 60 a second.

Whatever else runs on the machine makes all of these worse and none better, so the best run counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

import dizhu
from dizhu.server.settings import Settings

SLOWER = 4
READY_MS = 1000
LONG_MS = 50
LATE_MS = 20
BUNDLE_KIB = 60
HAND_MS = 10 * 60_000
SCREEN = ViewportSize(width=844, height=390)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

WATCH = """() => {
  const seen = { tasks: [], frames: { dealing: [], playing: [] }, ready: null, pressed: null, cards: null };
  window.seen = seen;
  new PerformanceObserver((list) => {
    const after = list.getEntries().filter(({ startTime }) => startTime > (seen.pressed ?? Infinity));
    seen.tasks.push(...after.map(({ duration }) => duration));
  }).observe({ type: "longtask" });
  addEventListener("click", () => (seen.pressed ??= performance.now()), true);
  const shown = (name) => document.querySelector(`[data-testid="${name}"]`);
  let before = null;
  let usable = false;
  let dealt = false;
  const frame = (now) => {
    if (usable) seen.ready ??= now;
    if (dealt) seen.cards ??= now - seen.pressed;
    usable ||= shown("play-now")?.disabled === false;
    dealt ||= document.querySelector("[data-card]") !== null;
    const { phase } = shown("root")?.dataset ?? {};
    if (dealt && phase !== "over") seen.frames[phase === "play" ? "playing" : "dealing"].push(now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""
"""Notes what happens from the first moment of a page on. What is there when a frame begins has been drawn when the
next one does. The tasks are those after the first press, which is the one that makes sounds possible."""

DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

PLAY = """() => new Promise((done) => {
  const button = (name) => document.querySelector(`[data-testid="${name}"]:not(:disabled)`);
  const turn = setInterval(() => {
    const { phase, turn: asked } = document.querySelector('[data-testid="root"]').dataset;
    if (phase === "over" && button("next-hand") !== null) {
      clearInterval(turn);
      done();
    } else if (asked !== "true") {
      return;
    } else if (phase !== "play") {
      (button("answer-call") ?? button("answer-bid-3") ?? button("answer-no"))?.click();
    } else if (document.querySelector('[data-testid="play"]')?.dataset.live === "true") {
      button("play").click();
    } else {
      (button("hint") ?? button("pass"))?.click();
    }
  }, 400);
})"""
"""Plays a hand inside the page: what drives it from outside would itself keep the page busy."""


@dataclass(frozen=True)
class Loaded:
    """A first visit. Times are in milliseconds, with a slow processor."""

    ready: float
    cards: float


@dataclass(frozen=True)
class Hand:
    """A hand from the deal to its settlement. `dealing` and `playing` are shares of late frames."""

    game: str
    tasks: int
    longest: float
    busiest: float
    dealing: float
    playing: float
    frames: int


@contextmanager
def serving() -> Generator[str]:
    """Start a server as a host does, on a database of its own; yields its address."""
    with tempfile.TemporaryDirectory(prefix="dizhu-page-") as folder:
        program = str(Path(sys.executable).with_name("dizhu"))
        database = f"sqlite:///{folder}/dizhu.sqlite3"
        command = [program, "serve", "--port", "0", "--db", database, "--log-level", "warning"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                told = re.search(r"http://\S+/", process.stdout.readline())
                if told is None:
                    sys.exit("page: the server did not start")
                yield told.group()
            finally:
                process.terminate()


@contextmanager
def visiting(browser: Browser, url: str, slower: int = 1) -> Generator[Page]:
    """Open the lobby in a browser that has never been here."""
    context = browser.new_context(viewport=SCREEN, locale="en", service_workers="block")
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(url)
    page.wait_for_selector('[data-testid="play-now"]:enabled')
    page.evaluate(DRAWN)
    yield page
    context.close()


def sit(page: Page, game: str) -> None:
    """Sit down at a game, and wait until its cards have been drawn."""
    page.get_by_test_id(f"game-{game}").click()
    page.locator("[data-card]").first.wait_for()
    page.evaluate(DRAWN)


def load(browser: Browser, url: str) -> Loaded:
    """Come to the lobby and sit down, on a slow machine."""
    with visiting(browser, url, SLOWER) as page:
        sit(page, "classic")
        seen = page.evaluate("window.seen")
    return Loaded(seen["ready"], seen["cards"])


def play(browser: Browser, url: str, game: str) -> Hand:
    """Play a hand of a game."""
    with visiting(browser, url) as page:
        page.set_default_timeout(HAND_MS)
        browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
        sit(page, game)
        page.evaluate(PLAY)
        seen = page.evaluate("window.seen")
        trace = json.loads(browser.stop_tracing())
    tasks: list[float] = [task for task in seen["tasks"] if task > LONG_MS]
    frames: dict[str, list[float]] = seen["frames"]
    return Hand(
        game=game,
        tasks=len(tasks),
        longest=max(tasks, default=0),
        busiest=busiest(trace["traceEvents"]),
        dealing=late(frames["dealing"]),
        playing=late(frames["playing"]),
        frames=sum(map(len, frames.values())),
    )


def busiest(events: Sequence[dict[str, Any]]) -> float:
    """Find in a trace which task of a page took most of the processor, in milliseconds."""
    named = [event for event in events if event["name"] == "thread_name" and "CrRendererMain" in str(event["args"])]
    pages = {(event["pid"], event["tid"]) for event in named}
    tasks = [event for event in events if "RunTask" in event["name"] and (event["pid"], event["tid"]) in pages]
    return max(task.get("tdur", 0) for task in tasks) / 1000


def late(frames: Sequence[float]) -> float:
    """Tell which part of the frames came late."""
    return sum(frame > LATE_MS for frame in frames) / max(1, len(frames))


def bundle() -> float:
    """KiB of scripts and styles as they travel."""
    if (folder := Settings().bundle) is None:
        sys.exit("page: the browser client is not built (make bundle)")
    files = [file for file in (folder / "assets").iterdir() if file.suffix in (".js", ".css")]
    return sum(len(gzip.compress(file.read_bytes())) for file in files) / 1024


def measure(url: str, runs: int, games: Sequence[str]) -> tuple[list[Loaded], list[Hand]]:
    """Run everything, and tell each figure as it comes."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        loads: list[Loaded] = []
        for _ in range(runs):
            loads.append(load(browser, url))
            print(f"ready after {loads[-1].ready:5.0f} ms, cards after {loads[-1].cards:5.0f} ms", flush=True)
        hands: list[Hand] = []
        for game in games:
            for _ in range(runs):
                hands.append(play(browser, url, game))
                print(row(hands[-1]), flush=True)
        browser.close()
    return loads, hands


def row(hand: Hand) -> str:
    """Write a hand as a row of the table."""
    tasks = f"{hand.tasks} long tasks, the longest {hand.longest:.0f} ms" if hand.tasks else "no long task"
    frames = f"{hand.frames:6,} frames, late {hand.dealing:5.1%} dealing, {hand.playing:5.1%} playing"
    return f"{hand.game:13} {frames}; {tasks}; the busiest had {hand.busiest:.0f} ms of the processor"


def main() -> int:
    """Measure; the exit status is 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description="How fast is the page?")
    parser.add_argument("games", nargs="*", metavar="GAME", help="hands to play (default: of every game)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each; the best counts (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    options = parser.parse_args()
    games: list[str] = [dizhu.variant(name).name for name in options.games] or list(dizhu.variants())
    size = bundle()
    with serving() as url:
        loads, hands = measure(url, options.runs, games)
    ready, cards = min(one.ready for one in loads), min(one.cards for one in loads)
    best = [min((one for one in hands if one.game == game), key=lambda one: (one.tasks, one.playing)) for game in games]
    good = ready <= READY_MS and size <= BUNDLE_KIB and not any(one.tasks for one in best)
    print(f"\nThe best of {options.runs}:")
    print(f"{SLOWER} times slower: ready after {ready:.0f} ms (bar: {READY_MS}), cards {cards:.0f} ms after a press")
    print(f"scripts and styles {size:.1f} KiB (bar: {BUNDLE_KIB})")
    for hand in best:
        print(row(hand))
    print("good" if good else f"NOT good: the bars are {READY_MS} ms, {BUNDLE_KIB} KiB, and no task over {LONG_MS} ms")
    if options.json:
        figures = {"bundle_kib": size, "loads": [asdict(one) for one in loads], "hands": [asdict(one) for one in hands]}
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
