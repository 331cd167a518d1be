"""Networks that value the moves of a seat from what it sees: the shipped ones, and how they are computed.

`judge(variant)` gives those of a game; they come from `dizhu train` (docs/training.md). The C core computes them, or
NumPy, with the same values.
"""

from __future__ import annotations

from dizhu.network.facts import position
from dizhu.network.judges import Judge, judge, judge_of, shipped
from dizhu.network.scenes import Scene, scene
from dizhu.network.stored import VALUE, Stored, quantised, read, write

__all__ = [
    "VALUE",
    "Judge",
    "Scene",
    "Stored",
    "judge",
    "judge_of",
    "position",
    "quantised",
    "read",
    "scene",
    "shipped",
    "write",
]
