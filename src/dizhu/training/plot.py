"""The curves of a training run."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any


def plot(folder: Path, file: Path) -> None:
    """Draw what a run has measured so far: who wins, how far off the networks are, how strong. Needs Matplotlib."""
    figures: Any = import_module("matplotlib.figure")
    lines = [json.loads(line) for line in (folder / "progress.jsonl").read_text(encoding="utf-8").splitlines()]
    millions = [line["decisions"] / 1e6 for line in lines]
    figure = figures.Figure(figsize=(11, 3.4), layout="constrained")
    won, losses, strength = figure.subplots(1, 3)
    won.plot(millions, [line["landlord_won"] for line in lines])
    won.set(title="hands won by landlords", xlabel="million decisions")
    for role in range(len(lines[0]["losses"])):
        losses.plot(millions, [line["losses"][role] for line in lines], label=f"role {role}")
    losses.set(title="squared errors", xlabel="million decisions")
    losses.legend(frameon=False)
    opponents = (
        ("random", "random"),
        ("rule", "rule"),
        ("earlier", "the best before"),
        ("shipped", "the shipped ones"),
    )
    for name, title in opponents:
        known = [(at, line.get(name)) for at, line in zip(millions, lines, strict=True)]
        points = [(at, value) for at, value in known if value is not None]
        if points:
            strength.plot(*zip(*points, strict=True), label=title)
    strength.set(title="deals won against", xlabel="million decisions")
    strength.legend(frameon=False)
    figure.savefig(file, dpi=120)
