"""What becomes of an account: claimed, deleted, exported, and when two things happen to it at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import pytest
from argon2 import PasswordHasher
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.economy.check import check
from dizhu.server.economy.grants import BEGIN_WITH, give
from dizhu.server.store import schema
from server.accounts.harness import PASSWORD, Kept, code_of, kept

Work = Callable[[Kept], Coroutine[Any, Any, None]]


def with_accounts(url: str, work: Work) -> None:
    async def run():
        async with kept(url) as opened:
            await work(opened)

    asyncio.run(run())


async def plays(kept: Kept, winner: int, loser: int) -> None:
    """Let the host give two accounts beans, and write down a private hand of theirs, a block and a report."""

    async def job(connection: AsyncConnection) -> None:
        for account in (winner, loser):
            await give(connection, account, 10, 7, f"gift {account}")
        await connection.execute(insert(schema.table).values(id="t", variant="classic", options="{}", created_at=0))
        await connection.execute(
            insert(schema.hand).values(
                id=1, share="s", table_id="t", number=1, variant="classic", ended_at=7, multiplier=1, record="{}"
            )
        )
        seat = {"hand_id": 1, "beans": 0}
        seats = [
            {**seat, "seat": 0, "account_id": winner, "name": "Ivan", "role": "landlord", "won": 1, "points": 2},
            {**seat, "seat": 1, "account_id": loser, "name": "L", "role": "farmer", "won": 0, "points": -2},
        ]
        await connection.execute(insert(schema.hand_seat), seats)
        blocks = [{"account_id": one, "other_id": other, "at": 5} for one, other in ((winner, loser), (loser, winner))]
        await connection.execute(insert(schema.block), blocks)
        report = {"account_id": winner, "other_id": loser, "at": 6, "reason": "slow", "words": "too slow"}
        await connection.execute(insert(schema.report), report)

    await kept.database.writer.run(job)


def test_a_guest_who_claims_keeps_all_he_has(database_url: str):
    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        other, _ = await kept.accounts.guest()
        await plays(kept, guest.id, other.id)
        before = await kept.accounts.export(guest.id)
        account, token = await kept.accounts.claim(guest.id, "  Li  Na", PASSWORD)
        assert (account, account.name, account.claimed) == (guest, "Li Na", True)
        assert await kept.accounts.find(token) == guest
        assert (await kept.accounts.log_in("li na", PASSWORD))[0] == guest
        after = await kept.accounts.export(guest.id)
        assert (after.balances, after.entries, after.hands) == (before.balances, before.entries, before.hands)
        assert len(after.hands) == 1

    with_accounts(database_url, work)


def test_who_is_deleted_leaves_hands_and_bookings_and_no_name(database_url: str):
    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        account, token = await kept.accounts.claim(guest.id, "Ivan", PASSWORD)
        other, _ = await kept.accounts.guest()
        await plays(kept, account.id, other.id)
        await kept.accounts.delete(account.id, PASSWORD)
        assert await kept.accounts.find(token) is None
        assert await kept.accounts.named("Ivan") is None
        assert await code_of(kept.accounts.log_in("Ivan", PASSWORD)) == "wrong_login"
        for table in schema.metadata.sorted_tables:
            assert "Ivan" not in repr(await kept.rows(select(table)))
        seat = schema.hand_seat.c
        names = await kept.rows(select(seat.account_id, seat.name).order_by(seat.seat))
        assert names == [(account.id, "Deleted"), (other.id, "L")]
        assert not await kept.rows(select(schema.block))
        async with kept.database.reading() as connection:
            assert (await check(connection)).faults == ()
        balance = schema.balance.c
        owned = select(func.sum(func.abs(balance.amount))).where(balance.account_id == account.id)
        assert await kept.rows(owned) == [(0,)]
        # Whoever comes next may have the name.
        heir, _ = await kept.accounts.guest()
        await kept.accounts.claim(heir.id, "Ivan", PASSWORD)
        assert await kept.accounts.named("IVAN") == heir
        # What is gone cannot go again, nor come back.
        await kept.accounts.delete(account.id, PASSWORD)
        assert await code_of(kept.accounts.rename(account.id, "Anna")) == "not_claimed"
        assert await code_of(kept.accounts.claim(account.id, "Anna", PASSWORD)) == "already_claimed"
        assert await code_of(kept.accounts.suspend(account.id, "?")) == "unknown_account"

    with_accounts(database_url, work)


def test_an_export_tells_all_but_secrets(database_url: str):
    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        account, token = await kept.accounts.claim(guest.id, "Ivan", PASSWORD)
        other, _ = await kept.accounts.guest()
        await plays(kept, account.id, other.id)
        export = msgspec.to_builtins(await kept.accounts.export(account.id))
        now = kept.clock.wall()
        assert export["account"]["name"] == "Ivan"
        assert export["sessions"] == [{"created_at": now, "used_at": now}]
        assert {"currency": "beans", "amount": BEGIN_WITH + 10} in export["balances"]
        gift = {"at": 7, "kind": "gift", "hand_id": None, "currency": "beans", "amount": 10}
        assert export["entries"][-1] == gift
        assert [(hand["share"], hand["role"], hand["points"]) for hand in export["hands"]] == [("s", "landlord", 2)]
        assert export["blocked"] == [{"other_id": other.id, "at": 5}]
        assert [report["words"] for report in export["reports"]] == ["too slow"]
        text = msgspec.json.encode(export).decode()
        assert "argon2" not in text
        assert token not in text
        assert await code_of(kept.accounts.export(99)) == "unknown_account"

    with_accounts(database_url, work)


@pytest.mark.parametrize("name", ["Ivan", "lvan"])
def test_one_name_is_had_by_one_of_those_who_ask_at_the_same_time(database_url: str, name: str):
    async def work(kept: Kept):
        guests = [(await kept.accounts.guest())[0] for _ in range(5)]
        names = ["Ivan", name, "IVAN", "1van", "Iván"]
        asked = [
            kept.accounts.claim(guest.id, *pair) for guest, *pair in zip(guests, names, [PASSWORD] * 5, strict=True)
        ]
        codes = await asyncio.gather(*map(code_of, asked))
        assert sorted(codes, key=str) == [None] + ["name_taken"] * 4

    with_accounts(database_url, work)


def test_one_guest_is_claimed_once(database_url: str):
    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        names = ["Anna", "Boris", "Clara", "Dora"]
        codes = await asyncio.gather(*(code_of(kept.accounts.claim(guest.id, name, PASSWORD)) for name in names))
        assert sorted(codes, key=str) == [None] + ["already_claimed"] * 3
        owners = [await kept.accounts.named(name) for name in names]
        assert [owner for owner in owners if owner] == [guest]

    with_accounts(database_url, work)


def test_a_guest_claimed_meanwhile_is_not_deleted(database_url: str, monkeypatch: pytest.MonkeyPatch):
    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        run = kept.database.writer.run

        async def claim_first(job: Any) -> Any:
            monkeypatch.setattr(kept.database.writer, "run", run)
            await kept.accounts.claim(guest.id, "Ivan", PASSWORD)
            return await run(job)

        monkeypatch.setattr(kept.database.writer, "run", claim_first)
        assert await code_of(kept.accounts.delete(guest.id, None)) == "wrong_password"
        assert await kept.accounts.named("Ivan") == guest

    with_accounts(database_url, work)


def test_a_session_is_not_begun_with_a_password_changed_meanwhile(database_url: str, monkeypatch: pytest.MonkeyPatch):
    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        await kept.accounts.claim(guest.id, "Ivan", PASSWORD)
        run = kept.database.writer.run

        async def change_first(job: Any) -> Any:
            monkeypatch.setattr(kept.database.writer, "run", run)
            await kept.accounts.change_password(guest.id, PASSWORD, "another horse")
            return await run(job)

        monkeypatch.setattr(kept.database.writer, "run", change_first)
        assert await code_of(kept.accounts.log_in("Ivan", PASSWORD)) == "wrong_login"

    with_accounts(database_url, work)


def test_a_password_is_hashed_anew_when_the_parameters_have_changed(database_url: str):
    async def password(kept: Kept) -> str:
        return (await kept.rows(select(schema.account.c.password).where(schema.account.c.name == "Ivan")))[0][0]

    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        await kept.accounts.claim(guest.id, "Ivan", PASSWORD)
        before = await password(kept)
        await kept.accounts.log_in("Ivan", PASSWORD)
        assert await password(kept) == before
        stricter = DatabaseAccounts(kept.database, passwords=Passwords(rounds=2, memory_kib=8), clock=kept.clock)
        assert await code_of(stricter.log_in("Ivan", "wrong horse")) == "wrong_login"
        assert await password(kept) == before
        await stricter.log_in("Ivan", PASSWORD)
        assert "t=2," in await password(kept)
        await stricter.log_in("Ivan", PASSWORD)

    with_accounts(database_url, work)


@pytest.mark.parametrize("name", ["Ivan", "Nobody", "x", "\x00", "\ud800"])
def test_a_failed_log_in_is_the_same_work_whether_there_is_such_a_name_or_not(
    database_url: str, monkeypatch: pytest.MonkeyPatch, name: str
):
    checked: list[object] = []
    verify = PasswordHasher.verify

    def counting(self: PasswordHasher, hashed: Any, password: Any) -> Any:
        checked.append(hashed)
        return verify(self, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", counting)

    async def work(kept: Kept):
        guest, _ = await kept.accounts.guest()
        await kept.accounts.claim(guest.id, "Ivan", PASSWORD)
        assert await code_of(kept.accounts.log_in(name, "wrong horse")) == "wrong_login"
        assert len(checked) == 1

    with_accounts(database_url, work)


def test_the_house_is_no_account_of_a_player(database_url: str):
    async def work(kept: Kept):
        assert await kept.accounts.named("house") is None
        assert await code_of(kept.accounts.suspend(schema.HOUSE, "?")) == "unknown_account"
        assert await code_of(kept.accounts.log_in("house", "")) == "wrong_login"
        assert await code_of(kept.accounts.claim(schema.HOUSE, "Ivan", PASSWORD)) == "already_claimed"
        await kept.accounts.delete(schema.HOUSE, None)
        assert await kept.rows(select(schema.account.c.name, schema.account.c.deleted_at)) == [("house", None)]

    with_accounts(database_url, work)
