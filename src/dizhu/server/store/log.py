"""What happened at the tables: appended before anyone is told of it, and read again after a stop.

A table begins with who sits there and the seed of its first deal. Each deal is written with who sits there then and
with the seed of the deal after it, whose commitment the players may know meanwhile. So whatever a table is made of
stands in its newest deal, the entry before it, and what follows.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import msgspec
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server import metrics
from dizhu.server.store import schema
from dizhu.server.store.database import Database
from dizhu.server.store.writer import EventRow, put_events

T = TypeVar("T")

_AT_ONCE = 500
"""How many values one statement names: databases have a limit."""


class Sitting(msgspec.Struct, frozen=True):
    """Somebody on a seat: a person by his account, or a bot by its kind."""

    name: str
    account: int | None
    bot: str | None
    score: int


class Seats(msgspec.Struct, tag="seats", frozen=True):
    """Who sits on each seat; null: nobody."""

    seats: tuple[Sitting | None, ...]


class Seed(msgspec.Struct, tag="seed", frozen=True):
    """The seed of a deal to come, as hex; a secret until that hand has ended."""

    hand: int
    seed: str


class Deal(msgspec.Struct, tag="deal", frozen=True):
    """A hand began. Seed, entropy and first seat give the cards. `beans`: what each seat could lose, if anything.

    `told`: the number of the event that told of it. `refused`: deals before it that nobody wanted.
    """

    hand: int
    seed: str
    entropy: tuple[str, ...]
    first: int
    beans: tuple[int, ...] | None
    refused: int
    told: int


class Act(msgspec.Struct, tag="act", frozen=True):
    """A seat carried out an action. `told`: the number of the last event that told of it."""

    seat: int
    action: str
    told: int


Entry = Seats | Seed | Deal | Act


@dataclass(frozen=True, slots=True)
class Written:
    """An entry as it stands in the log of its table, numbered from 1; `at` is in milliseconds since 1970."""

    seq: int
    at: int
    entry: Entry


class Raw(NamedTuple):
    """An entry as the database has it, unread."""

    seq: int
    at: int
    data: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table as it was opened. `options`: those of its game that are not the usual ones."""

    id: str
    room: str | None
    variant: str
    options: dict[str, bool | int | str]
    code: str | None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder[Entry](Entry).decode

Finish = Callable[[AsyncConnection], Awaitable[T]]
"""What else has to be done in the transaction of the last event of a hand."""


class Log:
    """The logs of all tables. Every method returns when what it wrote is safe; raises StoreFailed if it is not."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, table: TableRow, entries: Sequence[Written]) -> None:
        """Begin the log of a table."""
        at = entries[0].at

        async def job(connection: AsyncConnection) -> None:
            known = select(schema.table.c.id).where(schema.table.c.id == table.id)
            if (await connection.execute(known)).one_or_none() is None:
                row = {
                    "id": table.id,
                    "room": table.room,
                    "variant": table.variant,
                    "options": json.dumps(table.options),
                    "code": table.code,
                    "created_at": at,
                }
                await connection.execute(insert(schema.table), row)
                await put_events(connection, _rows(table.id, entries))

        await self._database.writer.run(job)

    async def append(self, table: str, entries: Sequence[Written]) -> None:
        """Append entries, all or none."""
        await self._database.writer.append(_rows(table, entries))

    async def finish(self, table: str, entries: Sequence[Written], finish: Finish[T]) -> T:
        """Append the last entries of a hand, and do in the same transaction what its end brings about."""

        async def job(connection: AsyncConnection) -> T:
            await put_events(connection, _rows(table, entries))
            return await finish(connection)

        result = await self._database.writer.run(job)
        metrics.hand_finished()
        return result

    async def close(self, table: str, at: int) -> None:
        """No more entries will come from this table."""

        async def job(connection: AsyncConnection) -> None:
            rows = update(schema.table).where(schema.table.c.id == table, schema.table.c.closed_at.is_(None))
            await connection.execute(rows.values(closed_at=at, code=None))

        await self._database.writer.run(job)

    async def unfinished(self) -> list[TableRow]:
        """List the tables that were not closed."""
        columns = schema.table.c
        query = select(columns.id, columns.room, columns.variant, columns.options, columns.code)
        async with self._database.reading() as connection:
            rows = await connection.execute(query.where(columns.closed_at.is_(None)).order_by(columns.id))
            return [TableRow(row.id, row.room, row.variant, json.loads(row.options), row.code) for row in rows]

    async def closed(self, tables: Sequence[str]) -> list[str]:
        """Tell which of these tables have been closed, by whomever."""
        columns = schema.table.c
        found: list[str] = []
        async with self._database.reading() as connection:
            for start in range(0, len(tables), _AT_ONCE):
                some = columns.id.in_(tables[start : start + _AT_ONCE])
                rows = await connection.execute(select(columns.id).where(some, columns.closed_at.is_not(None)))
                found += rows.scalars()
        return found

    async def load(self, table: str) -> list[Written]:
        """Read what a table is made of now, from the entry before its newest deal on."""
        return read((await self.load_all([table]))[table])

    async def load_all(self, tables: Sequence[str]) -> dict[str, list[Raw]]:
        """Read what some tables are made of, as `load`, without looking at it."""
        columns, table = schema.event.c, schema.table.c.id
        newest_deal = select(func.coalesce(func.max(columns.seq), 0)).where(
            columns.table_id == table, columns.kind == "deal"
        )
        loaded: dict[str, list[Raw]] = {name: [] for name in tables}
        async with self._database.reading() as connection:
            for start in range(0, len(tables), _AT_ONCE):
                some = table.in_(tables[start : start + _AT_ONCE])
                since = select(table, (newest_deal.scalar_subquery() - 1).label("seq")).where(some).cte("since")
                query = (
                    select(columns.table_id, columns.seq, columns.at, columns.data)
                    .join_from(since, schema.event, (columns.table_id == since.c.id) & (columns.seq >= since.c.seq))
                    .order_by(columns.table_id, columns.seq)
                )
                for row in await connection.execute(query):
                    loaded[row.table_id].append(Raw(row.seq, row.at, row.data))
        return loaded


def read(rows: Sequence[Raw]) -> list[Written]:
    """Read entries as they stand in the database."""
    return [Written(row.seq, row.at, _decode(row.data)) for row in rows]


def _rows(table: str, entries: Sequence[Written]) -> list[EventRow]:
    return [
        {
            "table_id": table,
            "seq": written.seq,
            "at": written.at,
            "kind": str(written.entry.__struct_config__.tag),
            "data": _encode(written.entry).decode(),
        }
        for written in entries
    ]
