"""What every request has to pass, and the one form of all errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from msgspec import Meta
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from dizhu.errors import DizhuError
from dizhu.server.api import ENDPOINTS, Answer, Call, Endpoint, Id, Request
from dizhu.server.api.routing import BODY_BYTES
from dizhu.server.store.writer import StoreFailed
from server.accounts.harness import PASSWORD
from server.api.harness import Api, api, refused
from server.harness import serving

Count = Annotated[int, Meta(ge=1, le=100)]


class Page(Request, frozen=True):
    """A page of something."""

    which: Id
    count: Count = 20
    deep: bool = False


class Words(Request, frozen=True):
    """Some words."""

    words: tuple[str, ...]
    count: Count = 20


class Told(Answer, frozen=True):
    """What was asked."""

    asked: Page | None = None
    words: Words | None = None


class Fault(Request, frozen=True):
    """What is to go wrong."""

    which: str


async def turn(call: Call[Page]) -> Told:
    """Tell what was asked."""
    return Told(asked=call.request)


async def say(call: Call[Words]) -> Told:
    """Tell what was said."""
    return Told(words=call.request)


FAULTY = text("SELECT :x FROM nothing").bindparams(x="secret")


async def fail(call: Call[Fault]) -> Told:
    """Go wrong."""
    match call.request.which:
        case "undeclared":
            raise DizhuError("name_taken", "this code is not declared")
        case "unknown":
            raise DizhuError("no_such_code", "this code is not even known")
        case "store":
            raise StoreFailed
        case "gone":
            async with call.database.reading():
                raise OperationalError("SELECT 'secret'", {}, Exception("the connection is closed"))
        case "refused":
            async with call.database.reading():
                raise ConnectionRefusedError
        case "statement":
            async with call.database.reading() as connection:
                await connection.execute(FAULTY)
        case "job":
            await call.database.writer.run(lambda connection: connection.execute(FAULTY))
        case _:
            pass
    raise RuntimeError("a fault")


MORE: tuple[Endpoint[Any, Any], ...] = (
    Endpoint("GET", "/api/page/{which}", turn, Page, Told, who="anyone"),
    Endpoint("POST", "/api/words", say, Words, Told, who="anyone", rate="writes"),
    Endpoint("GET", "/api/fail", fail, Fault, Told, who="anyone"),
)


def with_api(url: str, work: Callable[[Api], Coroutine[Any, Any, None]]) -> None:
    async def run():
        async with api(url, more=MORE) as opened:
            await work(opened)

    asyncio.run(run())


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Where it makes no difference which database it is."""
    return f"sqlite:///{tmp_path / 'dizhu.sqlite3'}"


QUERIES = [
    ("1", {"which": 1, "count": 20, "deep": False}),
    ("9007199254740991?count=100&deep=true", {"which": 2**53 - 1, "count": 100, "deep": True}),
    ("0", None),
    ("9007199254740992", None),
    ("1.5", None),
    ("one", None),
    ("%00", None),
    ("%ff", None),
    ("1?count=101", None),
    ("1?count=", None),
    ("1?count=1&count=2", None),
    ("1?which=2", None),
    ("1?unknown=1", None),
    ("1?deep=perhaps", None),
    ("1?" + "x" * 5000, None),
]


@pytest.mark.parametrize(("path", "told"), QUERIES)
def test_a_get_is_read_from_path_and_query(url: str, path: str, told: dict[str, Any] | None):
    async def work(site: Api):
        answer = await site.caller().get(f"/api/page/{path}")
        if told is None:
            assert refused(answer) == (400, "bad_request")
            assert answer.json()["detail"]["why"]
        else:
            assert answer.json()["asked"] == told

    with_api(url, work)


