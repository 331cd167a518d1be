"""The figures of a round robin: each bot against each other on the same deals, as a table and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

from dizhu.bots.arena.report import Mean, Report

_CELL = 15
_LONGEST_NAME = 30


@dataclass(frozen=True, slots=True)
class Standings:
    """Bots, and the reports of their matches in the order of `itertools.combinations`."""

    bots: Sequence[str]
    reports: Sequence[Report]

    def won(self, row: int, column: int) -> Mean | None:
        """The share that one bot won against another; None against itself."""
        return self._against(row, column, lambda report: report.won, 1.0)

    def points(self, row: int, column: int) -> Mean | None:
        """The points a game that one bot took from another; None against itself."""
        return self._against(row, column, lambda report: report.points, 0.0)

    def _against(self, row: int, column: int, figure: Callable[[Report], Mean], sum_of_both: float) -> Mean | None:
        if row == column:
            return None
        pairs = list(combinations(range(len(self.bots)), 2))
        mean = figure(self.reports[pairs.index((min(row, column), max(row, column)))])
        if row < column:
            return mean
        interval = mean.interval and (sum_of_both - mean.interval[1], sum_of_both - mean.interval[0])
        return Mean(sum_of_both - mean.value, interval)

    def as_json(self) -> dict[str, object]:
        """Give the figures as the command prints them with `--json`: lists by row, in them lists by column."""
        won, points = self._table(self.won), self._table(self.points)
        return {
            "bots": list(self.bots),
            "wp": [[mean and mean.value for mean in row] for row in won],
            "wp_ci": [[mean and (mean.interval or (None, None)) for mean in row] for row in won],
            "adp": [[mean and mean.value for mean in row] for row in points],
            "adp_ci": [[mean and (mean.interval or (None, None)) for mean in row] for row in points],
            "deals": len(self.reports[0].deals),
            "pairs": [
                {"first": report.match.first, "second": report.match.second, **report.as_json()}
                for report in self.reports
            ],
        }

    def as_text(self) -> str:
        """Give the figures as the command prints them for people."""
        match = self.reports[0].match
        deals, games = len(self.reports[0].deals), sum(report.games for report in self.reports)
        return "\n".join(
            [
                f"{len(self.bots)} bots at {match.game}: each pair on the same {deals:,} deals, {games:,} games in all",
                *self._lines("won", self._table(self.won), ".3f"),
                *self._lines("points a game", self._table(self.points), "+.2f"),
                "The row against the column, ± half the 95 % interval.",
            ]
        )

    def _table(self, figure: Callable[[int, int], Mean | None]) -> list[list[Mean | None]]:
        places = range(len(self.bots))
        return [[figure(row, column) for column in places] for row in places]

    def _lines(self, title: str, table: list[list[Mean | None]], form: str) -> list[str]:
        names = [f"{place} {_short(name)}" for place, name in enumerate(self.bots, 1)]
        width = max(map(len, [title, *names]))
        heads = "".join(f"{place:>{_CELL}}" for place in range(1, len(names) + 1))
        rows = (
            f"{name:<{width}}" + "".join(f"{_cell(mean, form):>{_CELL}}" for mean in row)
            for name, row in zip(names, table, strict=True)
        )
        return ["", f"{title:<{width}}{heads}", *rows]

    def plot(self, path: Path) -> None:
        """Draw the shares won as a table of colours. Needs matplotlib."""
        figures: Any = import_module("matplotlib.figure")
        size = len(self.bots)
        figure = figures.Figure(figsize=(1.5 * size + 3, 1.1 * size + 1.5), layout="constrained")
        axes = figure.subplots()
        table = self._table(self.won)
        axes.imshow(
            [[mean.value if mean else 0.5 for mean in row] for row in table], cmap="RdYlBu", vmin=-0.2, vmax=1.2
        )
        for row, means in enumerate(table):
            for column, mean in enumerate(means):
                axes.text(column, row, _cell(mean, ".3f").replace(" ", "\n"), ha="center", va="center", fontsize=9)
        names = [_short(name) for name in self.bots]
        axes.set_xticks(range(size), names, rotation=30, ha="right")
        axes.set_yticks(range(size), names)
        match = self.reports[0].match
        axes.set_title(
            f"Won by the row against the column\n{match.game}, {len(self.reports[0].deals):,} deals", fontsize=10
        )
        figure.savefig(path, dpi=130)


def _short(name: str) -> str:
    """Cut the middle out of a long name: commands differ at their ends."""
    if len(name) <= _LONGEST_NAME:
        return name
    half = (_LONGEST_NAME - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def _cell(mean: Mean | None, form: str) -> str:
    if mean is None:
        return "–"
    if mean.interval is None:
        return f"{mean.value:{form}}"
    return f"{mean.value:{form}} ±{(mean.interval[1] - mean.interval[0]) / 2:{form.lstrip('+')}}"
