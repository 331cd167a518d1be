"""Servers as processes of their own that start fast: forked from one which has imported everything and opened nothing.

Each is what `dizhu serve` is from there on, with quick bots, without limits and without the browser client.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

BODY = """
import json, os, sys
import alembic.command, aiosqlite, websockets
import sqlalchemy.dialects.postgresql.asyncpg, sqlalchemy.dialects.sqlite.aiosqlite
from pathlib import Path
from dataclasses import replace
from dizhu.errors import DizhuError
from dizhu.server import run
from dizhu.server.rooms import read_rooms
from dizhu.server.store.migrations.versions import step_0001
from server.harness import QUICK

for line in sys.stdin:
    wanted = json.loads(line)
    if isinstance(wanted, int):
        print("ended", os.waitstatus_to_exitcode(os.waitpid(wanted, 0)[1]), flush=True)
        continue
    if not os.fork():
        # It says its number itself: of two that write, either may be first.
        print(os.getpid(), flush=True)
        try:
            rooms = None if wanted["rooms"] is None else read_rooms(Path(wanted["rooms"]))
            settings = replace(QUICK, **wanted["settings"])
            status = run(port=0, settings=settings, database=wanted["database"], rooms=rooms)
        except DizhuError as error:
            print(error.code, flush=True)
            status = 1
        os._exit(status)
# Whoever asked is gone, maybe killed: nothing stays behind.
os.killpg(0, 9)
"""
ADDRESS = re.compile(r"http://(127\.0\.0\.1:\d+)/")


@dataclass
class Process:
    """A server. said: what it said when it ended."""

    pid: int
    nursery: Nursery
    said: list[str] = field(default_factory=list)

    def serve(self) -> str:
        """Wait until it serves; tells its address."""
        line = self.nursery.read()
        found = ADDRESS.search(line)
        assert found, (line, self.nursery.log)
        return found.group(1)

    def end(self, number: int = signal.SIGKILL) -> int:
        """Send it a signal and wait for its end; tells its exit status, negative for a signal."""
        os.kill(self.pid, number)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end; tells its exit status, negative for a signal."""
        self.nursery.ask(self.pid)
        while not (line := self.nursery.read()).startswith("ended"):
            self.said.append(line.strip())
        return int(line.split()[1])


@dataclass
class Nursery:
    """Starts servers."""

    process: subprocess.Popen[str]
    errors: Path

    def start(self, database: str, rooms: Path | None = None, **settings: object) -> Process:
        """Start a server on a free port; it does not serve yet."""
        wanted = {"database": database, "rooms": None if rooms is None else str(rooms), "settings": settings}
        self.ask(wanted)
        return Process(int(self.read()), self)

    def ask(self, wanted: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(wanted) + "\n")
        self.process.stdin.flush()

    def read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log
        return line

    @property
    def log(self) -> str:
        """What the servers said on standard error."""
        return self.errors.read_text()


@contextmanager
def nursery(folder: Path) -> Iterator[Nursery]:
    """Open a nursery; whatever runs in it ends with it."""
    errors = folder / "errors"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with errors.open("w") as output:
        command = [sys.executable, "-c", BODY]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=output, text=True, env=environment,
            start_new_session=True,
        )  # fmt: skip
    try:
        yield Nursery(process, errors)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()
