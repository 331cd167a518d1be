"""The steps from one schema to the next, done at start. A step that was released is never changed."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from dizhu.errors import DizhuError

_LOCK = 0x64697A6875
"""Held in PostgreSQL during a migration, so that only one of several servers does it."""


def migrate(connection: Connection) -> None:
    """Bring a database up to date within the open transaction. Raises DizhuError `database_newer`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DizhuError("database_newer", f"the database was made by a newer dizhu: {error}") from None
