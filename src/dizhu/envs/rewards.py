"""What the end of a hand is worth to a learner, on one of three named scales.

points  as settled: exact whole numbers that sum to zero; every bomb doubles them
win     1 for each winner, -1 for each loser (of three players two are farmers, so it does not sum to zero)
log     the sign of the points times 1 + the logarithm to base 2 of their size: a bomb adds 1
"""

from __future__ import annotations

from math import log2
from typing import Literal

Scale = Literal["points", "win", "log"]


def scaled(points: int, scale: Scale) -> float:
    """Bring the points of one seat to a scale; 0, for a hand that nobody wanted to be landlord of, stays 0.

    >>> scaled(-64, "points"), scaled(-64, "win"), scaled(-64, "log")
    (-64, -1, -7.0)
    """
    if scale == "points" or not points:
        return points
    sign = 1 if points > 0 else -1
    return sign if scale == "win" else sign * (1 + log2(abs(points)))


def check_scale(scale: str) -> None:
    """Raise ValueError unless there is such a scale."""
    if scale not in {"points", "win", "log"}:
        raise ValueError(f"rewards come in the scales points, win and log, not {scale!r}")
