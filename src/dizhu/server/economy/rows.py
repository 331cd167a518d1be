"""A statement that SQLite and PostgreSQL share, but SQLAlchemy writes for each of them by another name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def add(connection: AsyncConnection, table: Table, row: Mapping[str, object]) -> int | None:
    """Insert a row and return its number; None if there is one in its place already, also one that just comes to be."""
    return (await connection.execute(_insert(connection, table).returning(table.c.id), row)).scalar()


async def add_missing(connection: AsyncConnection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert those rows in whose place there is none."""
    await connection.execute(_insert(connection, table), rows)


def _insert(connection: AsyncConnection, table: Table) -> Insert:
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()
