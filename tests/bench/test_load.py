"""The measurement of a server under load does what it says, on a small scale. Its figures are not looked at here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "load.py"


@pytest.mark.slow
def test_tables_play_and_every_move_arrives(tmp_path: Path):
    file = tmp_path / "load.json"
    options = ["--tables", "4", "--rate", "40", "--runs", "2", "--seconds", "2", "--players", "2"]
    done = subprocess.run(
        [sys.executable, SCRIPT, *options, "--json", file], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    assert "12 connections at 4 tables" in done.stdout
    figures = json.loads(file.read_text())
    assert figures["bytes_a_connection"] > 0
    assert len(figures["runs"]) == 2
    for run in figures["runs"]:
        assert run["trouble"] == {}
        assert run["moves"] > 10
        assert 0 < run["p50"] <= run["p99"] <= run["worst"]


@pytest.mark.slow
def test_memory_is_watched(tmp_path: Path):
    file = tmp_path / "soak.json"
    options = ["--tables", "2", "--rate", "10", "--soak", "0.1", "--json", file]
    done = subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert "MB an hour" in done.stdout
    assert json.loads(file.read_text())["soak"][0][1] > 10
