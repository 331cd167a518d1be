"""Leaderboards, ranks, profiles and histories: all of it counted from hands that were played."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu import DizhuError
from dizhu.server.economy.days import DAY, day_began, week_began
from dizhu.server.economy.ladders import Standing, leaderboard, rank_of
from dizhu.server.economy.statistics import PlayedHand, Rung, Tally, history, profile
from dizhu.server.store import schema
from dizhu.server.store.schema import HOUSE
from server.economy.bank import NOON, Bank, ended, left, lost, opened_bank, played, room, won

POINTS = room("classic-points")
BEANS = room("classic-beginner", coefficient=10, fee=5)


def lines(standings: list[Standing]) -> list[tuple[int, int, int]]:
    return [(line.rank, line.account, line.amount) for line in standings]


async def delete(connection: AsyncConnection, account: int) -> None:
    gone = update(schema.account).where(schema.account.c.id == account).values(deleted_at=NOON)
    await connection.execute(gone)


def test_leaderboards_of_all_time_of_the_week_and_of_the_day(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            # Wednesday: today; Monday: this week; Sunday: neither
            monday, sunday = week_began(NOON), week_began(NOON) - 1
            await bank.finish(ended(won(3), POINTS, (1, 2, 3), 1, sunday))  # 12 -6 -6
            await bank.finish(ended(lost(3), POINTS, (1, 2, 4), 2, monday))  # -12 6 6
            await bank.finish(ended(won(1), POINTS, (5, 2, None), 3, day_began(NOON)))  # 4 -2 -2
            await bank.finish(ended(won(1), POINTS, (2, None, None), 4, NOON))  # 4 -2 -2
            await bank.give(3, 50, "three_player")
            await bank.give(4, 9, "five_player")

            async def board(period: str, count: int = 10) -> list[tuple[int, int, int]]:
                return lines(await bank.run(leaderboard, "three_player", period, NOON, count))

            assert await board("all") == [(1, 3, 44), (2, 4, 6), (3, 5, 4), (4, 2, 2), (5, 1, 0)]
            assert await board("week") == [(1, 2, 8), (2, 4, 6), (3, 5, 4), (4, 1, -12)]
            assert await board("day") == [(1, 5, 4), (2, 2, 2)]
            assert await board("all", 2) == [(1, 3, 44), (2, 4, 6)]
            assert lines(await bank.run(leaderboard, "five_player", "all", NOON, 10)) == [(1, 4, 9)]
            (first,) = await bank.run(leaderboard, "three_player", "all", NOON, 1)
            assert first == Standing(1, 3, "Player 3", 3, 44)
            (latest, _) = await bank.run(leaderboard, "three_player", "day", NOON, 2)
            assert latest == Standing(1, 5, "Player 5", 0, 4)
            (first,) = await bank.run(leaderboard, "five_player", "all", NOON, 1)
            assert first.title == 0, "that of nine points of this ladder"
            assert [await bank.run(rank_of, who, "three_player", has) for who, has in ((3, 44), (2, 2), (1, 0))] == [
                1, 4, 5,
            ]  # fmt: skip
            assert lines(await bank.run(leaderboard, "three_player", "day", NOON + DAY, 10)) == []

    asyncio.run(run())


def test_the_leaderboard_of_beans_knows_winnings_from_grants(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            await bank.finish(ended(lost(), BEANS))  # -125 55 55
            await bank.give(4, 500)
            boards = [lines(await bank.run(leaderboard, "beans", period, NOON, 10)) for period in ("all", "day")]
            assert boards[0] == [(1, 4, 1500), (2, 2, 1055), (2, 3, 1055), (4, 5, 1000), (5, 1, 875)]
            assert boards[1] == [(1, 2, 55), (1, 3, 55), (3, 1, -125)]
            assert [await bank.run(rank_of, who, "beans", has) for who, has in ((2, 1055), (3, 1055), (5, 1000))] == [
                2, 2, 4,
            ]  # fmt: skip

    asyncio.run(run())


def test_neither_the_house_nor_who_is_gone_is_listed(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await bank.finish(ended(lost(), POINTS, (1, 2, 3)))
            await bank.finish(ended(left(0), POINTS, (1, None, None), 2))
            await bank.run(delete, 2)
            for period in ("all", "week", "day"):
                board = lines(await bank.run(leaderboard, "three_player", period, NOON, 10))
                assert board == [(1, 3, 6), (2, 1, -21)]

    asyncio.run(run())


def test_a_profile_counts_hands_by_game_and_role(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            bombs = "0 bid 3; 0 play 3; 1 play 6666; 2 play 7777; 0 play BR; 1 pass; 2 pass; 0 play 9"
            hands = [
                (won(), POINTS, (1, 2, 3)),  # +12 -6 -6
                (lost(1), BEANS, (1, 2, 3)),  # -45 15 15 beans
                (lost(), POINTS, (2, 1, None)),  # -12 +6 +6
                (played("classic", ["3BR9", "6666K", "7777K"], bombs, cap=4), None, (1, 2, 3)),
                (
                    played("landlord_war", ["3", "6", "7"], "0 call; 1 no; 2 no; 0 no; 1 no; 2 no; 0 play 3"),
                    None,
                    (1, 2, 3),
                ),
                (played("classic", ["35", "6", "7"], "0 bid 1; 1 leave"), POINTS, (2, 1, 3)),  # 1: -3
            ]
            for number, (game, place, accounts) in enumerate(hands, start=1):
                await bank.finish(ended(game, place, accounts, number))
            found = await bank.run(profile, 1)
            assert (found.account, found.name, found.claimed, found.since) == (1, "Player 1", False, NOON)
            assert found.beans == 955
            assert found.three_player == Rung(points=15, rank=1, title=1, highest_title=1)
            assert found.five_player == Rung(points=0, rank=None, title=0, highest_title=0)
            assert found.tallies == (
                Tally("classic", "farmer", 1, 1),
                Tally("classic", "landlord", 3, 2),
                Tally("classic", "none", 1, 0),
                Tally("landlord_war", "landlord", 1, 1),
            )
            assert found.best_multiplier == 4
            assert (await bank.run(profile, 3)).best_multiplier == 2
            nobody = await bank.run(profile, 5)
            assert (nobody.tallies, nobody.best_multiplier, nobody.beans) == ((), 0, 1000)

    asyncio.run(run())


def test_the_highest_title_stays_known(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            for amount in (9, 31, -25, 200, -90, -500):
                await bank.give(1, amount, "three_player", key=f"given {amount}")
            found = await bank.run(profile, 1)
            # 215 at most: fisherman, from 140; now below zero
            assert found.three_player == Rung(points=-375, rank=1, title=0, highest_title=5)

    asyncio.run(run())


@pytest.mark.parametrize("account", [HOUSE, 2, 99])
def test_there_is_no_profile_of_the_house_nor_of_who_is_gone(database_url: str, account: int):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await bank.run(delete, 2)
            with pytest.raises(DizhuError) as caught:
                await bank.run(profile, account)
            assert caught.value.code == "unknown_account"

    asyncio.run(run())


async def pages(bank: Bank, account: int, count: int) -> list[list[PlayedHand]]:
    found: list[list[PlayedHand]] = []
    before = None
    while page := await bank.run(history, account, count, before):
        found.append(page)
        before = page[-1].id
    return found


def test_the_history_is_paged_from_the_newest(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            outcomes = [
                await bank.finish(ended(lost(1), BEANS if number % 2 else None, (1, 2, None), number, NOON + number))
                for number in range(1, 8)
            ]
            await bank.finish(ended(won(), POINTS, (4, 3, None), 8))
            found = await pages(bank, 2, 3)
            assert [len(page) for page in found] == [3, 3, 1]
            hands = [hand for page in found for hand in page]
            assert [hand.share for hand in hands] == [outcome.share for outcome in reversed(outcomes)]
            assert [hand.ended_at for hand in hands] == [NOON + number for number in range(7, 0, -1)]
            newest = hands[0]
            assert newest == PlayedHand(
                newest.id, outcomes[-1].share, "classic", "classic-beginner", NOON + 7, 2, 1, "farmer", True, 2, 15
            )
            assert (hands[1].room, hands[1].points, hands[1].beans) == (None, 2, 0)
            assert await pages(bank, 5, 3) == []

    asyncio.run(run())
