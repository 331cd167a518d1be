"""`dizhu bench`: what it prints, and what it refuses."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from dizhu.bench.measure import Measured, Row, measure, ratios
from dizhu.bench.rows import rows
from dizhu.cli import main

NAMES = [
    "games_list",
    "games_index",
    "games_native",
    "games_pure",
    "moves_call",
    "classify_call",
    "beats_call",
    "env_steps",
    "vector_steps",
    "import_ms",
    "memory_mb",
]


def test_all_rows_are_there():
    assert [row.name for row in rows()] == NAMES


def test_json_has_an_object_for_each_row_with_medians_by_name(capsys: pytest.CaptureFixture[str]):
    quick = ["games_list", "games_native", "classify_call", "beats_call"]
    assert main(["bench", *quick, "--rounds", "1", "--seconds", "0.01", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert set(printed) == {*quick, "machine"}
    for name in quick:
        assert printed[name]["dizhu"] > 0
        assert set(printed[name]) == {"dizhu", "open_spiel", "rlcard", "unit", "spread"}
    assert printed["beats_call"]["open_spiel"] is None
    assert printed["beats_call"]["rlcard"] is None
    assert (printed["games_list"]["rlcard"] is None) == (find_spec("rlcard") is None)


def test_the_table_has_a_line_for_each_row(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "games_index", "import_ms", "--rounds", "1", "--seconds", "0.01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:3]] == ["random games, by index", "import"]


def test_contestants_take_turns_and_the_median_counts():
    order: list[str] = []
    values = {"dizhu": iter([3.0, 1.0, 2.0]), "rlcard": iter([8.0, 8.0, 8.0])}

    def contestant(name: str):
        def work() -> float:
            order.append(name)
            return next(values[name])

        return lambda: work

    row = Row("name", "title", "ms", {name: contestant(name) for name in values}, lower=True)
    ticks: list[int] = []
    reached = measure(row, rounds=3, seconds=0, tick=lambda: ticks.append(1))
    assert order == ["dizhu", "rlcard"] * 3
    assert len(ticks) == 6
    assert reached["dizhu"] == Measured(2.0, 1.0, 3.0)
    assert dict(ratios(reached, lower=True)) == {"rlcard": 4.0}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "there is no row 'nothing'"),
        (["--rounds", "0"], "'0' is no number from 1 up"),
        (["--seconds", "inf"], "'inf' is no number of seconds"),
        (["--seconds", "x"], "'x' is no number of seconds"),
    ],
)
def test_bad_input_is_told_in_words(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]):
    try:
        status = main(["bench", *arguments])
    except SystemExit as stop:
        status = stop.code
    assert status == 2
    assert told in capsys.readouterr().err


def test_a_plot_is_drawn_or_refused_before_anything_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    missing = tmp_path / "none" / "plot.png"
    assert main(["bench", "--plot", str(missing)]) == 2
    assert "none" in capsys.readouterr().err
    pytest.importorskip("matplotlib")
    plot = tmp_path / "plot.png"
    assert main(["bench", "games_list", "--rounds", "1", "--seconds", "0.01", "--plot", str(plot)]) == 0
    assert plot.read_bytes().startswith(b"\x89PNG")
