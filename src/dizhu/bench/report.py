"""Showing what was measured: a table, JSON, a plot."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dizhu import __version__, _core
from dizhu.bench.measure import OURS, PEERS, Measured, Row, ratios
from dizhu.errors import UnknownName

Results = list[tuple[Row, dict[str, Measured]]]


def machine() -> dict[str, Any]:
    """Describe where the figures come from."""
    return {
        "dizhu": __version__,
        "core": _core.Rules is not None,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def as_json(results: Results) -> dict[str, Any]:
    """One object a row: the medians by name (None: there is none), the spread of the rounds, and the machine."""
    rows: dict[str, Any] = {}
    for row, reached in results:
        medians = {name: reached[name].middle if name in reached else None for name in (OURS, *PEERS)}
        spread = {name: [value.low, value.high] for name, value in reached.items()}
        rows[row.name] = {**medians, "unit": row.unit, "spread": spread}
    return {**rows, "machine": machine()}


def as_table(results: Results) -> Iterator[str]:
    """One line a row: our median with its spread, then each peer's median and how many times better we are."""
    heads = "".join(f"{name:>14}{'×':>9}" for name in PEERS)
    yield f"{'':30}{'dizhu':>12} {'(spread)':<20}{heads}"
    for row, reached in results:
        ours = reached[OURS]
        times = dict(ratios(reached, lower=row.lower))
        spread = f"({_number(ours.low)}–{_number(ours.high)})"
        cells = "".join(
            f"{_number(reached[peer].middle):>14}{times[peer]:>9.1f}" if peer in reached else f"{'–':>14}{'':>9}"
            for peer in PEERS
        )
        yield f"{row.title:30}{_number(ours.middle):>12} {spread:<20}{cells}  {row.unit}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def check_plot(path: Path) -> None:
    """Raise UnknownName where a plot could not be drawn: before the long work, not after it."""
    if not path.absolute().parent.is_dir():
        raise UnknownName("no_file", f"{path}: there is no folder {path.parent}")
    if find_spec("matplotlib") is None:
        raise UnknownName("no_matplotlib", "--plot needs matplotlib: pip install matplotlib")


def plot(results: Results, path: Path) -> None:
    """Draw how many times faster than each peer, on a logarithmic scale."""
    figures: Any = import_module("matplotlib.figure")
    shown = [(row.title, dict(ratios(reached, lower=row.lower))) for row, reached in results if len(reached) > 1]
    figure = figures.Figure(figsize=(9, 0.55 * len(shown) + 1.5), layout="constrained")
    axes = figure.subplots()
    for offset, (peer, colour) in enumerate(zip(PEERS, ("#2f6f9f", "#c0562b"), strict=True)):
        places = [place + 0.36 * offset for place, (_, times) in enumerate(shown) if peer in times]
        values = [times[peer] for _, times in shown if peer in times]
        bars = axes.barh(places, values, 0.34, label=peer, color=colour)
        axes.bar_label(bars, [f"{value:,.1f}×" for value in values], padding=3, fontsize=8)
    axes.set_yticks([place + 0.18 for place in range(len(shown))], [title for title, _ in shown])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.margins(x=0.15)
    axes.axvline(1, color="#888", linewidth=0.8)
    axes.set_xlabel("times better than the peer (median of interleaved rounds)")
    axes.legend()
    figure.savefig(path, dpi=130)
