"""The description of the API, and that the API does what it describes, whatever it is asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from starlette.applications import Starlette

from dizhu.server import create_app
from dizhu.server.api import ENDPOINTS, document
from dizhu.server.api.codes import CODES
from server.accounts.harness import PASSWORD, cheap
from server.api.fuzz import EVIL, Asked, requests
from server.api.harness import HOST, UNLIMITED, refused

DESCRIBED: dict[str, Any] = json.loads(msgspec.json.encode(document(ENDPOINTS)))
BY_OPERATION = {(endpoint.method, endpoint.path): endpoint for endpoint in ENDPOINTS}


def test_every_endpoint_is_described():
    described = {(method.upper(), path) for path, methods in DESCRIBED["paths"].items() for method in methods}
    assert described == BY_OPERATION.keys()
    for (method, path), endpoint in BY_OPERATION.items():
        operation = DESCRIBED["paths"][path][method.lower()]
        assert operation["summary"].endswith(".")
        codes = {
            code
            for status, response in operation["responses"].items()
            if status != "200"
            for code in response["content"]["application/json"]["schema"]["properties"]["code"]["enum"]
        }
        assert codes == endpoint.refusals
        assert {} in operation["security"] or endpoint.who == "session"
        places = {parameter["name"]: parameter["in"] for parameter in operation.get("parameters", ())}
        assert sorted(name for name, place in places.items() if place == "path") == sorted(endpoint.in_path)
        if method == "GET":
            assert places.keys() == set(endpoint.request.__struct_fields__)


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for methods in DESCRIBED["paths"].values() for operation in methods.values()]
    assert len(set(names)) == len(names)


def test_all_that_is_referred_to_is_there():
    text = json.dumps(DESCRIBED)
    for reference in set(text.split('"$ref": "#/components/schemas/')[1:]):
        assert reference.partition('"')[0] in DESCRIBED["components"]["schemas"]


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.method} {endpoint.path}")
def test_texts_and_numbers_are_bounded(endpoint: Any):
    """A number without bounds may be too large for the database, a text without bounds too long for anything."""

    def unbounded(schema: Any) -> bool:
        if isinstance(schema, dict):
            kind = schema.get("type")
            if kind == "integer" and not {"minimum", "maximum"} <= schema.keys():
                return True
            if kind == "string" and "maxLength" not in schema and "enum" not in schema:
                return True
            return any(map(unbounded, schema.values()))
        return isinstance(schema, list) and any(map(unbounded, schema))

    assert not unbounded(msgspec.json.schema(endpoint.request)["$defs"])


class Site:
    """The whole server, and those who ask it."""

    def __init__(self, app: Starlette) -> None:
        self._transport = httpx.ASGITransport(app)
        self._accounts = app.state.accounts

    async def ask(self, asked: Asked) -> httpx.Response:
        headers = {"content-type": asked.kind, **await self._credentials(asked.caller)}
        if asked.origin is not None:
            headers["origin"] = asked.origin
        async with httpx.AsyncClient(transport=self._transport, base_url=HOST) as caller:
            return await caller.request(asked.method, asked.url, content=asked.body, headers=headers)

    async def _credentials(self, caller: str) -> dict[str, str]:
        """Make a session. The player is always called Ivan, until he changes it."""
        if caller == "nobody":
            return {}
        if caller == "forged":
            return {"authorization": "Bearer forged"}
        account, token = await self._accounts.guest()
        if caller == "player":
            if (former := await self._accounts.named("Ivan")) is not None:
                await self._accounts.rename(former.id, f"Ivan {former.id}")
            _, token = await self._accounts.claim(account.id, "Ivan", PASSWORD)
        return {"cookie": f"dizhu_session={token}"} if caller == "cookie" else {"authorization": f"Bearer {token}"}


@asynccontextmanager
async def site(url: str) -> AsyncGenerator[Site]:
    app = create_app(UNLIMITED, database=url)
    async with app.router.lifespan_context(app):
        app.state.accounts._passwords = cheap()
        yield Site(app)


def check(asked: Asked, answer: httpx.Response) -> None:
    """An answer is one that the description foretells."""
    endpoint = BY_OPERATION[asked.method, asked.path]
    if answer.status_code == 200:
        msgspec.json.decode(answer.content, type=endpoint.answer)
        assert endpoint.who == "anyone" or asked.caller not in ("nobody", "forged")
        assert asked.method == "GET" or asked.origin != EVIL
        return
    status, code = refused(answer)
    # An empty part of a path, or one with a slash in it, makes another address of it.
    assert code in endpoint.refusals or (code == "not_found" and endpoint.in_path)
    assert status == CODES[code].status < 500, "nothing has failed, and nothing is too much"
    assert str(status) in asked.operation["responses"] or code == "not_found"


@pytest.mark.slow
def test_the_api_answers_as_it_is_described_whatever_it_is_asked(database_url: str):
    statuses: dict[str, set[int]] = {}

    async def run(work: Any) -> Any:
        return await work

    with asyncio.Runner() as runner:
        opened = site(database_url)
        server = runner.run(run(opened.__aenter__()))

        @settings(max_examples=500, suppress_health_check=[HealthCheck.too_slow, HealthCheck.nested_given])
        @given(requests(DESCRIBED))
        def ask(asked: Asked) -> None:
            answer = runner.run(server.ask(asked))
            statuses.setdefault(f"{asked.method} {asked.path}", set()).add(answer.status_code)
            check(asked, answer)

        try:
            ask()
        finally:
            runner.run(run(opened.__aexit__(None, None, None)))
    assert set(statuses) == {" ".join(operation) for operation in BY_OPERATION}
    # The requests are good enough to be answered, and bad enough to be refused.
    assert [name for name, found in statuses.items() if not found & {200, 404, 409}] == []
    assert set.union(*statuses.values()) >= {200, 400, 401, 403, 409, 415, 422}
