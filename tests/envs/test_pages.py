"""The pages on research: every example in them runs. And the scripts in examples/."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGES = ("research.md", "coming-from.md")
PROJECT = Path(__file__).resolve().parents[2]
OPTIONAL = {"rlcard", "pyspiel", "open_spiel"}


def examples() -> list[Any]:
    found: list[Any] = []
    for page in PAGES:
        blocks = (PROJECT / "docs" / page).read_text(encoding="utf-8").split("```python\n")[1:]
        found += [pytest.param(block.split("```")[0], id=f"{page}-{number}") for number, block in enumerate(blocks, 1)]
    return found


@pytest.mark.parametrize("code", examples())
def test_examples_run(code: str, capsys: pytest.CaptureFixture[str]):
    for name in OPTIONAL:
        if f"import {name}" in code or f"from {name}" in code or ("openspiel" in code and name == "pyspiel"):
            pytest.importorskip(name, reason=f"{name} is not installed")
    exec(compile(code, "example", "exec"), {"__name__": "example"})
    assert "Traceback" not in capsys.readouterr().out


def test_a_tournament_sums_to_zero_and_can_be_played_again():
    script = runpy.run_path(str(PROJECT / "examples" / "tournament.py"))
    agents = [script["AGENTS"][name] for name in ("random", "lowest", "random")]
    mean, error = script["tournament"]("classic", agents, 4, 1, bidding=False)
    assert abs(mean.sum()) < 1e-9
    assert (error >= 0).all()
    again, _ = script["tournament"]("classic", agents, 4, 1, bidding=False)
    np.testing.assert_array_equal(mean, again)


@pytest.mark.slow
def test_the_tournament_is_a_command():
    command = [sys.executable, PROJECT / "examples" / "tournament.py", "--variant", "two_player", "--deals", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.count("points a hand") == 2
    wrong = subprocess.run([*command, "--agents", "random"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "needs 2 agents" in wrong.stderr


def test_deep_monte_carlo_learns_from_hands():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    script = runpy.run_path(str(PROJECT / "examples" / "dmc.py"))
    torch.manual_seed(1)
    env = script["VectorEnv"]("classic", 16, seed=1)
    value = script["Value"](script["known"](env).shape[1], 54)
    before = [part.detach().clone() for part in value.parameters()]
    losses = script["learn"](value, env, 3, np.random.default_rng(1), batch=64)
    assert len(losses) == 3
    assert all(np.isfinite(loss) for loss in losses)
    assert any(not torch.equal(old, new) for old, new in zip(before, value.parameters(), strict=True))
    assert 0 <= script["landlord_wins"](value, "classic", 20, 2) <= 1
