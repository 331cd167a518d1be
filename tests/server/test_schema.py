"""The migrations build the schema that the statements are made from."""

from __future__ import annotations

import asyncio
from typing import Any

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.store import schema
from dizhu.server.store.database import opened


def differences(connection: Connection) -> list[Any]:
    """Compare what Alembic compares, and the checks, which it does not."""
    found: list[Any] = list(compare_metadata(MigrationContext.configure(connection), schema.metadata))
    built = checks(connection)
    schema.metadata.drop_all(connection)
    schema.metadata.create_all(connection)
    meant = checks(connection)
    return found + [(name, built[name], meant[name]) for name in meant if built[name] != meant[name]]


def checks(connection: Connection) -> dict[str, Any]:
    """The checks of each table."""
    inspector = inspect(connection)
    return {name: inspector.get_check_constraints(name) for name in schema.metadata.tables}


def test_the_migrations_build_the_schema(database_url: str):
    async def compare(connection: AsyncConnection) -> list[Any]:
        return await connection.run_sync(differences)

    async def run() -> list[Any]:
        async with opened(database_url) as database:
            return await database.writer.run(compare)

    assert asyncio.run(run()) == []
