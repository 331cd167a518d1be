"""How long does a new interpreter take to have `dizhu` and a game at hand?"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

ROUNDS = 20


def seconds(code: str) -> float:
    """Return the seconds that a new interpreter takes for the code, its own start included."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def measure(rounds: int = ROUNDS) -> float:
    """Return the milliseconds for the import above those of a start alone: the median of interleaved rounds."""
    differences = [seconds("import dizhu; dizhu.variant('classic')") - seconds("pass") for _ in range(rounds)]
    return median(differences) * 1000


def report() -> None:
    """Measure and print one line."""
    print(f"import dizhu and a game: {measure():.0f} ms")
