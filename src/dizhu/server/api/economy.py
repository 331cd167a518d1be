"""Who stands where, what players have done, which rooms there are, and the daily grant."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from dizhu.game.options import OptionValue
from dizhu.server.api.endpoint import Answer, Call, Endpoint, Id, Nothing, Request
from dizhu.server.economy import grants, ladders, ledger, statistics
from dizhu.server.rooms import Room, lowest_need

Count = Annotated[int, Meta(ge=1, le=100)]


class WhoseProfile(Request, frozen=True):
    """The number of an account."""

    account: Id


class WhichBoard(Request, frozen=True):
    """`ladder`: what is counted. `period`: in which time; days and weeks are those of UTC."""

    ladder: Literal["beans", "three_player", "five_player"] = "three_player"
    period: Literal["day", "week", "all"] = "all"
    count: Count = 50


class Page(Request, frozen=True):
    """How many to list; `before`: only what comes before the hand of that number, as `next` of the page before says."""

    count: Count = 20
    before: Id | None = None


class ProfileAnswer(Answer, frozen=True):
    """What a player has done."""

    profile: statistics.Profile


class Leaderboard(Answer, frozen=True):
    """Those who have most, or won most in that time, the first first."""

    lines: tuple[ladders.Standing, ...]


class History(Answer, frozen=True):
    """Hands from the newest on. `next`: what to ask for the next page with, null if this is the last."""

    hands: tuple[statistics.PlayedHand, ...]
    next: int | None


class RoomInfo(Struct, frozen=True, kw_only=True):
    """A room. `level` is null where it plays for points, `name` where the host has given it none. Times are in seconds.

    `options`: those of the game that are not the usual ones, the `cap` on the multiplier among them.
    """

    id: str
    variant: str
    options: dict[str, OptionValue]
    kind: Literal["points", "beans"]
    level: str | None
    name: str | None
    coefficient: int
    fee: int
    need: int
    threshold: int
    play: float
    question: float
    offer: float
    redeal: Literal["deal", "first"]
    fill: float


class Rooms(Answer, frozen=True):
    """All rooms, in the order of the host."""

    rooms: tuple[RoomInfo, ...]


class Granted(Answer, frozen=True):
    """`given`: beans that were given. `beans`: those that the player has now."""

    given: int
    beans: int


async def profile(call: Call[WhoseProfile]) -> ProfileAnswer:
    """Tell what a player has done."""
    async with call.database.reading() as connection:
        return ProfileAnswer(profile=await statistics.profile(connection, call.request.account))


async def own_profile(call: Call[Nothing]) -> ProfileAnswer:
    """Tell what the player who asks has done."""
    async with call.database.reading() as connection:
        return ProfileAnswer(profile=await statistics.profile(connection, call.account.id))


async def leaderboard(call: Call[WhichBoard]) -> Leaderboard:
    """List who stands where."""
    wanted = call.request
    async with call.database.reading() as connection:
        lines = await ladders.leaderboard(connection, wanted.ladder, wanted.period, call.clock.wall(), wanted.count)
    return Leaderboard(lines=tuple(lines))


async def own_history(call: Call[Page]) -> History:
    """List the hands of the player who asks."""
    wanted = call.request
    async with call.database.reading() as connection:
        hands = await statistics.history(connection, call.account.id, wanted.count + 1, wanted.before)
    shown = hands[: wanted.count]
    return History(hands=tuple(shown), next=shown[-1].id if len(hands) > len(shown) else None)


async def rooms(call: Call[Nothing]) -> Rooms:
    """List the rooms."""
    return Rooms(rooms=tuple(_info(room) for room in call.rooms.values()))


async def daily_grant(call: Call[Nothing]) -> Granted:
    """Help a player who has fewer beans than any room asks for, once a day."""
    account, need, at = call.account.id, lowest_need(call.rooms), call.clock.wall()
    given = await call.database.writer.run(lambda connection: grants.grant(connection, account, need, at))
    async with call.database.reading() as connection:
        return Granted(given=given, beans=(await ledger.purse(connection, account)).beans)


def _info(room: Room) -> RoomInfo:
    return RoomInfo(
        id=room.id,
        variant=room.game.name,
        options=room.game.changed,
        kind=room.kind,
        level=room.level,
        name=room.name,
        coefficient=room.coefficient,
        fee=room.fee,
        need=room.need,
        threshold=room.threshold,
        play=room.play,
        question=room.question,
        offer=room.offer,
        redeal=room.redeal,
        fill=room.fill,
    )


ENDPOINTS = (
    Endpoint("GET", "/api/profile", own_profile, Nothing, ProfileAnswer, codes=("unknown_account",)),
    Endpoint(
        "GET", "/api/profile/{account}", profile, WhoseProfile, ProfileAnswer, who="anyone", codes=("unknown_account",)
    ),
    Endpoint("GET", "/api/leaderboard", leaderboard, WhichBoard, Leaderboard, who="anyone"),
    Endpoint("GET", "/api/history", own_history, Page, History),
    Endpoint("GET", "/api/rooms", rooms, Nothing, Rooms, who="anyone"),
    Endpoint("POST", "/api/grant", daily_grant, Nothing, Granted, rate="writes", codes=("not_broke", "granted_today")),
)