BODIES = [
    b"{",
    b"[]",
    b"null",
    b'"words"',
    b"{}",
    b'{"words": ["a"], "unknown": 1}',
    b'{"words": "a"}',
    b'{"words": [1]}',
    b'{"words": [null]}',
    b'{"words": [], "count": 0}',
    b'{"words": [], "count": 1.5}',
    b'{"words": [], "count": "1"}',
    b'{"words": [], "count": 1e99}',
    b'{"words": [], "count": 1' + b"0" * 5000 + b"}",
    b'{"words": [], "count": NaN}',
    b'{"words": ["a\\u0000b"]}',
    b'{"words": ["\\ud800"]}',
    b'{"words": ["\xff"]}',
    b'{"words": [\x00]}',
    b"[" * 4000,
    b'{"words":' * 500,
    b'{"words": []} {}',
    '{"words": []}'.encode("utf-16"),
    b"\xef\xbb\xbf{}",
]


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body)[:40])
def test_a_body_that_does_not_fit_is_refused(url: str, body: bytes):
    async def work(site: Api):
        answer = await site.caller().post("/api/words", content=body, headers={"content-type": "application/json"})
        assert refused(answer) == (400, "bad_request")
        assert answer.json()["detail"]["why"]

    with_api(url, work)


def test_a_whole_number_is_one_however_it_is_written(url: str):
    async def work(site: Api):
        for written in ("2", "2.0", "0.2e1", "20e-1"):
            body = f'{{"words": [], "count": {written}}}'
            answer = await site.caller().post("/api/words", content=body, headers={"content-type": "application/json"})
            assert answer.json()["words"]["count"] == 2

    with_api(url, work)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/jsonp", 415),
        ("", 415),
    ],
)
def test_a_body_is_declared_as_json(url: str, kind: str, status: int):
    async def work(site: Api):
        answer = await site.caller().post("/api/words", content=b'{"words": []}', headers={"content-type": kind})
        if status == 200:
            assert answer.json()["words"] == {"words": [], "count": 20}
        else:
            assert refused(answer) == (status, "not_json")

    with_api(url, work)


def test_where_nothing_has_to_be_said_nothing_need_be_sent(url: str):
    async def work(site: Api):
        assert (await site.caller().post("/api/session")).status_code == 200
        assert refused(await site.caller().post("/api/words")) == (400, "bad_request")
        assert refused(await site.caller().post("/api/session?bearer=true")) == (400, "bad_request")

    with_api(url, work)


def test_a_body_has_8_kib_at_most_however_it_comes(url: str):
    async def parts(size: int, sent: list[int]) -> AsyncGenerator[bytes]:
        yield b'{"words": ["'
        for _ in range(size // 1000):
            sent.append(1000)
            yield b"x" * 1000
        yield b'"]}'

    async def work(site: Api):
        headers = {"content-type": "application/json"}
        caller = site.caller()
        body = b'{"words": ["' + b"x" * (BODY_BYTES - 15) + b'"]}'
        assert len(body) == BODY_BYTES == 8192
        assert (await caller.post("/api/words", content=body, headers=headers)).status_code == 200
        answer = await caller.post("/api/words", content=body + b" ", headers=headers)
        assert refused(answer) == (413, "too_large")
        assert answer.json()["detail"] == {"bytes": 8192}
        sent: list[int] = []
        answer = await caller.post("/api/words", content=parts(1_000_000, sent), headers=headers)
        assert refused(answer) == (413, "too_large")
        assert sum(sent) <= 10_000, "the rest is not even read"

    with_api(url, work)


def test_a_body_that_does_not_come_is_not_waited_for(url: str, monkeypatch: pytest.MonkeyPatch):
    async def never() -> AsyncGenerator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async def work(site: Api):
        monkeypatch.setattr("dizhu.server.api.routing._BODY_SECONDS", 0.01)
        answer = await site.caller().post("/api/words", content=never())
        assert refused(answer) == (408, "too_slow")

    with_api(url, work)


def test_whoever_hangs_up_is_not_answered(url: str):
    async def work(site: Api):
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"content-type", b"application/json"), (b"content-length", b"10")]
        scope = {"type": "http", "method": "POST", "path": "/api/words", "query_string": b"", "headers": headers}
        await site.app(scope, receive, send)
        assert not sent

    with_api(url, work)


