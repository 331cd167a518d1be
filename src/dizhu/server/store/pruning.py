"""Taking out of the log what no table will be built from again; finished hands and the ledger are kept elsewhere."""

from __future__ import annotations

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.store import schema
from dizhu.server.store.database import Database

_TABLES_AT_ONCE = 20
"""Of one transaction, so that a server that is running does not wait for long."""

_event = schema.event.c
_table = schema.table.c


async def prune(database: Database, before: int) -> int:
    """Delete the entries of tables closed before a time, and those of open tables before then and before their hand.

    before: milliseconds since 1970. Returns how many entries there were. Raises StoreFailed.
    """
    logged = select(_event.table_id).where(_event.table_id == _table.id).exists()
    tables = select(_table.id, _table.closed_at).where(_table.created_at < before, logged).order_by(_table.id)
    async with database.reading() as connection:
        rows = (await connection.execute(tables)).all()
    gone = [row.id for row in rows if row.closed_at is not None and row.closed_at < before]
    open_ones = [row.id for row in rows if row.closed_at is None]
    deleted = 0
    for start in range(0, len(gone), _TABLES_AT_ONCE):
        some = gone[start : start + _TABLES_AT_ONCE]
        deleted += await database.writer.run(lambda connection, some=some: _delete_all(connection, some))
    for table in open_ones:
        deleted += await database.writer.run(lambda connection, table=table: _delete_past(connection, table, before))
    return deleted


async def _delete_all(connection: AsyncConnection, tables: list[str]) -> int:
    return (await connection.execute(delete(schema.event).where(_event.table_id.in_(tables)))).rowcount


async def _delete_past(connection: AsyncConnection, table: str, before: int) -> int:
    """Leave the newest deal, the entry before it, and what follows: that is what the table is made of."""
    newest = select(func.max(_event.seq)).where(_event.table_id == table, _event.kind == "deal").scalar_subquery()
    past = (_event.table_id == table, _event.at < before, _event.seq < newest - 1)
    return (await connection.execute(delete(schema.event).where(*past))).rowcount
