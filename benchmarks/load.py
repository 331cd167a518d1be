"""How much can one server take? Tables of three people each, on SQLite, all on this machine.

    python benchmarks/load.py                        1,000 tables, 3,000 connections; 1,000 moves a second, three times
    python benchmarks/load.py --knee --plot docs/load.png
                                                     and then faster and faster, until it bends
    python benchmarks/load.py --tables 300 --rate 300 --soak 30
                                                     half an hour at one pace: does memory grow? (In the first ten
                                                     minutes it does: what is remembered has bounds, but fills up.)

What is measured is the time from the command of a move to the moment when the last of the three seats has read what
came of it; in between lie the check of the move and its commit to the disk. Server and players share the machine, and
the processors that each uses are told. A run is bad if a connection was lost, a command refused, or a table stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
SEATS = 3
BAR_MS = 50.0
WARM_UP = 5.0
FASTER = 1.25
STEPS = 12
KEPT_UP = 0.95
SAMPLE = 10.0
FLAT = 0.1
"""Memory may grow by this part of it in an hour, once all that is remembered is full."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Round:
    """What came of one measurement. Times are in milliseconds, processors in whole ones."""

    wanted: float
    moves: float
    p50: float
    p99: float
    worst: float
    server: float
    players: float
    trouble: dict[str, int] = field(default_factory=dict[str, int])

    def __str__(self) -> str:
        trouble = "" if not self.trouble else f"   {self.trouble}"
        return (
            f"{self.wanted:6,.0f} wanted {self.moves:6,.0f} moves/s  p50 {self.p50:6.1f} ms  p99 {self.p99:6.1f} ms  "
            f"worst {self.worst:6.1f} ms  server {self.server:.2f}, players {self.players:.2f} processors{trouble}"
        )


