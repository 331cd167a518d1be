"""All that is kept about one account."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.server.store import schema

AnySelect = Select[*tuple[Any, ...]]
Rows = list[dict[str, Any]]


class Export(Struct, frozen=True, kw_only=True):
    """The rows of each kind, by the names of their columns. No secrets are among them: neither tokens nor passwords."""

    account: dict[str, Any]
    sessions: Rows
    balances: Rows
    entries: Rows
    hands: Rows
    blocked: Rows
    reports: Rows


async def export(connection: AsyncConnection, account: int) -> Export:
    """Collect it. Raises DizhuError `unknown_account`."""
    own = schema.account.c
    found = await _rows(
        connection,
        select(
            own.id,
            own.name,
            own.created_at,
            own.seen_at,
            own.granted_at,
            own.suspended_until,
            own.suspended_because,
            own.deleted_at,
        ).where(own.id == account),
    )
    if not found:
        raise DizhuError("unknown_account", f"there is no account {account}")
    return Export(
        account=found[0], **{name: await _rows(connection, rows) for name, rows in _of_account(account).items()}
    )


def _of_account(account: int) -> dict[str, AnySelect]:
    session, balance, entry, transfer = schema.session.c, schema.balance.c, schema.entry.c, schema.transfer.c
    hand, seat, block, report = schema.hand.c, schema.hand_seat.c, schema.block.c, schema.report.c
    return {
        "sessions": select(session.created_at, session.used_at).where(session.account_id == account),
        "balances": select(balance.currency, balance.amount).where(balance.account_id == account),
        "entries": select(transfer.at, transfer.kind, transfer.hand_id, entry.currency, entry.amount)
        .join(schema.transfer, transfer.id == entry.transfer_id)
        .where(entry.account_id == account)
        .order_by(transfer.id),
        "hands": select(
            hand.share, hand.variant, hand.room, hand.ended_at, seat.seat, seat.role, seat.won, seat.points, seat.beans
        )
        .join(schema.hand, hand.id == seat.hand_id)
        .where(seat.account_id == account)
        .order_by(hand.id),
        "blocked": select(block.other_id, block.at).where(block.account_id == account),
        "reports": select(report.other_id, report.at, report.table_id, report.reason, report.words).where(
            report.account_id == account
        ),
    }


async def _rows(connection: AsyncConnection, statement: AnySelect) -> Rows:
    return [dict(row) for row in (await connection.execute(statement)).mappings()]
