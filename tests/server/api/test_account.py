"""Sessions and accounts over HTTP: of browsers with cookies, and of programs with tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from server.accounts.harness import PASSWORD
from server.api.harness import UNLIMITED, Api, api, refused

IVAN = {"name": "Ivan", "password": PASSWORD}
COOKIE = "dizhu_session"


def with_api(url: str, work: Callable[[Api], Coroutine[Any, Any, None]], **options: Any) -> None:
    async def run():
        async with api(url, **options) as opened:
            await work(opened)

    asyncio.run(run())


async def me(caller: httpx.AsyncClient) -> dict[str, Any]:
    answer = await caller.get("/api/me")
    assert answer.status_code == 200
    return answer.json()


def test_a_browser_gets_a_guest_by_a_cookie_that_scripts_cannot_read(database_url: str):
    async def work(site: Api):
        browser = site.caller()
        assert refused(await browser.get("/api/me")) == (401, "no_session")
        answer = await browser.post("/api/session")
        told = answer.json()
        assert told["token"] is None
        assert told["me"]["name"].startswith("Guest ")
        cookie = answer.headers["set-cookie"].split("; ")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie)
        assert "Secure" not in cookie
        assert await me(browser) == told["me"]
        again = await browser.post("/api/session")
        assert again.json() == told
        assert "set-cookie" not in again.headers

    with_api(database_url, work)


def test_over_https_the_cookie_goes_nowhere_else(database_url: str):
    async def work(site: Api):
        answer = await site.caller(base="https://dizhu.example").post("/api/session")
        assert "Secure" in answer.headers["set-cookie"].split("; ")

    with_api(database_url, work)


def test_a_program_is_told_its_token_once(database_url: str):
    async def work(site: Api):
        answer = await site.caller().post("/api/session", json={"bearer": True})
        assert "set-cookie" not in answer.headers
        program = site.caller(answer.json()["token"])
        assert await me(program) == answer.json()["me"]
        assert (await program.post("/api/session", json={"bearer": True})).json()["token"] is None
        claimed = await program.post("/api/account/claim", json=IVAN)
        assert "set-cookie" not in claimed.headers
        assert refused(await program.get("/api/me")) == (401, "no_session")
        program = site.caller(claimed.json()["token"])
        changed = await program.post("/api/account/password", json={"old": PASSWORD, "new": "another horse"})
        assert refused(await program.get("/api/me")) == (401, "no_session")
        assert (await me(site.caller(changed.json()["token"])))["name"] == "Ivan"

    with_api(database_url, work)


def test_the_life_of_an_account(database_url: str):
    async def work(site: Api):
        browser = await site.guest()
        guest = await me(browser)
        old = browser.cookies[COOKIE]
        claimed = await browser.post("/api/account/claim", json=IVAN)
        assert claimed.json() == {"me": {"id": guest["id"], "name": "Ivan", "claimed": True}, "token": None}
        assert refused(await site.caller(old).get("/api/me")) == (401, "no_session")
        assert (await browser.post("/api/account/rename", json={"name": "Anna"})).json()["name"] == "Anna"
        elsewhere = site.caller()
        logged_in = await elsewhere.post("/api/account/login", json={"name": " ANNA", "password": PASSWORD})
        assert logged_in.json()["me"] == await me(browser) == await me(elsewhere)
        assert (await browser.post("/api/account/logout")).json() == {}
        assert refused(await browser.get("/api/me")) == (401, "no_session")
        assert COOKIE not in browser.cookies
        assert (await me(elsewhere))["name"] == "Anna"
        await browser.post("/api/account/login", json={"name": "anna", "password": PASSWORD})
        assert (await elsewhere.post("/api/account/logout-everywhere")).status_code == 200
        for caller in (browser, elsewhere):
            assert refused(await caller.get("/api/me")) == (401, "no_session")
        await browser.post("/api/account/login", json={"name": "anna", "password": PASSWORD})
        answer = await browser.request("DELETE", "/api/account", json={"password": PASSWORD})
        assert answer.json() == {}
        assert refused(await browser.get("/api/me")) == (401, "no_session")
        answer = await browser.post("/api/account/login", json={"name": "anna", "password": PASSWORD})
        assert refused(answer) == (403, "wrong_login")

    with_api(database_url, work)


REFUSED = [
    ("claim", {"name": "Anna", "password": "short"}, 422, "bad_password"),
    ("claim", {"name": "admin", "password": PASSWORD}, 422, "bad_name"),
    ("claim", {"name": "IVAN", "password": PASSWORD}, 409, "name_taken"),
    ("rename", {"name": "Anna"}, 409, "not_claimed"),
    ("password", {"old": PASSWORD, "new": PASSWORD}, 409, "not_claimed"),
    ("login", {"name": "Ivan", "password": "wrong horse"}, 403, "wrong_login"),
    ("login", {"name": "Nobody", "password": PASSWORD}, 403, "wrong_login"),
    ("login", {"name": "\u202e", "password": PASSWORD}, 403, "wrong_login"),
    ("login", {"name": "\u0000", "password": PASSWORD}, 400, "bad_request"),
    ("login", {"name": "Ivan", "password": "x" * 257}, 400, "bad_request"),
]


@pytest.mark.parametrize(("what", "fields", "status", "code"), REFUSED)
def test_what_a_guest_is_refused(database_url: str, what: str, fields: dict[str, str], status: int, code: str):
    async def work(site: Api):
        await site.player("Ivan", PASSWORD)
        guest = await site.guest()
        before = await me(guest)
        assert refused(await guest.post(f"/api/account/{what}", json=fields)) == (status, code)
        assert await me(guest) == before

    with_api(database_url, work)


def test_what_a_player_is_refused(database_url: str):
    async def work(site: Api):
        await site.player("Anna", PASSWORD)
        player = await site.player("Ivan", PASSWORD)
        before = await me(player)
        for method, path, fields, expected in (
            ("POST", "claim", {"name": "Boris", "password": PASSWORD}, (409, "already_claimed")),
            ("POST", "rename", {"name": "Ánna"}, (409, "name_taken")),
            ("POST", "rename", {"name": "a"}, (422, "bad_name")),
            ("POST", "password", {"old": "wrong horse", "new": PASSWORD}, (403, "wrong_password")),
            ("POST", "password", {"old": PASSWORD, "new": "short"}, (422, "bad_password")),
            ("DELETE", "", {"password": "wrong horse"}, (403, "wrong_password")),
            ("DELETE", "", {}, (403, "wrong_password")),
        ):
            answer = await player.request(method, f"/api/account/{path}".rstrip("/"), json=fields)
            assert refused(answer) == expected
            assert await me(player) == before
        assert (await player.post("/api/account/rename", json={"name": "a"})).json()["detail"] == {"why": "too_short"}

    with_api(database_url, work)


def test_a_guest_is_deleted_without_a_password(database_url: str):
    async def work(site: Api):
        guest = await site.guest()
        assert (await guest.delete("/api/account")).json() == {}
        assert refused(await guest.get("/api/me")) == (401, "no_session")

    with_api(database_url, work)


@pytest.mark.parametrize(
    "header", ["Bearer x", "Bearer ", "bearer", "Basic eDp5", "Bearer \u00ff", "Bearer " + "x" * 5000, "x"]
)
def test_a_wrong_token_is_no_session(database_url: str, header: str):
    async def work(site: Api):
        await site.guest()
        answer = await site.caller().get("/api/me", headers={b"authorization": header.encode("latin-1")})
        assert refused(answer) == (401, "no_session")
        assert answer.headers["www-authenticate"] == "Bearer"

    with_api(database_url, work)


def test_a_wrong_cookie_is_no_session_and_is_replaced(database_url: str):
    async def work(site: Api):
        for cookie in ("x", "", '"', "x" * 4000):
            browser = site.caller(cookie=f"{COOKIE}={cookie}")
            assert refused(await browser.get("/api/me")) == (401, "no_session")
            assert "set-cookie" in (await browser.post("/api/session")).headers

    with_api(database_url, work)


def test_after_a_rotation_of_the_secrets_everybody_logs_in_anew(database_url: str):
    async def work(site: Api):
        player, guest = await site.player("Ivan", PASSWORD), await site.guest()
        await site.accounts.rotate_secrets()
        for caller in (player, guest):
            assert refused(await caller.get("/api/me")) == (401, "no_session")
        assert (await player.post("/api/account/login", json=IVAN)).status_code == 200
        assert (await me(player))["name"] == "Ivan"

    with_api(database_url, work)


def test_who_is_suspended_is_told_until_when(database_url: str):
    async def work(site: Api):
        player = await site.player("Ivan", PASSWORD)
        await site.accounts.suspend((await me(player))["id"], "cheated", until=site.clock.wall() + 1000)
        detail = {"until": site.clock.wall() + 1000}
        for answer in (await player.get("/api/me"), await player.post("/api/account/login", json=IVAN)):
            assert refused(answer) == (403, "suspended")
            assert answer.json()["detail"] == detail
        await site.player("Anna", PASSWORD)
        answer = await player.post("/api/account/login", json={"name": "Anna", "password": PASSWORD})
        assert answer.json()["me"]["name"] == "Anna"

    with_api(database_url, work)


def test_a_log_in_is_the_same_work_whether_there_is_such_a_name_or_not(
    database_url: str, monkeypatch: pytest.MonkeyPatch
):
    checked: list[object] = []
    verify = PasswordHasher.verify

    def counting(self: PasswordHasher, hashed: Any, password: Any) -> Any:
        checked.append(hashed)
        return verify(self, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", counting)

    async def work(site: Api):
        await site.player("Ivan", PASSWORD)
        for name in ("Ivan", "Nobody", "bot 1", "\u202e"):
            checked.clear()
            answer = await site.caller().post("/api/account/login", json={"name": name, "password": "wrong horse"})
            assert (refused(answer), len(checked)) == ((403, "wrong_login"), 1)

    with_api(database_url, work)


ORIGINS = ["http://evil.example", "null", "http://dizhu.example:81", "https://dizhu.example.evil.example", ""]


@pytest.mark.parametrize("origin", ORIGINS)
def test_pages_from_elsewhere_change_nothing(database_url: str, origin: str):
    async def work(site: Api):
        player = await site.player("Ivan", PASSWORD)
        header = {"origin": origin}
        for path in ("session", "account/logout", "account/logout-everywhere"):
            assert refused(await player.post(f"/api/{path}", headers=header)) == (403, "wrong_origin")
        for path, fields in (("rename", {"name": "Anna"}), ("login", IVAN)):
            assert refused(await player.post(f"/api/account/{path}", json=fields, headers=header))[1] == "wrong_origin"
        answer = await player.request("DELETE", "/api/account", json={"password": PASSWORD}, headers=header)
        assert refused(answer) == (403, "wrong_origin")
        assert (await me(player))["name"] == "Ivan"
        assert "access-control-allow-origin" not in (await player.get("/api/me", headers=header)).headers

    with_api(database_url, work)


OTHER = "https://other.example"


@pytest.mark.parametrize(
    ("origin", "origins", "status"),
    [
        ("http://dizhu.example", frozenset[str](), 200),
        ("https://dizhu.example", frozenset[str](), 200),
        (OTHER, frozenset[str](), 403),
        (OTHER, frozenset({OTHER}), 200),
        ("https://dizhu.example", frozenset({OTHER}), 403),
    ],
)
def test_pages_from_here_or_else_from_where_the_host_says_may_change_things(
    database_url: str, origin: str, origins: frozenset[str], status: int
):
    async def work(site: Api):
        answer = await site.caller().post("/api/session", headers={"origin": origin})
        assert answer.status_code == status

    with_api(database_url, work, settings=replace(UNLIMITED, origins=origins))
