"""The measurement of the page plays a hand and tells what it saw. Its figures are not looked at here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from browser.visits import missing

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "page.py"


@pytest.mark.browser
def test_a_page_is_loaded_and_a_hand_is_played(tmp_path: Path):
    if (reason := missing()) is not None:
        pytest.skip(reason)
    file = tmp_path / "page.json"
    command = [sys.executable, SCRIPT, "two_player", "--runs", "1", "--json", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    assert "no long task" in done.stdout or "long tasks" in done.stdout
    figures = json.loads(file.read_text())
    assert 0 < figures["bundle_kib"] <= 60
    (load,) = figures["loads"]
    assert load["ready"] > 0
    assert load["cards"] > 0
    (hand,) = figures["hands"]
    assert hand["game"] == "two_player"
    assert hand["frames"] > 100
    assert hand["busiest"] > 0
    assert 0 <= hand["dealing"] <= 1
    assert 0 <= hand["playing"] <= 1
