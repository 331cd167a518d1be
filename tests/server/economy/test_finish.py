"""The end of a hand: kept and settled in one transaction, once, however often and from wherever it is done."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu import variant
from dizhu.game.replay import replay
from dizhu.server.economy.hands import FinishedHand, HandOutcome, SeatOutcome, finish
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.store.schema import HOUSE
from server.economy.bank import NOON, Bank, ended, left, lost, opened_bank, played, room, won

AT_ONCE = 64
BEGINNER = room(coefficient=10, fee=5)


async def rows(bank: Bank, table: str) -> list[dict[str, Any]]:
    async with bank.database.reading() as connection:
        found = await connection.execute(select(schema.metadata.tables[table]))
        return [dict(row) for row in found.mappings()]


def test_a_hand_for_beans(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            outcome = await bank.finish(ended(lost(), BEGINNER))
            assert outcome.currency == "beans"
            assert outcome.seats == (
                SeatOutcome(-125, 875, None, None),
                SeatOutcome(55, 1055, None, None),
                SeatOutcome(55, 1055, None, None),
            )
            assert await bank.balances() == {HOUSE: -5000 + 15, 1: 875, 2: 1055, 3: 1055, 4: 1000, 5: 1000}
            (hand,) = await rows(bank, "hand")
            assert (hand["table_id"], hand["number"], hand["variant"], hand["room"]) == (
                "t", 1, "classic", "classic-beginner",
            )  # fmt: skip
            assert (hand["ended_at"], hand["multiplier"], hand["share"]) == (NOON, 2, outcome.share)
            assert replay(json.loads(hand["record"]), variant).result == lost().result
            seats = await rows(bank, "hand_seat")
            assert [(row["seat"], row["account_id"], row["name"], row["role"], row["won"]) for row in seats] == [
                (0, 1, "Player 1", "landlord", 0),
                (1, 2, "Player 2", "farmer", 1),
                (2, 3, "Player 3", "farmer", 1),
            ]
            assert [(row["points"], row["beans"]) for row in seats] == [(-12, -125), (6, 55), (6, 55)]
            transfer = (await rows(bank, "transfer"))[-1]
            assert (transfer["key"], transfer["kind"], transfer["hand_id"]) == ("hand:t:1", "settlement", hand["id"])

    asyncio.run(run())


def test_who_owes_500_beans_and_has_120_pays_120_which_the_winners_share(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await bank.give(1, 120)
            outcome = await bank.finish(ended(lost(1), room(coefficient=125, fee=0)))
            assert [seat.change for seat in outcome.seats] == [-120, 60, 60]
            assert await bank.balances() == {HOUSE: -120, 1: 0, 2: 60, 3: 60}

    asyncio.run(run())


def test_a_hand_for_points_moves_players_on_their_ladder(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 50) as bank:
            place = room("classic-points")
            first = await bank.finish(ended(won(), place))
            assert first.currency == "three_player"
            assert first.seats == (
                SeatOutcome(12, 12, 0, 1),
                SeatOutcome(-6, -6, 0, 0),
                SeatOutcome(-6, -6, 0, 0),
            )
            second = await bank.finish(ended(left(0), place, number=2))
            assert second.seats == (
                SeatOutcome(-9, 3, 1, 0),
                SeatOutcome(3, -3, 0, 0),
                SeatOutcome(3, -3, 0, 0),
            )
            assert await bank.balances("three_player") == {HOUSE: 3, 1: 3, 2: -3, 3: -3}
            assert await bank.balances() == {HOUSE: -250, 1: 50, 2: 50, 3: 50, 4: 50, 5: 50}
            assert [row["beans"] for row in await rows(bank, "hand_seat")] == [0] * 6

    asyncio.run(run())


def test_five_players_have_a_ladder_of_their_own(database_url: str):
    hands = ["7h", "8s 8h", "9s 9h", "7h Ts", "Js Jh"]
    nobody = "; ".join(f"{seat} no" for seat in range(5))
    game = played("five_player", hands, f"{nobody}; {nobody}; 0 play 7", marked="7h")

    async def run() -> None:
        async with opened_bank(database_url) as bank:
            outcome = await bank.finish(ended(game, room("five-player-points"), (1, 2, 3, 4, 5)))
            assert outcome.currency == "five_player"
            assert game.result
            assert [seat.change for seat in outcome.seats] == list(game.result.points)
            assert await bank.balances("five_player") == {
                seat + 1: points for seat, points in enumerate(game.result.points)
            }

    asyncio.run(run())


def test_a_private_table_keeps_the_hand_and_books_nothing(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 50) as bank:
            before = await bank.count("transfer")
            outcome = await bank.finish(ended(lost(), None))
            assert outcome.currency is None
            assert outcome.seats == (SeatOutcome(0, None, None, None),) * 3
            assert await bank.count("transfer") == before
            (hand,) = await rows(bank, "hand")
            assert (hand["room"], hand["share"]) == (None, outcome.share)
            assert [row["points"] for row in await rows(bank, "hand_seat")] == [-12, 6, 6]

    asyncio.run(run())


def test_the_house_stands_behind_bots(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 100) as bank:
            outcome = await bank.finish(ended(lost(), BEGINNER, (None, 2, None)))
            assert outcome.seats == (
                SeatOutcome(-125, None, None, None),
                SeatOutcome(55, 155, None, None),
                SeatOutcome(55, None, None, None),
            )
            assert await bank.balances() == {HOUSE: -555, 1: 100, 2: 155, 3: 100, 4: 100, 5: 100}
            outcome = await bank.finish(ended(lost(), room("classic-points"), (None, 2, None), 2))
            assert await bank.balances("three_player") == {HOUSE: -6, 2: 6}
            # nobody but bots: there is nothing to move, and the hand is settled all the same
            await bank.finish(ended(lost(), BEGINNER, (None, None, None), 3))
            assert await bank.count("transfer") == 5 + 3

    asyncio.run(run())


def test_the_multiplier_kept_is_what_the_cap_leaves(database_url: str):
    script = "0 bid 3; 0 play 3; 1 play 6666; 2 play 7777; 0 play BR; 1 pass; 2 pass; 0 play 9"
    hands = ["3BR9", "6666K", "7777K"]

    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await bank.finish(ended(played("classic", hands, script), None))
            await bank.finish(ended(played("classic", hands, script, cap=4), None, number=2))
            kept = await rows(bank, "hand")
            assert [hand["multiplier"] for hand in kept] == [8, 4]
            assert [json.loads(hand["record"]).get("options") for hand in kept] == [None, {"cap": 4}]

    asyncio.run(run())


def test_who_leaves_before_there_is_a_landlord_has_no_role(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            outcome = await bank.finish(ended(played("classic", ["35", "6", "7"], "0 bid 1; 2 leave"), BEGINNER))
            assert [seat.change for seat in outcome.seats] == [0, 0, -35]
            assert [seat.balance for seat in outcome.seats] == [1000, 1000, 965]
            assert [(row["role"], row["won"]) for row in await rows(bank, "hand_seat")] == [("none", 0)] * 3

    asyncio.run(run())


def test_done_again_it_changes_nothing_and_says_the_same(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            hands = [
                ended(lost(), BEGINNER),
                ended(won(), room("classic-points"), number=2),
                ended(won(), None, number=3),
                ended(won(1), BEGINNER, (1, None, 3), number=4),
                ended(won(2), room("classic-points"), (1, 3, 2), number=5),
            ]
            outcomes = [await bank.finish(hand) for hand in hands]
            await bank.give(1, 33)
            await bank.give(1, 5, "three_player")
            before = await bank.everything()
            assert [await bank.finish(hand) for hand in hands] == outcomes
            assert await bank.everything() == before

    asyncio.run(run())


def test_64_settlements_of_one_hand_at_once_are_one(database_url: str):
    async def run() -> None:
        async with (
            opened_bank(database_url, 1000) as bank,
            opened(database_url) as other,
            opened(database_url) as third,
        ):
            banks = [bank, Bank(other), Bank(third)]
            for number, place in enumerate((BEGINNER, room("classic-points"), None), start=1):
                hand = ended(lost(), place, number=number)
                outcomes = await asyncio.gather(*(banks[one % 3].finish(hand) for one in range(AT_ONCE)))
                assert len(set(outcomes)) == 1
                assert await bank.count("hand") == number
            assert await bank.count("transfer") == 5 + 2
            assert await bank.count("hand_seat") == 9
            assert await bank.balances() == {HOUSE: -4985, 1: 875, 2: 1055, 3: 1055, 4: 1000, 5: 1000}
            assert await bank.balances("three_player") == {1: -12, 2: 6, 3: 6}

    asyncio.run(run())


def test_what_fails_later_in_the_transaction_undoes_all_of_it(database_url: str):
    async def fails(connection: AsyncConnection, hand: FinishedHand) -> None:
        await finish(connection, hand)
        raise LookupError

    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            before = await bank.everything()
            with pytest.raises(LookupError):
                await bank.run(fails, ended(lost(), BEGINNER))
            assert await bank.everything() == before
            assert (await bank.finish(ended(lost(), BEGINNER))).seats[0].balance == 875

    asyncio.run(run())


def test_a_table_that_is_not_there_has_no_hands(database_url: str):
    hand = FinishedHand("nowhere", 1, lost(), None, ended(lost(), None).players, NOON)

    async def run() -> None:
        async with opened_bank(database_url) as bank:
            with pytest.raises(IntegrityError):
                await bank.finish(hand)

    asyncio.run(run())


def test_who_has_deleted_his_account_meanwhile_is_taken_for_a_bot(database_url: str):
    async def delete(connection: AsyncConnection) -> None:
        await connection.execute(update(schema.account).where(schema.account.c.id == 2).values(deleted_at=NOON))

    async def run() -> None:
        async with opened_bank(database_url, 1000) as bank:
            await bank.run(delete)
            outcome = await bank.finish(ended(lost(), BEGINNER))
            assert outcome.seats[1] == SeatOutcome(55, None, None, None)
            assert (await bank.balances())[2] == 1000
            assert [row["account_id"] for row in await rows(bank, "hand_seat")] == [1, None, 3]
            assert await bank.finish(ended(lost(), BEGINNER)) == outcome

    asyncio.run(run())


def test_shares_cannot_be_guessed(tmp_path: Any):
    async def run() -> list[HandOutcome]:
        async with opened_bank(f"sqlite:///{tmp_path / 'dizhu.sqlite3'}") as bank:
            return [await bank.finish(ended(lost(), None, number=number)) for number in range(1, 20)]

    shares = [outcome.share for outcome in asyncio.run(run())]
    assert len(set(shares)) == len(shares)
    for share in shares:
        # 128 bits, six to a letter
        assert len(share) == 22
        assert share.replace("-", "").replace("_", "").isalnum()
