"""A copy of a SQLite database, made while the server goes on."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import URL

from dizhu.errors import DizhuError
from dizhu.server.admin.said import Said

_OWNER_ONLY = 0o600


def backup(url: URL, file: Path) -> Said:
    """Copy a database as it is at one moment into a new file, which nobody else can read: it holds secrets.

    Raises DizhuError: backup_elsewhere (PostgreSQL has a program of its own), backup_failed.
    """
    if url.get_backend_name() != "sqlite":
        command = f"pg_dump --format=custom --file={file} {url.database}"
        raise DizhuError("backup_elsewhere", f"PostgreSQL makes its backups itself, as with: {command}")
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ONLY))
    except OSError as error:
        raise DizhuError("backup_failed", f"{file}: {error.strerror}") from None
    try:
        _copy(str(url.database), file)
    except BaseException as error:
        file.unlink()
        if isinstance(error, sqlite3.Error):
            raise DizhuError("backup_failed", f"the copy was not made: {error}") from None
        raise
    return Said((f"{file}: {file.stat().st_size} bytes",))


def _copy(database: str, file: Path) -> None:
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(file)) as target:
        source.backup(target)
        # One file is all there is to keep, without a journal beside it.
        target.execute("PRAGMA journal_mode = DELETE")
        (found,) = target.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise DizhuError("backup_failed", f"the copy is damaged, and so may be the database: {found}")
