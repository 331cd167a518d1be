"""Beans to begin with, the daily grant, gifts of the host, and what becomes of them when an account is deleted."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from dizhu import DizhuError
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.economy.days import DAY, day_began, week_began
from dizhu.server.economy.grants import BEGIN_WITH, DAILY, give, grant, welcome
from dizhu.server.economy.ledger import Purse
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.store.schema import HOUSE
from server.economy.bank import NOON, Bank, opened_bank

NEED = 200
AT_ONCE = 64


@given(st.integers(0, 4_102_444_800_000))
def test_days_and_weeks_are_those_of_the_calendar_in_utc(at: int):
    moment = datetime.fromtimestamp(at / 1000, UTC)
    day, week = (datetime.fromtimestamp(began(at) / 1000, UTC) for began in (day_began, week_began))
    assert day.date() == moment.date()
    assert (day.hour, day.minute, day.second, day.microsecond) == (0, 0, 0, 0)
    assert week.isocalendar()[:2] == moment.isocalendar()[:2]
    assert (week.weekday(), week.hour) == (0, 0)


def refused(error: pytest.ExceptionInfo[DizhuError], code: str) -> dict[str, object]:
    assert error.value.code == code
    return error.value.detail


def test_who_comes_for_the_first_time_has_something_to_begin_with_once(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank, opened(database_url) as other:
            databases = (bank.database, other)
            purses = await asyncio.gather(*(welcome(databases[one % 2], 1, NOON) for one in range(AT_ONCE)))
            assert set(purses) == {Purse(BEGIN_WITH, 0, 0)}
            assert await bank.balances() == {HOUSE: -BEGIN_WITH, 1: BEGIN_WITH}
            await bank.give(1, -500)
            await bank.give(1, 7, "five_player")
            assert await welcome(bank.database, 1, NOON + DAY) == Purse(BEGIN_WITH - 500, 0, 7)

    asyncio.run(run())


def test_who_is_broke_gets_beans_once_a_day(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await welcome(bank.database, 1, NOON)
            await bank.give(1, NEED - 1 - BEGIN_WITH)
            assert await bank.run(grant, 1, NEED, NOON) == DAILY
            assert (await bank.balances())[1] == NEED - 1 + DAILY
            with pytest.raises(DizhuError) as caught:
                await bank.run(grant, 1, NEED, NOON + 1)
            refused(caught, "not_broke")
            await bank.give(1, -DAILY)
            for at in (NOON + 1, day_began(NOON) + DAY - 1):
                with pytest.raises(DizhuError) as caught:
                    await bank.run(grant, 1, NEED, at)
                assert refused(caught, "granted_today") == {"until": day_began(NOON) + DAY}
            assert (await bank.balances())[1] == NEED - 1
            assert await bank.run(grant, 1, NEED, day_began(NOON) + DAY) == DAILY
            async with bank.database.reading() as connection:
                granted = select(schema.account.c.granted_at).where(schema.account.c.id == 1)
                assert (await connection.execute(granted)).scalar_one() == day_began(NOON) + DAY

    asyncio.run(run())


def test_a_grant_opens_the_first_door(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await welcome(bank.database, 1, NOON)
            assert await bank.run(grant, 1, BEGIN_WITH + DAILY, NOON) == BEGIN_WITH + DAILY
            # who asks before he has begun begins first, and is not broke then
            with pytest.raises(DizhuError) as caught:
                await bank.run(grant, 2, NEED, NOON)
            refused(caught, "not_broke")
            # without a room for beans nobody is broke
            with pytest.raises(DizhuError) as caught:
                await bank.run(grant, 3, 0, NOON)
            refused(caught, "not_broke")

    asyncio.run(run())


def test_of_64_grants_at_once_one_is_given(database_url: str):
    async def one(bank: Bank) -> int:
        try:
            return await bank.run(grant, 1, NEED, NOON)
        except DizhuError as error:
            if error.code not in {"granted_today", "not_broke"}:
                raise
            return 0

    async def run() -> None:
        async with opened_bank(database_url) as bank, opened(database_url) as other:
            await welcome(bank.database, 1, NOON)
            await bank.give(1, -BEGIN_WITH)
            banks = (bank, Bank(other))
            given_ = await asyncio.gather(*(one(banks[number % 2]) for number in range(AT_ONCE)))
            assert sorted(given_) == [0] * (AT_ONCE - 1) + [DAILY]
            assert await bank.balances() == {HOUSE: -DAILY, 1: DAILY}

    asyncio.run(run())


def test_the_host_gives_and_takes(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            assert await bank.run(give, 1, 250, NOON, "gift:a") == BEGIN_WITH + 250
            assert await bank.run(give, 1, 250, NOON, "gift:a") == BEGIN_WITH + 250
            assert await bank.run(give, 1, -BEGIN_WITH - 250, NOON, "gift:b") == 0
            before = await bank.everything()
            for account, beans, code in [
                (1, -1, "not_enough_beans"),
                (1, 0, "bad_amount"),
                (1, 10**15 + 1, "bad_amount"),
                (77, 5, "unknown_account"),
                (HOUSE, 5, "unknown_account"),
            ]:
                with pytest.raises(DizhuError) as caught:
                    await bank.run(give, account, beans, NOON, "gift:c")
                refused(caught, code)
            assert await bank.everything() == before

    asyncio.run(run())


def test_a_deleted_account_leaves_all_to_the_house(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url, 90) as bank:
            await bank.give(1, -40, "three_player")
            await bank.give(1, 25, "five_player")
            accounts = DatabaseAccounts(bank.database)
            await accounts.delete(1, None)
            await accounts.delete(1, None)
            assert await bank.balances() == {HOUSE: -360, 1: 0, 2: 90, 3: 90, 4: 90, 5: 90}
            assert await bank.balances("three_player") == {HOUSE: 0, 1: 0}
            assert await bank.balances("five_player") == {HOUSE: 0, 1: 0}
            with pytest.raises(DizhuError) as caught:
                await bank.run(give, 1, 5, NOON, "late")
            refused(caught, "unknown_account")

    asyncio.run(run())


def test_who_owns_nothing_leaves_no_trace_in_the_ledger(database_url: str):
    async def run() -> None:
        async with opened_bank(database_url) as bank:
            await DatabaseAccounts(bank.database).delete(1, None)
            assert [await bank.count(table) for table in ("transfer", "entry", "balance")] == [0, 0, 0]

    asyncio.run(run())
