"""The command `dizhu arena`: figures on standard output, progress on standard error."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import TextIO

from dizhu.bots.arena.match import Match
from dizhu.bots.arena.pool import Progress, run_all
from dizhu.bots.arena.standings import Standings

_BAR = 40
_TENTHS = 10
_ENDED_BY_TERMINATION = 128 + signal.SIGTERM


def command(
    bots: Sequence[str],
    pair: Callable[[str, str], Match],
    deals: int,
    processes: int | None,
    *,
    as_json: bool,
    plot_to: Path | None,
) -> int:
    """Let each bot play each other and print the figures: of two bots those of their match, of more a table."""
    matches = [pair(first, second) for first, second in combinations(bots, 2)]
    # By default the process would end at once, without ending the programs that it started.
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(_ENDED_BY_TERMINATION))
    try:
        reports = run_all(matches, deals, processes, _progress(deals * len(matches), sys.stderr))
    finally:
        signal.signal(signal.SIGTERM, before)
    standings = Standings(bots, reports)
    report = standings if len(bots) > 2 else reports[0]
    sys.stdout.write((json.dumps(report.as_json()) if as_json else report.as_text()) + "\n")
    if plot_to:
        standings.plot(plot_to)
    return 0


def _progress(deals: int, out: TextIO) -> Progress:
    """Draw a bar on a terminal, else write a line for every tenth part."""
    told = 0

    def draw(done: int) -> None:
        filled = _BAR * done // deals
        out.write(f"\r[{'#' * filled}{'.' * (_BAR - filled)}] {done:,} of {deals:,} deals")
        out.write("\n" if done == deals else "")
        out.flush()

    def tell(done: int) -> None:
        nonlocal told
        if done * _TENTHS // deals > told:
            told = done * _TENTHS // deals
            out.write(f"{done:,} of {deals:,} deals\n")
            out.flush()

    return draw if out.isatty() else tell
