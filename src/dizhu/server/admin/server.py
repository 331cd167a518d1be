"""What may be done with the whole server: its ledger, its tables, its secrets."""

from __future__ import annotations

import argparse

from sqlalchemy import select

from dizhu.errors import DizhuError
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.admin.said import Said, moment
from dizhu.server.clock import Clock
from dizhu.server.economy.check import check as check_ledger
from dizhu.server.economy.days import DAY
from dizhu.server.store import schema
from dizhu.server.store.database import Database
from dizhu.server.store.log import Deal, Log, Seats, Sitting, Written
from dizhu.server.store.pruning import prune as prune_log

_table = schema.table.c


async def check(database: Database, _: argparse.Namespace) -> Said:
    """Go through the ledger: one line if it is in order, else a line for each fault."""
    async with database.reading() as connection:
        audit = await check_ledger(connection)
    return Said(audit.faults, 1) if audit.faults else Said((str(audit),))


async def tables(database: Database, _: argparse.Namespace) -> Said:
    """List the tables that are open: where each stands, since when, at which hand, and who sits there."""
    query = select(_table.id, _table.room, _table.variant, _table.code, _table.created_at)
    async with database.reading() as connection:
        rows = (await connection.execute(query.where(_table.closed_at.is_(None)).order_by(_table.created_at))).all()
    if not rows:
        return Said(("no table is open",))
    log = Log(database)
    lines: list[str] = []
    for row in rows:
        hand, people = _now(await log.load(row.id))
        place = row.room or (f"private {row.code}" if row.code else "practice")
        lines.append(f"{row.id}  {row.variant}  {place}  {moment(row.created_at)}  hand {hand}  {people}")
    return Said(tuple(lines))


def _now(entries: list[Written]) -> tuple[int, str]:
    """Read from a table's log at which hand it is, and who sits there."""
    hand, seats = 0, tuple[Sitting | None, ...]()
    for written in entries:
        match written.entry:
            case Deal(hand=number):
                hand = number
            case Seats(seats=sitting):
                seats = sitting
            case _:
                pass
    return hand, ", ".join(_who(sitting) for sitting in seats)


def _who(sitting: Sitting | None) -> str:
    if sitting is None:
        return "nobody"
    return f"bot {sitting.name}" if sitting.account is None else f"{sitting.name} ({sitting.account})"


async def close(database: Database, options: argparse.Namespace) -> Said:
    """Close a table for good, by its id or its code."""
    named = (_table.id == options.table) | (_table.code == options.table.upper())
    async with database.reading() as connection:
        found = await connection.execute(select(_table.id).where(named, _table.closed_at.is_(None)))
        table = found.scalar_one_or_none()
    if table is None:
        raise DizhuError("unknown_table", f"no table {options.table!r:.60} is open")
    await Log(database).close(table, Clock().wall())
    return Said((f"table {table} is closed",))


async def prune(database: Database, options: argparse.Namespace) -> Said:
    """Forget how closed tables and hands long over were played, and old sessions; hands and the ledger stay."""
    deleted = await prune_log(database, Clock().wall() - options.days * DAY)
    sessions = await DatabaseAccounts(database).forget_expired_sessions()
    return Said(
        (
            f"{deleted} entries older than {options.days} days are deleted",
            f"{sessions} sessions that nobody used for a year are deleted",
        )
    )


async def rotate_secrets(database: Database, options: argparse.Namespace) -> Said:
    """Make new secrets; everybody has to log in again, and guests are gone."""
    if not options.yes:
        message = "new secrets end all sessions, and guests never get theirs back; say --yes if that is meant"
        raise DizhuError("not_confirmed", message)
    await DatabaseAccounts(database).rotate_secrets()
    return Said(("there are new secrets; all sessions have ended",))
