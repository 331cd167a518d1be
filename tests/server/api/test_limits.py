"""How much may be asked in a time: by an account, by an address, with wrong passwords, and as new guests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection

from dizhu.errors import DizhuError
from dizhu.server import visitors
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.limits import Bucket, Buckets
from dizhu.server.settings import Rate, Settings
from server.accounts.harness import PASSWORD
from server.api.harness import UNLIMITED, Api, api, refused

WRONG = {"name": "Ivan", "password": "wrong horse"}
RIGHT = {"name": "Ivan", "password": PASSWORD}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'dizhu.sqlite3'}"


def with_api(
    url: str, settings: Settings, work: Callable[[Api], Coroutine[Any, Any, None]], passwords: Passwords | None = None
) -> None:
    async def run():
        async with api(url, settings, passwords=passwords) as opened:
            await work(opened)

    asyncio.run(run())


async def log_in(caller: httpx.AsyncClient, fields: dict[str, str]) -> httpx.Response:
    return await caller.post("/api/account/login", json=fields)


def test_a_bucket_fills_with_time():
    bucket = Bucket(Rate(burst=2, per_second=0.5), 100)
    assert [bucket.take(100) for _ in range(3)] == [True, True, False]
    assert bucket.wait(100) == 2
    assert not bucket.take(101)
    assert bucket.take(102)
    bucket.give_back()
    assert bucket.wait(102) == 0
    for _ in range(9):
        bucket.give_back()
    assert [bucket.take(1000) for _ in range(3)] == [True, True, False]


def test_buckets_longest_unused_are_forgotten(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dizhu.server.limits._KEPT", 3)
    buckets = Buckets(Rate(burst=1, per_second=0))
    for key in "abcabd":
        buckets.bucket(key, 0).take(0)
    assert [buckets.bucket(key, 0).take(0) for key in "abd"] == [False, False, False]
    assert buckets.bucket("c", 0).take(0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("a socket", "a socket", True),
    ],
)
def test_addresses_of_one_home_are_one(one: str, other: str, same: bool):
    addresses = [
        visitors.address(HTTPConnection({"type": "http", "headers": [], "client": (host, 1)})) for host in (one, other)
    ]
    assert (addresses[0] == addresses[1]) == same


def test_an_account_that_asks_too_much_has_to_wait(url: str):
    async def work(site: Api):
        busy, other = await site.guest(), await site.guest()
        for _ in range(3):
            assert (await busy.get("/api/me")).status_code == 200
        answer = await busy.get("/api/me")
        assert refused(answer) == (429, "too_fast")
        assert (answer.json()["detail"], answer.headers["retry-after"]) == ({"seconds": 2}, "2")
        assert (await other.get("/api/me")).status_code == 200
        site.clock.seconds += 2
        assert (await busy.get("/api/me")).status_code == 200
        assert refused(await busy.get("/api/me")) == (429, "too_fast")

    with_api(url, replace(UNLIMITED, reads=Rate(3, 0.5), crowd=100), work)


def test_an_address_that_asks_too_much_has_to_wait_whoever_it_is(url: str):
    async def work(site: Api):
        for _ in range(3):
            assert refused(await site.caller().get("/api/me")) == (401, "no_session")
        assert refused(await site.caller(token="x").get("/api/me")) == (429, "too_fast")
        # What costs more is counted apart.
        assert (await site.caller().post("/api/session")).status_code == 200
        assert refused(await site.caller(address="192.0.2.2").get("/api/me")) == (401, "no_session")

    with_api(url, replace(UNLIMITED, reads=Rate(1.5, 0.5), crowd=2), work)


def test_an_address_has_so_many_new_guests(url: str):
    async def work(site: Api):
        first = await site.guest()
        await site.guest()
        for caller in (site.caller(), site.caller("x"), site.caller(address="::ffff:192.0.2.1")):
            answer = await caller.post("/api/session")
            assert refused(answer) == (429, "too_many_guests")
            assert answer.json()["detail"] == {"seconds": 100}
        assert (await first.post("/api/session")).status_code == 200, "whoever has a session is no new guest"
        await site.guest(address="2001:db8::1")
        await site.guest(address="2001:db8::2")
        answer = await site.caller(address="2001:db8::3").post("/api/session")
        assert refused(answer) == (429, "too_many_guests")
        site.clock.seconds += 100
        await site.guest()

    with_api(url, replace(UNLIMITED, guests=Rate(2, 0.01)), work)


def test_a_name_is_tried_so_often_from_wherever(url: str):
    async def work(site: Api):
        await site.player("Ivan", PASSWORD)
        await site.player("Anna", PASSWORD)
        for host in range(3):
            # Who logs in in between has not failed.
            for caller in (site.caller(address=f"198.51.100.{host}"), site.caller()):
                assert (await log_in(caller, RIGHT)).status_code == 200
            answer = await log_in(
                site.caller(address=f"203.0.113.{host}"), {**WRONG, "name": ("1van", "IVAN", "lv\u0430n")[host]}
            )
            assert refused(answer) == (403, "wrong_login")
        for fields in (WRONG, RIGHT):
            answer = await log_in(site.caller(address="203.0.113.9"), fields)
            assert refused(answer) == (429, "too_many_attempts")
            assert (answer.json()["detail"], answer.headers["retry-after"]) == ({"seconds": 100}, "100")
        assert (await log_in(site.caller(), {**RIGHT, "name": "Anna"})).status_code == 200
        site.clock.seconds += 100
        assert (await log_in(site.caller(), RIGHT)).status_code == 200

    with_api(url, replace(UNLIMITED, failed_logins=Rate(3, 0.01)), work)


def test_an_address_tries_so_many_passwords_with_whatever_name(url: str):
    async def work(site: Api):
        await site.player("Ivan", PASSWORD, address="198.51.100.1")
        for name in ("Nobody", "Ivan", "x", "bot 1"):
            answer = await log_in(site.caller(), {**WRONG, "name": name})
            assert refused(answer) == (403, "wrong_login")
        assert refused(await log_in(site.caller(), RIGHT)) == (429, "too_many_attempts")
        assert (await log_in(site.caller(address="198.51.100.1"), RIGHT)).status_code == 200

    with_api(url, replace(UNLIMITED, address_failed_logins=Rate(4, 0.01)), work)


def test_many_at_once_try_no_more_than_one_after_another(url: str):
    async def work(site: Api):
        await site.player("Ivan", PASSWORD)
        answers = await asyncio.gather(*(log_in(site.caller(), WRONG) for _ in range(20)))
        codes = sorted(refused(answer)[1] for answer in answers)
        assert codes == ["too_many_attempts"] * 17 + ["wrong_login"] * 3

    with_api(url, replace(UNLIMITED, failed_logins=Rate(3, 0.01)), work)


def test_the_own_password_is_tried_so_often_too(url: str):
    async def work(site: Api):
        player = await site.player("Ivan", PASSWORD)
        change = {"old": "wrong horse", "new": "another horse"}
        for _ in range(2):
            assert refused(await player.post("/api/account/password", json=change)) == (403, "wrong_password")
        answer = await player.request("DELETE", "/api/account", json={"password": "wrong horse"})
        assert refused(answer) == (403, "wrong_password")
        right = {"old": PASSWORD, "new": "another horse"}
        assert refused(await player.post("/api/account/password", json=right)) == (429, "too_many_attempts")
        site.clock.seconds += 100
        # A new password that is too short is no wrong one.
        for _ in range(5):
            answer = await player.post("/api/account/password", json={**right, "new": "short"})
            assert refused(answer) == (422, "bad_password")
        assert (await player.post("/api/account/password", json=right)).status_code == 200

    with_api(url, replace(UNLIMITED, failed_logins=Rate(3, 0.01)), work)


def test_when_too_many_passwords_wait_the_next_is_refused_and_has_not_failed(url: str):
    class Busy(Passwords):
        async def verify(self, hashed: str | None, password: str) -> bool:
            raise DizhuError("busy", "too many passwords are being checked at the moment")

    async def work(site: Api):
        for _ in range(5):
            assert refused(await log_in(site.caller(), WRONG)) == (503, "busy")

    with_api(url, replace(UNLIMITED, failed_logins=Rate(3, 0.01)), work, Busy(rounds=1, memory_kib=8))
