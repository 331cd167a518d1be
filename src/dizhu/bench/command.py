"""The command `dizhu bench`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dizhu.bench.measure import Row, measure, turns
from dizhu.bench.report import Results, as_json, as_table, check_plot, machine, plot
from dizhu.bench.rows import rows
from dizhu.errors import UnknownName


def bench(names: list[str], *, rounds: int, seconds: float, as_json_text: bool, plot_to: Path | None) -> int:
    """Measure the named rows (none: all) and print them; raises UnknownName for a row that is not there."""
    chosen = _choose(names)
    if plot_to:
        check_plot(plot_to)
    progress = _Progress(turns(chosen, rounds))
    results: Results = []
    for row in chosen:
        progress.title = row.title
        results.append((row, measure(row, rounds, seconds, progress.tick)))
    progress.end()
    if as_json_text:
        print(json.dumps(as_json(results), indent=1))
    else:
        print("\n".join([*as_table(results), ", ".join(f"{name} {value}" for name, value in machine().items())]))
    if plot_to:
        plot(results, plot_to)
    return 0


def _choose(names: list[str]) -> list[Row]:
    known = {row.name: row for row in rows()}
    for name in names:
        if name not in known:
            raise UnknownName("unknown_row", f"there is no row {name!r}; there are {', '.join(known)}")
    return [row for name, row in known.items() if not names or name in names]


class _Progress:
    """A bar on standard error, where that is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._shown = sys.stderr.isatty()
        self.title = ""

    def tick(self) -> None:
        self._done += 1
        if self._shown:
            filled = 30 * self._done // self._total
            bar = "█" * filled + "·" * (30 - filled)
            print(f"\r{bar} {self._done}/{self._total} {self.title:32}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print(f"\r{'':90}\r", end="", file=sys.stderr, flush=True)
