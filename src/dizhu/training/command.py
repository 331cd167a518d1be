"""The command `dizhu train`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from dizhu.errors import DizhuError
from dizhu.training.plot import plot
from dizhu.training.run import Measured, Run, Setup

_BAR = 30


def train(folder: Path, setup: Setup, pause: float, plot_to: Path | None = None) -> int:
    """Train to the end of the schedule, telling how it goes and drawing it; the exit status.

    Ctrl+C loses only what was learnt since the last line. Raises DizhuError `no_matplotlib` if that cannot draw.
    """
    if plot_to and find_spec("matplotlib") is None:
        raise DizhuError("no_matplotlib", "drawing needs Matplotlib: pip install 'dizhu[bench]'")
    run = Run(folder, setup)
    total = setup.schedule.decisions
    if run.done:
        print(f"Going on after {_millions(run.done)} of {_millions(total)} decisions, in {folder}.")
    else:
        print(f"Training {setup.variant} for {_millions(total)} decisions, in {folder}.")
    for measured in run.go_on(pause):
        print(_line(measured, total), flush=True)
        if plot_to:
            plot(folder, plot_to)
    print(f"Done: the strongest weights are in {folder / 'best.bin'}.")
    return 0


def _line(measured: Measured, total: int) -> str:
    part = min(1.0, measured.decisions / total)
    bar = "#" * round(part * _BAR)
    left = (total - measured.decisions) / measured.rate / 60 if measured.rate else 0.0
    earlier = "" if measured.earlier is None else f"  against the best before {measured.earlier:.3f}"
    rule = "" if measured.rule is None else f"  against rule {measured.rule:.3f}"
    now = "" if measured.shipped is None else f"  against the shipped ones {measured.shipped:.3f}"
    losses = " ".join(f"{loss:.2f}" for loss in measured.losses)
    return (
        f"[{bar:<{_BAR}}] {_millions(measured.decisions)}  {measured.rate:,}/s  {max(0.0, left):.0f} min left  "
        f"landlord {measured.landlord_won:.3f}  loss {losses}  against random {measured.random:.3f}{rule}{earlier}{now}"
    )


def _millions(decisions: int) -> str:
    return f"{decisions / 1e6:.1f} M"
