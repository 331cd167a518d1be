"""What a player has done: his profile, and the hands he has played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.game.titles import Ladder, step
from dizhu.server.economy.ladders import rank_of
from dizhu.server.economy.ledger import purse
from dizhu.server.store.schema import HOUSE, account, entry, hand, hand_seat


@dataclass(frozen=True, slots=True)
class Tally:
    """Hands of some kind, and how many of them were won."""

    game: str
    role: str
    hands: int
    won: int


@dataclass(frozen=True, slots=True)
class Rung:
    """Where a player stands on a ladder. Titles are steps from 0; `highest_title` is the best that he ever had.

    rank: None for who has no points there yet.
    """

    points: int
    rank: int | None
    title: int
    highest_title: int


@dataclass(frozen=True, slots=True)
class Profile:
    """A player: what everybody may know of him.

    tallies: by game and by role (landlord, farmer, none), hands of private tables included.
    best_multiplier: the largest of the hands he won, 0 if there is none.
    """

    account: int
    name: str
    claimed: bool
    since: int
    beans: int
    three_player: Rung
    five_player: Rung
    tallies: tuple[Tally, ...]
    best_multiplier: int


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that a player has played. room: None at a private table. beans: what he gained after the fee.

    id: rises from hand to hand, for paging.
    """

    id: int
    share: str
    variant: str
    room: str | None
    ended_at: int
    multiplier: int
    seat: int
    role: str
    won: bool
    points: int
    beans: int


async def profile(connection: AsyncConnection, who: int) -> Profile:
    """Collect what a player has done. Raises DizhuError `unknown_account`."""
    query = select(account).where(account.c.id == who, account.c.id != HOUSE, account.c.deleted_at.is_(None))
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise DizhuError("unknown_account", f"there is no account {who}")
    owned = await purse(connection, who)
    best = select(func.max(hand.c.multiplier)).join_from(hand, hand_seat)
    best = best.where(hand_seat.c.account_id == who, hand_seat.c.won == 1)
    return Profile(
        account=who,
        name=row.name,
        claimed=row.name_key is not None,
        since=row.created_at,
        beans=owned.beans,
        three_player=await _rung(connection, who, "three_player", owned.three_player),
        five_player=await _rung(connection, who, "five_player", owned.five_player),
        tallies=await _tallies(connection, who),
        best_multiplier=(await connection.execute(best)).scalar_one() or 0,
    )


async def history(connection: AsyncConnection, who: int, count: int, before: int | None = None) -> list[PlayedHand]:
    """List the newest hands of a player; `before`: only those before the hand of that id, for the next page."""
    query = (
        select(
            hand.c.id,
            hand.c.share,
            hand.c.variant,
            hand.c.room,
            hand.c.ended_at,
            hand.c.multiplier,
            hand_seat.c.seat,
            hand_seat.c.role,
            hand_seat.c.won,
            hand_seat.c.points,
            hand_seat.c.beans,
        )
        .join_from(hand_seat, hand)
        .where(hand_seat.c.account_id == who)
        .order_by(hand_seat.c.hand_id.desc())
        .limit(count)
    )
    if before is not None:
        query = query.where(hand_seat.c.hand_id < before)
    rows = (await connection.execute(query)).all()
    return [PlayedHand(*row[:8], won=bool(row.won), points=row.points, beans=row.beans) for row in rows]


async def _tallies(connection: AsyncConnection, who: int) -> tuple[Tally, ...]:
    query = (
        select(hand.c.variant, hand_seat.c.role, func.count(), func.sum(hand_seat.c.won))
        .join_from(hand_seat, hand)
        .where(hand_seat.c.account_id == who)
        .group_by(hand.c.variant, hand_seat.c.role)
        .order_by(hand.c.variant, hand_seat.c.role)
    )
    return tuple(Tally(game, role, hands, int(won)) for game, role, hands, won in await connection.execute(query))


async def _rung(connection: AsyncConnection, who: int, ladder: Ladder, points: int) -> Rung:
    """Find the best title among the sums after each transfer."""
    mine: tuple[Any, ...] = (entry.c.account_id == who, entry.c.currency == ladder)
    so_far = func.sum(entry.c.amount).over(order_by=entry.c.transfer_id).label("points")
    sums = select(so_far).where(*mine).subquery()
    highest = (await connection.execute(select(func.max(sums.c.points)))).scalar_one()
    if highest is None:
        return Rung(points=0, rank=None, title=0, highest_title=0)
    return Rung(
        points=points,
        rank=await rank_of(connection, who, ladder, points),
        title=step(points, ladder),
        highest_title=max(step(int(highest), ladder), step(points, ladder)),
    )