class Server:
    """The server, and what the system knows of its process."""

    def __init__(self, process: subprocess.Popen[str], host: str, port: int) -> None:
        self.host, self.port = host, port
        self._process = process
        self._folder = Path(f"/proc/{process.pid}")

    def check(self) -> None:
        """End here if it has ended."""
        if self._process.poll() is not None:
            sys.exit(f"load: the server has ended with the status {self._process.returncode}")

    def memory(self) -> int:
        """Bytes that it holds in memory."""
        return int((self._folder / "statm").read_text().split()[1]) * PAGE

    def seconds(self) -> float:
        """Time that it has used on all processors."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


class Players:
    """Several processes of players, each with its part of the tables."""

    def __init__(self, processes: Sequence[subprocess.Popen[str]]) -> None:
        self._processes = processes

    def order(self, what: str, values: Sequence[float]) -> list[dict[str, Any]]:
        """Tell each process what to do, and wait until all have done it."""
        for process, value in zip(self._processes, values, strict=True):
            assert process.stdin is not None
            process.stdin.write(json.dumps({what: value}) + "\n")
            process.stdin.flush()
        answers: list[dict[str, Any]] = []
        for process in self._processes:
            assert process.stdout is not None
            answer = process.stdout.readline()
            if not answer:
                sys.exit("load: the players have failed")
            answers.append(json.loads(answer))
        return answers

    def seat(self, tables: int) -> None:
        """Seat so many tables more."""
        self.order("seat", [len(range(part, tables, len(self._processes))) for part in range(len(self._processes))])

    def pace(self, rate: float) -> None:
        """Play at a pace from now on, and let things settle."""
        self.order("rate", [rate / len(self._processes)] * len(self._processes))
        time.sleep(WARM_UP)

    def measure(self, server: Server, rate: float, seconds: float) -> Round:
        """Measure for a while at the present pace."""
        begun, used = time.perf_counter(), server.seconds()
        answers = self.order("measure", [seconds] * len(self._processes))
        server.check()
        used, spent = server.seconds() - used, time.perf_counter() - begun
        moves = sorted(move / 1000 for answer in answers for move in answer["moves"]) or [float("inf")]
        trouble: dict[str, int] = {}
        for answer in answers:
            for name, count in [("lost", answer["lost"]), ("stuck", answer["stuck"]), *answer["refused"].items()]:
                if count:
                    trouble[name] = trouble.get(name, 0) + count
        return Round(
            wanted=rate,
            moves=len(moves) / spent,
            p50=moves[len(moves) // 2],
            p99=moves[min(len(moves) - 1, len(moves) * 99 // 100)],
            worst=moves[-1],
            server=used / spent,
            players=sum(answer["processor"] for answer in answers),
            trouble=trouble,
        )


@contextmanager
def serving() -> Generator[Server]:
    """Start a server on a database of its own."""
    with tempfile.TemporaryDirectory(prefix="dizhu-load-") as folder:
        command = [sys.executable, str(HERE / "load_server.py"), f"sqlite:///{folder}/dizhu.sqlite3"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                told = re.search(r"http://([\d.]+):(\d+)/", process.stdout.readline())
                if told is None:
                    sys.exit("load: the server did not start")
                yield Server(process, told.group(1), int(told.group(2)))
            finally:
                process.terminate()


@contextmanager
def playing(server: Server, count: int) -> Generator[Players]:
    """Start processes of players."""
    command = [sys.executable, str(HERE / "load_client.py"), server.host, str(server.port)]
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        processes = [
            stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)) for _ in range(count)
        ]
        try:
            yield Players(processes)
        finally:
            for process in processes:
                process.terminate()


def open_files(needed: int) -> None:
    """Let this process and its children open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        sys.exit(f"load: {needed} open files are needed, and the system allows {hard} (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, needed), hard))


def runs(server: Server, players: Players, options: argparse.Namespace) -> list[Round]:
    """Measure several times at the pace that is asked for."""
    players.pace(options.rate)
    rounds: list[Round] = []
    for _ in range(options.runs):
        rounds.append(players.measure(server, options.rate, options.seconds))
        print(rounds[-1], flush=True)
    return rounds


def knee(server: Server, players: Players, options: argparse.Namespace) -> list[Round]:
    """Play faster and faster until the answers are late or the pace is not kept up."""
    rounds: list[Round] = []
    # Slower than this, the clocks of the tables would run out.
    rate = max(options.tables / 8, options.rate / 4)
    for _ in range(STEPS):
        players.pace(rate)
        rounds.append(players.measure(server, rate, options.seconds))
        print(rounds[-1], flush=True)
        if rounds[-1].p99 > 4 * BAR_MS or rounds[-1].moves < KEPT_UP * rate:
            break
        rate *= FASTER
    return rounds


def soak(server: Server, players: Players, options: argparse.Namespace) -> list[tuple[float, float]]:
    """Play for long at one pace; returns minutes and megabytes."""
    players.pace(options.rate)
    begun = time.monotonic()
    samples: list[tuple[float, float]] = []
    while time.monotonic() < begun + options.soak * 60:
        played = players.measure(server, options.rate, SAMPLE)
        samples.append(((time.monotonic() - begun) / 60, server.memory() / 1e6))
        print(f"{samples[-1][0]:6.1f} min  {samples[-1][1]:7.1f} MB  {played}", flush=True)
    return samples


def growth(samples: Sequence[tuple[float, float]]) -> float:
    """Megabytes an hour in the second half, by the medians of its quarters."""
    half = samples[len(samples) // 2 :]
    first, second = half[: len(half) // 2], half[len(half) // 2 :]
    if not first:
        return 0.0
    hours = (median(at for at, _ in second) - median(at for at, _ in first)) / 60
    return (median(size for _, size in second) - median(size for _, size in first)) / hours


def plot(rounds: Sequence[Round], file: Path) -> None:
    """Draw how late moves are at which pace. Needs matplotlib (`pip install 'dizhu[bench]'`)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    pace = [each.moves for each in rounds]
    axes.plot(pace, [each.p99 for each in rounds], marker="o", label="99 of 100 moves")
    axes.plot(pace, [each.p50 for each in rounds], marker="o", label="half of all moves")
    axes.axhline(BAR_MS, color="grey", linestyle="--", linewidth=1)
    axes.set(xlabel="moves a second", ylabel="ms until all three seats know", yscale="log")
    axes.legend(frameon=False)
    figure.savefig(file, dpi=150)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="How much can one server take?")
    parser.add_argument("--tables", type=int, default=1000, help="tables of three connections (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=1000, help="moves a second (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=3, help="measurements; the median counts (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="length of a measurement (default: %(default)s)")
    parser.add_argument("--players", type=int, default=1, help="processes of players (default: %(default)s)")
    parser.add_argument("--knee", action="store_true", help="find out where it bends")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="play for long, and watch memory")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the knee")
    options = parser.parse_args()
    if options.plot and (not options.knee or find_spec("matplotlib") is None):
        parser.error("--plot goes with --knee, and needs matplotlib: pip install 'dizhu[bench]'")
    return options


def main() -> int:
    """Measure; the exit status is 1 if the bar was not reached or something went wrong."""
    options = arguments()
    open_files(SEATS * options.tables + 200)
    with serving() as server, playing(server, options.players) as players:
        empty = server.memory()
        begun = time.perf_counter()
        players.seat(options.tables)
        connections = SEATS * options.tables
        each = (server.memory() - empty) / connections
        print(f"{connections:,} connections at {options.tables:,} tables in {time.perf_counter() - begun:.1f} s")
        figures: dict[str, Any] = {"tables": options.tables, "bytes_a_connection": round(each)}
        if options.soak:
            samples = soak(server, players, options)
            grown = growth(samples)
            good = grown <= FLAT * samples[-1][1]
            print(f"memory: {grown:+.1f} MB an hour in the second half, {'flat' if good else 'NOT flat'}")
            figures["soak"] = samples
        else:
            rounds = runs(server, players, options)
            late = median(one.p99 for one in rounds)
            good = late <= BAR_MS and not any(one.trouble for one in rounds)
            verdict = "good" if good else "NOT good"
            print(f"p99, median of {len(rounds)}: {late:.1f} ms, {verdict}: the bar is {BAR_MS:.0f} ms")
            figures["runs"] = [asdict(one) for one in rounds]
        playing_each = (server.memory() - empty) / connections
        print(f"memory: {each / 1024:.1f} KiB a connection when seated, {playing_each / 1024:.1f} KiB when playing")
        figures["bytes_a_connection_playing"] = round(playing_each)
        if options.knee:
            bent = knee(server, players, options)
            figures["knee"] = [asdict(one) for one in bent]
            if options.plot:
                plot(bent, options.plot)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
