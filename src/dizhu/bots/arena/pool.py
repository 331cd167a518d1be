"""The deals of matches spread over processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from types import FrameType

from dizhu.bots.arena.match import Match, Outcome, play_deals
from dizhu.bots.arena.report import Report
from dizhu.bots.program import kill_all, stop_all
from dizhu.errors import DizhuError

_CHUNKS_PER_PROCESS = 20

Progress = Callable[[int], None]
Job = tuple[int, range]
Done = dict[int, tuple[Outcome, ...]]


def run(match: Match, deals: int, processes: int | None = None, progress: Progress | None = None) -> Report:
    """Play a match; see `run_all`."""
    return run_all([match], deals, processes, progress)[0]


def run_all(
    matches: Sequence[Match], deals: int, processes: int | None = None, progress: Progress | None = None
) -> list[Report]:
    """Play matches, each on as many deals; `progress` is told how many deals are done, of all matches together.

    Raises UnknownName, or DizhuError: `bad_number`, `no_landlord`, `bad_program`.
    """
    if deals < 1:
        raise DizhuError("bad_number", f"the number of deals must be at least 1, not {deals}")
    for match in matches:
        match.check()
    processes = min(processes or os.cpu_count() or 1, deals)
    jobs = [(place, chunk) for place in range(len(matches)) for chunk in _chunks(deals, processes)]
    done: list[Done] = [{} for _ in matches]
    for place, results in _spread(matches, jobs, processes):
        done[place].update(results)
        if progress:
            progress(sum(map(len, done)))
    return [
        Report(match, tuple(played[number] for number in range(deals)))
        for match, played in zip(matches, done, strict=True)
    ]


def _chunks(deals: int, processes: int) -> list[range]:
    size = max(1, deals // (processes * _CHUNKS_PER_PROCESS))
    return [range(at, min(at + size, deals)) for at in range(0, deals, size)]


def _spread(matches: Sequence[Match], jobs: list[Job], processes: int) -> Iterator[tuple[int, Done]]:
    if processes == 1:
        try:
            for place, chunk in jobs:
                yield place, play_deals(matches[place], chunk)
        finally:
            stop_all()
        return
    others = active_children()
    with ProcessPoolExecutor(processes, get_context("spawn"), _begin_worker) as pool:
        try:
            places = {pool.submit(play_deals, matches[place], chunk): place for place, chunk in jobs}
            for future in as_completed(places):
                yield places[future], future.result()
        except BaseException:
            # The chunks that are still to come would be waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                if worker not in others:
                    worker.terminate()
            raise


def _begin_worker() -> None:
    """Let a worker end at once and without a word, and no program of its outlive it.

    By default Ctrl+C would let it go on with its next chunk, and it would wait for ever for a parent that was killed.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end_worker)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_worker(number: int, _frame: FrameType | None) -> None:
    kill_all()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    kill_all()
    os._exit(1)
