"""Transfers are balanced, whole or not at all, and booked once, on both databases."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu import DizhuError
from dizhu.server.economy.ledger import CURRENCIES, Entry, Purse, balances_after, book, locked, purse, purses
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.store.schema import HOUSE
from server.economy.bank import NOON, Bank, opened_bank

AT_ONCE = 64


def beans(*changes: tuple[int, int]) -> list[Entry]:
    return [Entry(account, "beans", amount) for account, amount in changes]


def test_the_currencies_are_those_of_the_schema():
    assert CURRENCIES == schema.CURRENCIES


def test_a_transfer_changes_balances_and_is_kept(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            entries = [
                *beans((1, 30), (2, 12), (HOUSE, -42)),
                Entry(1, "three_player", -7),
                Entry(2, "three_player", 7),
            ]
            assert await bank.run(book, "k", "gift", entries, NOON) == {
                (HOUSE, "beans"): -42,
                (1, "beans"): 30,
                (1, "three_player"): -7,
                (2, "beans"): 12,
                (2, "three_player"): 7,
            }
            assert await bank.balances() == {HOUSE: -42, 1: 30, 2: 12}
            assert await bank.run(purse, 1) == Purse(30, -7, 0)
            assert await bank.run(purse, 5) == Purse(0, 0, 0)
            assert await bank.run(purses, [1, 2, 5]) == {1: Purse(30, -7, 0), 2: Purse(12, 7, 0), 5: Purse(0, 0, 0)}
            assert await bank.count("entry") == 5

    asyncio.run(run())


def test_entries_of_one_place_are_one_and_nothing_is_not_written(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 10) as bank:
            before = await bank.count("entry")
            entries = beans((1, 5), (1, -8), (2, 3), (3, 4), (3, -4))
            assert await bank.run(book, "k", "gift", entries, NOON) is not None
            owned = await bank.run(purses, [1, 2, 3])
            assert [owned[account].beans for account in (1, 2, 3)] == [7, 13, 10]
            assert await bank.count("entry") == before + 2
            assert await bank.run(book, "empty", "gift", [], NOON) == {}
            assert await bank.run(book, "empty", "gift", entries, NOON) is None

    asyncio.run(run())


def test_a_key_is_booked_once_whatever_comes_with_it(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 10) as bank:
            assert await bank.run(book, "k", "gift", beans((1, -10), (2, 10)), NOON) is not None
            before = await bank.everything()
            for entries in (beans((1, -10), (2, 10)), beans((3, 1), (HOUSE, -1)), []):
                assert await bank.run(book, "k", "grant", entries, NOON + 1) is None
            after = await bank.everything()
            assert {name: rows for name, rows in after.items() if name != "balance"} == {
                name: rows for name, rows in before.items() if name != "balance"
            }
            assert await bank.balances() == {HOUSE: -50, 1: 0, 2: 20, 3: 10, 4: 10, 5: 10}

    asyncio.run(run())


def test_nobody_but_the_house_goes_below_zero_beans(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 10) as bank:
            before = await bank.everything()
            with pytest.raises(DizhuError) as caught:
                await bank.run(book, "k", "gift", beans((1, -11), (2, 11)), NOON)
            assert caught.value.code == "not_enough_beans"
            assert str(caught.value) == "account 1 has 10 beans, which is less than 11"
            assert await bank.everything() == before
            # the key is not used up, and points may be below zero
            entries = [*beans((1, -10), (2, 10)), Entry(1, "five_player", -11), Entry(2, "five_player", 11)]
            assert await bank.run(book, "k", "gift", entries, NOON) is not None
            assert await bank.run(purse, 1) == Purse(0, 0, -11)

    asyncio.run(run())


def test_a_refused_transfer_does_not_undo_what_else_is_done_in_the_transaction(database_url: str):
    async def both(connection: AsyncConnection) -> None:
        await book(connection, "good", "gift", beans((1, 3), (HOUSE, -3)), NOON)
        with pytest.raises(DizhuError):
            await book(connection, "bad", "gift", beans((1, -4), (HOUSE, 4)), NOON)
        await book(connection, "last", "gift", beans((1, 2), (HOUSE, -2)), NOON)

    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await bank.run(both)
            assert await bank.balances() == {HOUSE: -5, 1: 5}
            assert await bank.count("transfer") == 2

    asyncio.run(run())


def test_entries_that_do_not_sum_to_zero_are_a_fault_of_the_program(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 10) as bank:
            before = await bank.everything()
            for entries in (beans((1, 1)), [Entry(1, "beans", 1), Entry(2, "five_player", -1)]):
                with pytest.raises(ValueError, match="instead of zero"):
                    await bank.run(book, "k", "gift", entries, NOON)
            with pytest.raises(IntegrityError):
                await bank.run(book, "k", "gift", beans((1, -1), (99, 1)), NOON)
            assert await bank.everything() == before

    asyncio.run(run())


def test_the_database_itself_keeps_beans_from_going_below_zero(database_url: str):
    async def write(connection: AsyncConnection, account: int) -> None:
        row = {"account_id": account, "currency": "beans", "amount": 0}
        await connection.execute(insert(schema.balance), row)
        change = update(schema.balance).where(schema.balance.c.account_id == account).values(amount=-1)
        await connection.execute(change)

    async def run() -> None:
        async with opened_bank(database_url) as bank:
            with pytest.raises(IntegrityError):
                await bank.run(write, 1)
            await bank.run(write, HOUSE)

    asyncio.run(run())


async def book_at_once(banks: list[Bank], key: str) -> list[bool]:
    async def one(number: int) -> bool:
        entries = beans((1, -7), (2, 3), (HOUSE, 4))
        return await banks[number % len(banks)].run(book, key, "settlement", entries, NOON) is not None

    return await asyncio.gather(*(one(number) for number in range(AT_ONCE)))


def test_of_64_at_once_exactly_one_is_booked(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 10) as bank, opened(database_url) as other, opened(database_url) as third:
            # three writers: for PostgreSQL three nodes, whose transactions run side by side
            banks = [bank, Bank(other), Bank(third)]
            for key in ("one", "two", "three"):
                await bank.give(1, 7, key=f"for {key}")
                before = await bank.balances()
                assert sum(await book_at_once(banks, key)) == 1
                after = await bank.balances()
                assert {account: after[account] - before[account] for account in after} == {
                    HOUSE: 4, 1: -7, 2: 3, 3: 0, 4: 0, 5: 0,
                }  # fmt: skip

    asyncio.run(run())


def test_different_transfers_at_once_all_come_through(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 100) as bank, opened(database_url) as other:
            banks = [bank, Bank(other)]

            async def one(number: int) -> bool:
                giver, taker = number % 5 + 1, (number * 3 + 1) % 5 + 1
                entries = beans((giver, -2), (taker, 1), (HOUSE, 1))
                return await banks[number % 2].run(book, f"k{number}", "gift", entries, NOON) is not None

            assert all(await asyncio.gather(*(one(number) for number in range(AT_ONCE))))
            balances = await bank.balances()
            assert sum(balances.values()) == 0
            assert balances[HOUSE] == -500 + AT_ONCE

    asyncio.run(run())


def test_balances_as_they_were_after_a_transfer(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            for number in range(1, 6):
                await bank.give(1, number, key=f"k{number}")
                await bank.give(2, 10 * number, "three_player", key=f"p{number}")
            for number in range(1, 6):
                so_far = sum(range(number + 1))
                assert await bank.run(balances_after, f"k{number}", [1, 3], "beans") == {1: so_far, 3: 0}
                assert await bank.run(balances_after, f"p{number}", [2], "three_player") == {2: 10 * so_far}

    asyncio.run(run())


def test_balances_are_read_for_change_also_where_there_are_none(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await bank.give(2, 5)
            assert await bank.run(locked, [(3, "beans"), (2, "beans"), (2, "five_player")]) == {
                (2, "beans"): 5,
                (2, "five_player"): 0,
                (3, "beans"): 0,
            }
            assert await bank.run(locked, []) == {}

    asyncio.run(run())
