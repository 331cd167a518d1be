"""The end of a hand: it is kept, and what it is worth is booked, in the transaction of its last event."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.game.engine import Game
from dizhu.game.titles import step
from dizhu.game.view import Result
from dizhu.server.economy.ledger import Currency, Entry, Place, balances_after, book, locked
from dizhu.server.economy.rows import add
from dizhu.server.economy.settle import Settlement, settle_beans, settle_points
from dizhu.server.rooms import Room
from dizhu.server.store import schema
from dizhu.server.store.schema import HOUSE

_SHARE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Player:
    """Who takes the result of a seat; account None: a bot."""

    name: str
    account: int | None


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand that has a result.

    table: the id of its row. number: of the hand at that table. room: None where hands count for nothing.
    players: by seat. at: when it ended, in milliseconds since 1970.
    """

    table: str
    number: int
    game: Game
    room: Room | None
    players: tuple[Player, ...]
    at: int


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """What a hand brought a seat, in the currency of the room (0 where hands count for nothing).

    balance: what its player had after that. title_before, title_after: his step on the ladder, from 0 (see
    `dizhu.game.titles`). Both are None for a bot and where nothing counts, titles also in a room for beans.
    """

    change: int
    balance: int | None
    title_before: int | None
    title_after: int | None


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """What came of a hand.

    share: the name of its replay, which nobody can guess. currency: None where hands count for nothing.
    """

    share: str
    currency: Currency | None
    seats: tuple[SeatOutcome, ...]


async def finish(connection: AsyncConnection, hand: FinishedHand) -> HandOutcome:
    """Keep a hand and book what it is worth, once: done again, it changes nothing and gives the same outcome.

    Call it in the transaction in which the last event of the hand is written. The row of the table must be there.
    A player who has deleted his account meanwhile is taken for a bot.
    """
    share = secrets.token_urlsafe(_SHARE_BYTES)
    number = await _keep(connection, hand, share)
    if number is None:
        return await _again(connection, hand)
    currency = currency_of(hand)
    accounts = await _present(connection, hand.players)
    settlement = await _settlement(connection, hand, accounts)
    await _keep_seats(connection, hand, number, accounts, settlement.changes)
    balances: dict[Place, int] = {}
    if currency is not None:
        entries = [
            Entry(HOUSE if account is None else account, currency, change)
            for account, change in zip((*accounts, None), (*settlement.changes, settlement.house), strict=True)
            # The house is left alone where it gains nothing: everybody would wait for it.
            if account is not None or change
        ]
        key = hand_key(hand.table, hand.number)
        balances = await book(connection, key, "settlement", entries, hand.at, number) or {}
    return _outcome(
        share,
        currency,
        [
            (change, None if account is None or currency is None else balances[account, currency])
            for account, change in zip(accounts, settlement.changes, strict=True)
        ],
    )


def hand_key(table: str, number: int) -> str:
    """The key of the transfer that settles a hand."""
    return f"hand:{table}:{number}"


def currency_of(hand: FinishedHand) -> Currency | None:
    """What a hand is settled in."""
    if hand.room is None:
        return None
    return "beans" if hand.room.kind == "beans" else hand.game.variant.ladder


async def _keep(connection: AsyncConnection, hand: FinishedHand, share: str) -> int | None:
    """Write down the hand itself; None if it was done before."""
    result = _result(hand)
    row = {
        "share": share,
        "table_id": hand.table,
        "number": hand.number,
        "variant": hand.game.variant.name,
        "room": None if hand.room is None else hand.room.id,
        "ended_at": hand.at,
        "multiplier": min(result.multiplier, hand.game.variant.cap or result.multiplier),
        "record": json.dumps(hand.game.record(), separators=(",", ":")),
    }
    return await add(connection, schema.hand, row)


async def _present(connection: AsyncConnection, players: Sequence[Player]) -> list[int | None]:
    """The accounts by seat, without those that are deleted; none is deleted from here to the end of the transaction."""
    columns = schema.account.c
    accounts = [player.account for player in players]
    people = [account for account in accounts if account is not None]
    query = select(columns.id).where(columns.id.in_(people), columns.deleted_at.is_(None)).with_for_update(read=True)
    there = set((await connection.execute(query)).scalars()) if people else set[int]()
    return [account if account in there else None for account in accounts]


async def _settlement(connection: AsyncConnection, hand: FinishedHand, accounts: Sequence[int | None]) -> Settlement:
    """What each seat gains and loses. Whose beans are at stake has them locked from here on, and so has the house."""
    if hand.room is None or hand.room.kind == "points":
        return settle_points(_result(hand))
    places: set[Place] = {(HOUSE if account is None else account, "beans") for account in (None, *accounts)}
    owned = await locked(connection, places)
    beans = [None if account is None else owned[account, "beans"] for account in accounts]
    return settle_beans(_result(hand), hand.room, beans)


async def _keep_seats(
    connection: AsyncConnection,
    hand: FinishedHand,
    number: int,
    accounts: Sequence[int | None],
    changes: Sequence[int],
) -> None:
    """Write down who played."""
    result, for_beans = _result(hand), currency_of(hand) == "beans"
    rows = [
        {
            "hand_id": number,
            "seat": seat,
            "account_id": account,
            "name": hand.players[seat].name,
            "role": "none" if not result.landlords else "landlord" if seat in result.landlords else "farmer",
            "won": int(seat in result.winners),
            "points": result.points[seat],
            "beans": changes[seat] if for_beans else 0,
        }
        for seat, account in enumerate(accounts)
    ]
    await connection.execute(insert(schema.hand_seat), rows)


async def _again(connection: AsyncConnection, hand: FinishedHand) -> HandOutcome:
    """Read what came of a hand that was finished before, with the balances as they were then."""
    currency = currency_of(hand)
    seats = schema.hand_seat.c
    query = (
        select(schema.hand.c.share, seats.account_id, seats.points, seats.beans)
        .join_from(schema.hand, schema.hand_seat)
        .where(schema.hand.c.table_id == hand.table, schema.hand.c.number == hand.number)
        .order_by(seats.seat)
    )
    rows = (await connection.execute(query)).all()
    balances: dict[int, int] = {}
    if currency is not None:
        people = [row.account_id for row in rows if row.account_id is not None]
        balances = await balances_after(connection, hand_key(hand.table, hand.number), people, currency)
    changes = [row.beans if currency == "beans" else row.points for row in rows]
    return _outcome(
        rows[0].share,
        currency,
        [(change, balances.get(row.account_id)) for row, change in zip(rows, changes, strict=True)],
    )


def _outcome(share: str, currency: Currency | None, seats: Sequence[tuple[int, int | None]]) -> HandOutcome:
    """Put together what came of a hand; `seats`: the change of each, and its player's balance."""
    if currency is None:
        return HandOutcome(share, None, (SeatOutcome(0, None, None, None),) * len(seats))
    return HandOutcome(share, currency, tuple(_seat(change, balance, currency) for change, balance in seats))


def _seat(change: int, balance: int | None, currency: Currency) -> SeatOutcome:
    if balance is None or currency == "beans":
        return SeatOutcome(change, balance, None, None)
    return SeatOutcome(change, balance, step(balance - change, currency), step(balance, currency))


def _result(hand: FinishedHand) -> Result:
    assert hand.game.result is not None, "only a hand that was played to its end is settled"
    return hand.game.result
