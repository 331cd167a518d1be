"""Who does not want to meet whom, and what players report of each other."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.store import schema
from dizhu.server.store.database import Database


@dataclass(frozen=True, slots=True)
class Report:
    """What one account says of another; `at` is in milliseconds since 1970."""

    account_id: int
    other_id: int
    at: int
    table_id: str
    reason: str
    words: str


class Social:
    """Blocks and reports. Writing raises StoreFailed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def block(self, account: int, other: int, at: int, *, on: bool) -> None:
        """Block an account, or no more."""
        columns = schema.block.c

        async def job(connection: AsyncConnection) -> None:
            same = (columns.account_id == account) & (columns.other_id == other)
            await connection.execute(delete(schema.block).where(same))
            if on:
                await connection.execute(insert(schema.block), {"account_id": account, "other_id": other, "at": at})

        await self._database.writer.run(job)

    async def apart(self, account: int) -> frozenset[int]:
        """List whom an account has blocked and who has blocked it."""
        columns = schema.block.c
        query = select(columns.account_id, columns.other_id).where(
            or_(columns.account_id == account, columns.other_id == account)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return frozenset({one for row in rows for one in row} - {account})

    async def blocked(self, account: int) -> frozenset[int]:
        """List whom an account has blocked."""
        query = select(schema.block.c.other_id).where(schema.block.c.account_id == account)
        async with self._database.reading() as connection:
            return frozenset((await connection.execute(query)).scalars())

    async def report(self, report: Report) -> None:
        """Keep a report."""

        async def job(connection: AsyncConnection) -> None:
            await connection.execute(insert(schema.report), asdict(report))

        await self._database.writer.run(job)
