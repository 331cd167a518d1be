"""Finished hands, for whoever knows the name of their replay. Before its end there is nothing to be had of a hand."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from sqlalchemy import select

from dizhu.bots.analyse import Judged, analyse
from dizhu.errors import DizhuError
from dizhu.game.options import OptionValue
from dizhu.game.replay import start
from dizhu.game.view import Result
from dizhu.server.api.endpoint import Answer, Call, Endpoint, Request
from dizhu.server.store import schema
from dizhu.variants import variant

Share = Annotated[str, Meta(min_length=1, max_length=64)]


class WhichHand(Request, frozen=True):
    """`share`: the name of the replay. `download`: to be saved as a file."""

    share: Share
    download: bool = False


class RecordedDeal(Struct, frozen=True):
    """The cards of a hand, parted by blanks, in dealing order. `first`: the seat that was asked first."""

    first: int
    hands: tuple[str, ...]
    bottom: str
    aside: str
    marked: str | None


class RecordedStakes(Struct, frozen=True):
    """What each seat could lose, and from how many beans on players could double."""

    beans: tuple[int, ...]
    threshold: int


class Replay(Answer, frozen=True, kw_only=True):
    """The record of a hand, which `dizhu verify` checks; and who sat there, in which room, and when it ended.

    `options`: those of the game that were not the usual ones. `seed`, `entropy` (what players added) and `commitment`
    (the SHA-256 of the seed) are hexadecimal. `actions`: the seat and what it did. `phases`: what each action answered,
    `bid` or `play` for example; empty if the game has changed since. `ended_at`: in milliseconds since 1970. `room`:
    null at a private table.
    """

    format: Literal[1]
    variant: str
    version: int
    options: dict[str, OptionValue] | UnsetType = UNSET
    deal: RecordedDeal
    seed: str | None
    entropy: tuple[str, ...]
    commitment: str | None
    stakes: RecordedStakes | None
    actions: tuple[str, ...]
    result: Result
    names: tuple[str, ...] = ()
    room: str | None = None
    ended_at: int = 0
    phases: tuple[str, ...] = ()


async def replay(call: Call[WhichHand]) -> Replay:
    """Give the record of a finished hand."""
    hand, seat = schema.hand.c, schema.hand_seat.c
    query = (
        select(hand.record, hand.room, hand.ended_at, seat.name)
        .join_from(schema.hand, schema.hand_seat)
        .where(hand.share == call.request.share)
        .order_by(seat.seat)
    )
    async with call.database.reading() as connection:
        rows = (await connection.execute(query)).all()
    if not rows:
        raise unknown_hand()
    if call.request.download:
        call.headers["content-disposition"] = f'attachment; filename="dizhu-{call.request.share}.json"'
    record = msgspec.json.decode(rows[0].record, type=Replay)
    names = tuple(row.name for row in rows)
    phases = await asyncio.to_thread(_phases, msgspec.json.decode(rows[0].record))
    return msgspec.structs.replace(record, names=names, room=rows[0].room, ended_at=rows[0].ended_at, phases=phases)


def _phases(record: dict[str, Any]) -> tuple[str, ...]:
    """List what each action answered."""
    try:
        hand, steps = start(record, variant)
        phases = [hand.phase, *(hand.phase for _ in steps)]
    except DizhuError:
        return ()
    return tuple(phases[:-1])


class WhichAnalysis(Request, frozen=True):
    """`share`: the name of the replay."""

    share: Share


class JudgedMove(Struct, frozen=True):
    """A move of the play, judged by what its seat saw. Chances are from 0 to 1.

    `action`: its place among the record's actions, from 0. `chance`: that the seat's side wins after it; `landlord`:
    that the landlords do. `best`: the move that is best, and its `best_chance`. `mistake`: it was clearly better.
    """

    action: int
    chance: float
    landlord: float
    best: str
    best_chance: float
    mistake: bool


class Analysis(Answer, frozen=True):
    """The moves of a hand where there was a choice, in their order."""

    moves: tuple[JudgedMove, ...]


async def analysis(call: Call[WhichAnalysis]) -> Analysis:
    """Judge the moves of a finished hand."""
    async with call.database.reading() as connection:
        found = await connection.scalar(select(schema.hand.c.record).where(schema.hand.c.share == call.request.share))
    if found is None:
        raise unknown_hand()
    return Analysis(await asyncio.to_thread(_judged, msgspec.json.decode(found)))


def _judged(record: dict[str, Any]) -> tuple[JudgedMove, ...]:
    try:
        return tuple(map(_move, analyse(record, variant)))
    except DizhuError as error:
        raise DizhuError("not_judged", f"the hand cannot be judged: {error}") from error


def _move(judged: Judged) -> JudgedMove:
    return JudgedMove(
        judged.action, judged.chance, judged.landlord, judged.best, judged.best_chance, mistake=judged.mistake
    )


def unknown_hand() -> DizhuError:
    """Make the error of a name that no replay has."""
    return DizhuError("unknown_hand", "there is no finished hand of this name")


ENDPOINTS = (
    Endpoint("GET", "/api/replay/{share}", replay, WhichHand, Replay, who="anyone", codes=("unknown_hand",)),
    Endpoint(
        "GET",
        "/api/replay/{share}/analysis",
        analysis,
        WhichAnalysis,
        Analysis,
        who="anyone",
        rate="writes",
        codes=("unknown_hand", "not_judged"),
    ),
)
