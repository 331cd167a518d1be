"""A server that cannot begin: whoever started it is told in a sentence why, and sees no traceback."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dizhu.errors import DizhuError
from dizhu.server import run
from server.harness import QUICK, joined, serving


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with a table at which a hand is being played."""
    path = tmp_path / "dizhu.sqlite3"

    async def play() -> None:
        async with serving(QUICK, database=f"sqlite:///{path}") as server, joined(server) as one:
            await one.sit("classic")

    asyncio.run(play())
    return path


def damage(file: Path, table: str) -> None:
    """Overwrite the first page of a table."""
    with closing(sqlite3.connect(file)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as pages:
        pages.seek((page - 1) * size)
        pages.write(b"\xff" * size)


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)


def refused(database: str, caplog: pytest.LogCaptureFixture) -> DizhuError:
    """Start a server that ends by itself, and tell how."""
    with pytest.raises(DizhuError) as caught:
        run(port=0, settings=QUICK, database=database)
    assert "\n" not in str(caught.value)
    assert not [record for record in caplog.records if record.exc_info or "Traceback" in record.getMessage()]
    return caught.value


def test_a_database_that_fails_when_tables_are_taken_up(file: Path, caplog: pytest.LogCaptureFixture):
    damage(file, "event")
    error = refused(f"sqlite:///{file}", caplog)
    assert (error.code, str(error)) == (
        "database_failed",
        "the tables cannot be taken up: database disk image is malformed",
    )


def test_a_database_that_lacks_something_when_tables_are_taken_up(file: Path, caplog: pytest.LogCaptureFixture):
    change(file, "DROP TABLE event")
    error = refused(f"sqlite:///{file}", caplog)
    assert (error.code, str(error)) == ("database_failed", "the tables cannot be taken up: no such table: event")


def test_a_database_of_a_newer_version(file: Path, caplog: pytest.LogCaptureFixture):
    change(file, "UPDATE alembic_version SET version_num = '9999'")
    assert refused(f"sqlite:///{file}", caplog).code == "database_newer"


def test_what_cannot_be_a_database(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    folder, text = tmp_path / "folder.sqlite3", tmp_path / "text.sqlite3"
    folder.mkdir()
    text.write_text("This is no database, and is long enough to look at. " * 100)
    for path, why in ((folder, "unable to open database file"), (text, "file is not a database")):
        error = refused(f"sqlite:///{path}", caplog)
        assert (error.code, str(error)) == ("database_failed", f"{path}: {why}")
    assert refused("postgresql://nobody@127.0.0.1:1/nothing", caplog).code == "database_failed"
    assert refused("postgresql://nobody@127.0.0.1/nothing?colour=red", caplog).code == "bad_database_url"


def test_a_fault_at_the_start_is_logged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("dizhu.server.app.Lobby", fail)
    with pytest.raises(SystemExit):
        run(port=0, settings=QUICK, database=f"sqlite:///{tmp_path}/dizhu.sqlite3")
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ZeroDivisionError]
    assert not [record for record in caplog.records if "secret" in record.getMessage()]