def test_other_methods_and_other_addresses_are_refused(url: str):
    async def work(site: Api):
        caller = await site.guest()
        for path in sorted({"/api/openapi.json", *(endpoint.path for endpoint in ENDPOINTS)}):
            known = {endpoint.method for endpoint in ENDPOINTS if endpoint.path == path} or {"GET"}
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} - known:
                answer = await caller.request(method, path)
                assert refused(answer) == (405, "wrong_method")
                assert answer.headers["allow"] == ", ".join(sorted(known))
        for path in ("/api/nothing", "/api/", "/api/me/", "/api//me", "/api/%00", "/api/\u4f60", "/api/../api/no"):
            for method in ("GET", "POST", "OPTIONS"):
                assert refused(await caller.request(method, path)) == (404, "not_found")
        head = await caller.head("/api/me")
        assert head.status_code == 200

    with_api(url, work)


@pytest.mark.parametrize("who", ["session", "anyone"])
def test_without_a_session_the_endpoints_for_players_are_closed(url: str, who: str):
    async def work(site: Api):
        asked = [endpoint for endpoint in ENDPOINTS if endpoint.who == who and not endpoint.in_path]
        assert asked
        for endpoint in asked:
            answer = await site.caller().request(endpoint.method, endpoint.path)
            assert (answer.status_code == 401) == (who == "session")

    with_api(url, work)


FAULTS = [
    ("undeclared", (500, "internal")),
    ("unknown", (500, "internal")),
    ("other", (500, "internal")),
    ("store", (503, "store_failed")),
    ("gone", (503, "store_failed")),
    ("refused", (503, "store_failed")),
]


@pytest.mark.parametrize(("which", "expected"), FAULTS)
def test_a_fault_is_a_code_without_a_traceback(
    url: str, which: str, expected: tuple[int, str], caplog: pytest.LogCaptureFixture
):
    async def work(site: Api):
        answer = await site.caller().get(f"/api/fail?which={which}")
        assert refused(answer) == expected
        assert answer.json()["detail"] == {}

    with_api(url, work)
    assert which == "store" or caplog.records
    assert "secret" not in caplog.text


@pytest.mark.parametrize("which", ["statement", "job"])
def test_a_faulty_statement_is_a_fault_of_the_server_and_its_values_are_not_logged(
    database_url: str, which: str, caplog: pytest.LogCaptureFixture
):
    async def work(site: Api):
        answer = await site.caller().get(f"/api/fail?which={which}")
        assert refused(answer) == (500, "internal")
        assert answer.json()["detail"] == {}
        await site.guest()

    with_api(database_url, work)
    (record,) = caplog.records
    assert record.exc_info
    assert "secret" not in caplog.text


def test_an_endpoint_declares_only_what_there_is():
    for wrong in (
        {"codes": ("no_such_code",)},
        {"path": "/api/page/{other}"},
        {"method": "POST", "path": "/api/page/{which}"},
    ):
        declared: Any = {
            "method": "GET",
            "path": "/api/page",
            "handler": turn,
            "request": Page,
            "answer": Told,
            **wrong,
        }
        with pytest.raises(AssertionError):
            Endpoint(**declared)


@pytest.mark.slow
def test_over_a_real_socket(tmp_path: Path):
    async def run():
        async with serving(database=f"sqlite:///{tmp_path / 'dizhu.sqlite3'}") as server:
            async with httpx.AsyncClient(base_url=f"http://{server.address}") as caller:
                big = b'{"name": "' + b"x" * 10_000_000 + b'"}'
                headers = {"content-type": "application/json"}
                answer = await caller.post("/api/account/login", content=big, headers=headers)
                assert refused(answer) == (413, "too_large")
                assert (await caller.post("/api/session")).status_code == 200
                claimed = await caller.post("/api/account/claim", json={"name": "Ivan", "password": PASSWORD})
                assert claimed.status_code == 200
                assert "content-security-policy" in claimed.headers
                described = (await caller.get("/api/openapi.json")).json()
                assert described["openapi"].startswith("3.1")

    asyncio.run(run())
