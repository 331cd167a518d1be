"""What it takes to start: the time that an import adds to a bare interpreter, and the memory then in use."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Literal

from dizhu.bench.measure import Work

_STATEMENTS = {
    "dizhu": "import dizhu; dizhu.variant('classic')",
    "open_spiel": "import pyspiel; pyspiel.load_game('dou_dizhu')",
    "rlcard": "import rlcard; rlcard.make('doudizhu')",
}
_SCRIPTS = {
    "ms": "import time; begin = time.perf_counter(); {}; print((time.perf_counter() - begin) * 1000)",
    # The kernel's own mark of the most memory in use: what `resource` tells includes the process that started this one.
    "MB": "{}; print(next(int(line.split()[1]) / 1024 for line in open('/proc/self/status') if 'VmHWM' in line))",
}


def start_up(who: str, unit: Literal["ms", "MB"]) -> Callable[[], Work]:
    """Prepare a measurement of ours or a peer's start in an interpreter of its own."""
    script = _SCRIPTS[unit].format(_STATEMENTS[who])
    command = [sys.executable, "-W", "ignore", "-c", script]

    def run() -> float:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own script
        return float(done.stdout.split()[-1])

    return lambda: run
