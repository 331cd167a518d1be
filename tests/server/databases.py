"""Databases for tests: `database_url` is SQLite in a file, then PostgreSQL, each fresh.

PostgreSQL is an instance of its own, in a temporary folder and on a free port; none that happens to run is ever used.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import asyncpg
import pytest

USER = "postgres"
PATIENCE = 60.0
MEMORY = Path("/dev/shm")
ENOUGH = 1 << 30
# Nothing that a test does has to outlive a power cut.
QUICK = ("fsync=off", "full_page_writes=off")
# It ends with whoever started it, even if that one was killed: then the end of the input comes. Nothing is tidied up.
UNTIL_INPUT_ENDS = '"$@" </dev/null & read -r _; kill -QUIT $!; wait $!'


@dataclass
class PostgreSQL:
    """A running instance. `pid_file`: the first line is the number of its process."""

    port: int
    data: Path
    settings: tuple[str, ...]
    _process: subprocess.Popen[bytes] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"

    def url(self, name: str) -> str:
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{name}"

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """Make an empty database, which is gone at the end; tells its URL."""
        name = f"test_{next(self._numbers)}"
        asyncio.run(self._execute(f"CREATE DATABASE {name}"))
        yield self.url(name)
        asyncio.run(self._execute(f"DROP DATABASE {name} WITH (FORCE)"))

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        programs = _programs()
        assert programs is not None
        own = (f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.data.parent}")
        options = [word for setting in (*own, *self.settings) for word in ("-c", setting)]
        command = ["sh", "-c", UNTIL_INPUT_ENDS, "sh", str(programs / "postgres"), "-D", str(self.data), *options]
        log = self.data.parent / "log"
        with log.open("a") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=output, stderr=output, user=_owner(), cwd=self.data.parent
            )
        deadline = time.monotonic() + PATIENCE
        while not (self.pid_file.is_file() and "ready" in self.pid_file.read_text()):
            if self._process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"PostgreSQL did not start: {log.read_text()}")
            time.sleep(0.02)

    def stop(self) -> None:
        """End it at once, whatever it is doing."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


def missing() -> str | None:
    """Say what PostgreSQL lacks here to be started by a test, if anything."""
    if _programs() is None:
        return "there is no PostgreSQL server here; scripts/system-packages installs it"
    if os.getuid() == 0 and _owner() is None:
        return f"PostgreSQL does not run as root, and there is no user {USER}"
    return None


@contextmanager
def running_postgresql(*settings: str) -> Iterator[PostgreSQL]:
    """Start an instance with settings as `fsync=on`, and stop it at the end; skips the test where it cannot be."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    with _folder() as folder:
        if (owner := _owner()) is not None:
            os.chown(folder, owner, -1)
        data = folder / "data"
        _initialise(data)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        instance = PostgreSQL(port, data, settings)
        instance.start()
        try:
            yield instance
        finally:
            instance.stop()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """One instance for all tests of a process."""
    with running_postgresql(*QUICK) as instance:
        yield instance


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database in which nothing is yet, not even tables: `opened` makes them."""
    if request.param == "sqlite":
        with _folder() as folder:
            yield f"sqlite:///{folder / 'dizhu.sqlite3'}"
    else:
        instance: PostgreSQL = request.getfixturevalue("postgresql")
        with instance.fresh() as url:
            yield url


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder that is gone at the end: in memory where there is enough, for disks are slow to write."""
    enough = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH
    with tempfile.TemporaryDirectory(prefix="dizhu-test-", dir=MEMORY if enough else None) as folder:
        yield Path(folder)


def _programs() -> Path | None:
    """Find the folder of the newest server's programs; Debian keeps them off the PATH."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return next((folder for folder in reversed(folders) if (folder / "initdb").is_file()), None)


def _owner() -> int | None:
    """Find whom it has to run as, if not as whoever runs the tests."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam(USER).pw_uid
    except KeyError:
        return None


def _initialise(data: Path) -> None:
    programs = _programs()
    assert programs is not None
    subprocess.run(
        [
            programs / "initdb",
            "--pgdata",
            data,
            "--username",
            USER,
            "--auth=trust",
            "--no-sync",
            "--no-locale",
            "-EUTF8",
        ],
        user=_owner(),
        cwd=data.parent,
        check=True,
        capture_output=True,
    )
