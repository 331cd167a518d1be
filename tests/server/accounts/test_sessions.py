"""Sessions: who is behind a token, for how long, and what is kept of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import event, select

from dizhu.errors import DizhuError
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.store import schema
from dizhu.server.store.writer import StoreFailed
from server.accounts.harness import PASSWORD, Kept, code_of, kept

Work = Callable[[Kept], Coroutine[Any, Any, None]]
MINUTE = 60
DAY = 24 * 60 * MINUTE


def with_accounts(url: str, work: Work) -> None:
    async def run():
        async with kept(url) as opened:
            await work(opened)

    asyncio.run(run())


def test_a_token_has_256_bits_and_is_kept_as_a_hash_only(database_url: str):
    async def work(kept: Kept):
        accounts = kept.accounts
        account, token = await accounts.guest()
        _, other = await accounts.guest()
        await accounts.claim(account.id, "Ivan", PASSWORD)
        _, token = await accounts.log_in("Ivan", PASSWORD)
        assert len(token) == len(other) == 43
        assert len({token, other}) == 2
        for table in schema.metadata.sorted_tables:
            rows = repr(await kept.rows(select(table)))
            assert token not in rows
            assert token.encode().hex() not in rows
            assert PASSWORD not in rows

    with_accounts(database_url, work)


@pytest.mark.parametrize("token", ["", "x", "é", "\ud800", "\x00", "a" * 43, "a" * 100_000])
def test_a_token_that_is_none_finds_nobody(database_url: str, token: str):
    async def work(kept: Kept):
        assert await kept.accounts.find(token) is None
        await kept.accounts.guest()
        assert await kept.accounts.find(token) is None
        await kept.accounts.log_out(token)

    with_accounts(database_url, work)


def test_an_account_looked_up_again_is_not_read_again(database_url: str):
    async def work(kept: Kept):
        _, token = await kept.accounts.guest()
        statements: list[str] = []
        for engine in (kept.database._readers, kept.database._writers):
            event.listen(engine.sync_engine, "before_cursor_execute", lambda *heard: statements.append(heard[2]))
        first = await kept.accounts.find(token)
        assert statements
        statements.clear()
        assert await kept.accounts.find(token) == first
        assert not statements
        kept.clock.seconds += 10
        assert await kept.accounts.find(token) == first
        assert statements

    with_accounts(database_url, work)


def test_use_is_written_down_every_few_minutes_only(database_url: str):
    async def used(kept: Kept) -> list[Any]:
        times = select(schema.session.c.used_at, schema.account.c.seen_at).join(schema.account)
        return await kept.rows(times.order_by(schema.account.c.id))

    async def work(kept: Kept):
        tokens = [(await kept.accounts.guest())[1] for _ in range(20)]
        begun = kept.clock.wall()
        kept.clock.seconds += 4 * MINUTE
        for token in tokens:
            await kept.accounts.find(token)
        assert await used(kept) == [(begun, begun)] * 20
        kept.clock.seconds += 2 * MINUTE
        await asyncio.gather(*map(kept.accounts.find, tokens))
        assert await used(kept) == [(begun + 360_000, begun + 360_000)] * 20

    with_accounts(database_url, work)


def test_who_cannot_be_written_down_is_found_all_the_same(database_url: str, monkeypatch: pytest.MonkeyPatch):
    async def work(kept: Kept):
        account, token = await kept.accounts.guest()
        kept.clock.seconds += 10 * MINUTE

        async def fail(_: Any) -> None:
            raise StoreFailed

        monkeypatch.setattr(kept.database.writer, "run", fail)
        assert await kept.accounts.find(token) == account

    with_accounts(database_url, work)


async def log_out(accounts: DatabaseAccounts, _: int, token: str) -> None:
    await accounts.log_out(token)


async def log_out_everywhere(accounts: DatabaseAccounts, account: int, _: str) -> None:
    await accounts.log_out_everywhere(account)


async def change_password(accounts: DatabaseAccounts, account: int, _: str) -> None:
    await accounts.change_password(account, PASSWORD, "another horse")


async def delete(accounts: DatabaseAccounts, account: int, _: str) -> None:
    await accounts.delete(account, PASSWORD)


async def rotate(accounts: DatabaseAccounts, _: int, __: str) -> None:
    await accounts.rotate_secrets()


ENDINGS = [log_out, log_out_everywhere, change_password, delete, rotate]


@pytest.mark.parametrize("end", ENDINGS, ids=lambda end: end.__name__)
def test_a_session_that_has_ended_is_known_no_more(database_url: str, end: Callable[..., Any]):
    async def work(kept: Kept):
        account, old = await kept.accounts.guest()
        _, token = await kept.accounts.claim(account.id, "Ivan", PASSWORD)
        assert await kept.accounts.find(old) is None
        another = kept.another()
        assert await kept.accounts.find(token) == await another.find(token) == account
        await end(kept.accounts, account.id, token)
        assert await kept.accounts.find(token) is None
        # Another process notices it a few seconds later, and at once if it asks.
        assert await another.ended([token]) == {token: "logged_out"}
        kept.clock.seconds += 6
        assert await another.find(token) is None

    with_accounts(database_url, work)


@pytest.mark.parametrize("end", ENDINGS, ids=lambda end: end.__name__)
def test_a_session_that_ends_while_it_is_looked_up_is_not_remembered(
    database_url: str, end: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    async def work(kept: Kept):
        account, _ = await kept.accounts.guest()
        _, token = await kept.accounts.claim(account.id, "Ivan", PASSWORD)
        sessions = kept.accounts._sessions
        look_up = sessions._row

        async def look_up_and_wait(*arguments: Any) -> Any:
            row = await look_up(*arguments)
            monkeypatch.setattr(sessions, "_row", look_up)
            await end(kept.accounts, account.id, token)
            return row

        monkeypatch.setattr(sessions, "_row", look_up_and_wait)
        await kept.accounts.find(token)
        assert await kept.accounts.find(token) is None

    with_accounts(database_url, work)


def test_logging_out_ends_one_session_and_everywhere_ends_all(database_url: str):
    async def work(kept: Kept):
        account, _ = await kept.accounts.guest()
        _, first = await kept.accounts.claim(account.id, "Ivan", PASSWORD)
        _, second = await kept.accounts.log_in("Ivan", PASSWORD)
        other, others = await kept.accounts.guest()
        await kept.accounts.log_out(first)
        assert await kept.accounts.find(first) is None
        assert await kept.accounts.find(second) == account
        await kept.accounts.log_out_everywhere(account.id)
        assert await kept.accounts.find(second) is None
        assert await kept.accounts.find(others) == other

    with_accounts(database_url, work)


def test_after_the_secrets_are_rotated_old_tokens_are_worth_nothing(database_url: str):
    async def work(kept: Kept):
        account, old = await kept.accounts.guest()
        sessions = await kept.rows(select(schema.session.c.hash, schema.session.c.account_id))
        await kept.accounts.rotate_secrets()
        _, new = await kept.accounts.guest()
        # Not even somebody who has put the old rows back finds his session again.
        times = {"created_at": 0, "used_at": 0}
        rows = [{"hash": hashed, "account_id": owner, **times} for hashed, owner in sessions]
        await kept.database.writer.run(lambda connection: connection.execute(schema.session.insert(), rows))
        assert await kept.accounts.find(old) is None
        assert await kept.another().find(old) is None
        found = await kept.accounts.find(new)
        assert found is not None
        assert found != account

    with_accounts(database_url, work)


def test_a_session_unused_for_a_year_has_ended(database_url: str):
    async def work(kept: Kept):
        account, used = await kept.accounts.guest()
        _, unused = await kept.accounts.guest()
        for _ in range(2):
            kept.clock.seconds += 300 * DAY
            assert await kept.accounts.find(used) == account
        assert await kept.accounts.find(unused) is None
        assert await kept.accounts.ended([used, unused]) == {unused: "logged_out"}
        assert len(await kept.rows(select(schema.session))) == 2
        assert await kept.accounts.forget_expired_sessions() == 1
        assert len(await kept.rows(select(schema.session))) == 1
        assert await kept.accounts.find(used) == account

    with_accounts(database_url, work)


def test_many_sessions_are_asked_about_at_once(database_url: str):
    async def work(kept: Kept):
        begun = await asyncio.gather(*(kept.accounts.guest() for _ in range(600)))
        ended = {begun[number][1] for number in (0, 499, 500, 599)}
        for token in ended:
            await kept.accounts.log_out(token)
        suspended, barred = begun[300]
        await kept.accounts.suspend(suspended.id, "cheated")
        expected = dict.fromkeys([*ended, "forged"], "logged_out") | {barred: "suspended"}
        assert await kept.accounts.ended([token for _, token in begun] + ["forged"]) == expected
        assert await kept.accounts.ended([]) == {}

    with_accounts(database_url, work)


def test_who_is_suspended_is_refused_until_the_time_is_over(database_url: str):
    async def work(kept: Kept):
        accounts = kept.accounts
        account, _ = await accounts.guest()
        _, token = await accounts.claim(account.id, "Ivan", PASSWORD)
        assert await accounts.find(token) == account
        until = kept.clock.wall() + 60_000
        await accounts.suspend(account.id, "cheated", until)
        for refused in (accounts.find(token), kept.another().find(token), accounts.log_in("Ivan", PASSWORD)):
            with pytest.raises(DizhuError) as error:
                await refused
            assert (error.value.code, error.value.detail) == ("suspended", {"until": until})
        # The wrong password does not tell that there is such an account.
        assert await code_of(accounts.log_in("Ivan", "wrong horse")) == "wrong_login"
        kept.clock.seconds += 60
        assert await accounts.find(token) == account
        await accounts.suspend(account.id, "cheated again")
        assert await code_of(accounts.find(token)) == "suspended"
        await accounts.reinstate(account.id)
        assert await accounts.find(token) == account

    with_accounts(database_url, work)


def test_a_job_that_is_done_twice_makes_one_account(database_url: str, monkeypatch: pytest.MonkeyPatch):
    async def work(kept: Kept):
        run = kept.database.writer.run

        async def twice(job: Any) -> Any:
            await run(job)
            return await run(job)

        monkeypatch.setattr(kept.database.writer, "run", twice)
        account, _ = await kept.accounts.guest()
        _, token = await kept.accounts.claim(account.id, "Ivan", PASSWORD)
        _, token = await kept.accounts.log_in("Ivan", PASSWORD)
        _, token = await kept.accounts.change_password(account.id, PASSWORD, "another horse")
        monkeypatch.undo()
        assert await kept.accounts.find(token) == account
        assert len(await kept.rows(select(schema.account.c.id))) == 2, "the house's and this one"
        assert len(await kept.rows(select(schema.session.c.hash))) == 1

    with_accounts(database_url, work)


def test_only_so_many_sessions_are_remembered(database_url: str, monkeypatch: pytest.MonkeyPatch):
    async def work(kept: Kept):
        monkeypatch.setattr("dizhu.server.accounts.sessions._KEPT", 10)
        begun = [await kept.accounts.guest() for _ in range(30)]
        for account, token in begun:
            assert await kept.accounts.find(token) == account
        assert len(kept.accounts._sessions._known) == 10

    with_accounts(database_url, work)
