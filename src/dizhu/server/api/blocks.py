"""Whom the player who asks has blocked, and no more."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import select

from dizhu.server.api.endpoint import Answer, Call, Done, Endpoint, Id, Nothing, Request
from dizhu.server.store.schema import account, block
from dizhu.server.store.social import Social


class WhichAccount(Request, frozen=True):
    """The number of an account."""

    account: Id


class Blocked(Struct, frozen=True):
    """An account that was blocked. `at`: when, in milliseconds since 1970."""

    account: int
    name: str
    at: int


class Blocks(Answer, frozen=True):
    """All that were blocked, the newest first."""

    blocks: tuple[Blocked, ...]


async def list_blocks(call: Call[Nothing]) -> Blocks:
    """List whom the player who asks has blocked."""
    query = (
        select(account.c.id, account.c.name, block.c.at)
        .join_from(block, account, account.c.id == block.c.other_id)
        .where(block.c.account_id == call.account.id)
        .order_by(block.c.at.desc(), account.c.id)
    )
    async with call.database.reading() as connection:
        rows = (await connection.execute(query)).all()
    return Blocks(tuple(Blocked(row.id, row.name, row.at) for row in rows))


async def unblock(call: Call[WhichAccount]) -> Done:
    """Block an account no more; it is heard again from the next table on."""
    await Social(call.database).block(call.account.id, call.request.account, call.clock.wall(), on=False)
    return Done()


ENDPOINTS = (
    Endpoint("GET", "/api/blocks", list_blocks, Nothing, Blocks),
    Endpoint("DELETE", "/api/blocks", unblock, WhichAccount, Done, rate="writes"),
)
