"""From endpoints to routes: all that every request has to pass before its handler, and how it is answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HTTPRequest
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from dizhu.errors import DizhuError
from dizhu.server import visitors
from dizhu.server.accounts import Account, DatabaseAccounts
from dizhu.server.api.codes import CODES
from dizhu.server.api.endpoint import Call, Endpoint, Nothing, Request
from dizhu.server.api.openapi import Description, document
from dizhu.server.limits import Limits

BODY_BYTES = 8 * 1024
"""The longest body of a request."""

_BODY_SECONDS = 10.0
_JSON = "application/json"
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)

_log = logging.getLogger(__name__)

AnyEndpoint = Endpoint[Any, Any]


def routes(endpoints: Iterable[AnyEndpoint], origins: frozenset[str] = frozenset()) -> list[BaseRoute]:
    """Make the routes of an application that has in its state what a `Call` hands on: accounts, database and so on.

    origins: those of pages that may ask besides the application's own host.
    """

    async def describe(_: Call[Nothing]) -> Description:
        """Describe the API in the form of OpenAPI 3.1."""
        return described

    listed = [*endpoints, Endpoint("GET", "/api/openapi.json", describe, Nothing, Description, who="anyone")]
    described = document(listed)
    by_path: dict[str, dict[str, AnyEndpoint]] = {}
    for endpoint in listed:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    made: list[BaseRoute] = [Route(path, _Resource(methods, origins)) for path, methods in by_path.items()]
    made.append(Route("/api/{rest:path}", _Resource({}, origins)))
    return made


class _Resource:
    """What is at one path."""

    def __init__(self, methods: dict[str, AnyEndpoint], origins: frozenset[str]) -> None:
        self._methods = methods
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPRequest(scope, receive)
        try:
            response = await self._answer(request)
        except ClientDisconnect:
            return
        await response(scope, receive, send)

    async def _answer(self, request: HTTPRequest) -> Response:
        endpoint = self._methods.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            return self._missing()
        try:
            return await _handle(endpoint, request, self._origins)
        except ClientDisconnect:
            raise
        except DizhuError as error:
            if error.code in endpoint.refusals:
                return _refusal(error)
            _log.exception("%s %s: a code that is not declared", endpoint.method, endpoint.path)
        except DBAPIError as error:
            # Without its values, for these are secrets.
            _log.exception("%s %s failed in %s", endpoint.method, endpoint.path, error.statement)
        except Exception:  # noqa: BLE001 whoever asks is told of it, without the traceback
            _log.exception("%s %s failed", endpoint.method, endpoint.path)
        return _refusal(DizhuError("internal", "a fault of the server"))

    def _missing(self) -> Response:
        if not self._methods:
            return _refusal(DizhuError("not_found", "there is nothing at this address"))
        response = _refusal(DizhuError("wrong_method", "the address does not answer this method"))
        response.headers["allow"] = ", ".join(sorted(self._methods))
        return response


async def _handle(endpoint: AnyEndpoint, request: HTTPRequest, origins: frozenset[str]) -> Response:
    limits: Limits = request.app.state.limits
    limits.address(endpoint.rate, visitors.address(request))
    if endpoint.method != "GET" and not visitors.allowed(request, origins):
        raise DizhuError("wrong_origin", "the page does not come from this server")
    visitor = await _visitor(endpoint, request)
    if visitor is not None:
        limits.account(endpoint.rate, visitor.id)
    call = Call(await _read(endpoint, request), visitor, request)
    answer = await endpoint.handler(call)
    return _json(msgspec.json.encode(answer), headers=call.headers)


async def _visitor(endpoint: AnyEndpoint, request: HTTPRequest) -> Account | None:
    """Find whose session it is; without one, not everything is answered."""
    token = visitors.token(request)
    accounts: DatabaseAccounts = request.app.state.accounts
    try:
        account = None if token is None else await accounts.find(token)
    except DizhuError:
        if endpoint.who == "session":
            raise
        return None
    if account is None and endpoint.who == "session":
        raise DizhuError("no_session", "there is no session, or it has ended")
    return account


async def _read(endpoint: AnyEndpoint, request: HTTPRequest) -> Request:
    """Read what is asked. Raises DizhuError, whatever it is."""
    kind: type[Request] = endpoint.request
    query = request.query_params.multi_items()
    try:
        if endpoint.method == "GET":
            fields = {**dict(query), **request.path_params}
            if len(fields) < len(query) + len(request.path_params):
                raise _bad("a field is there twice")
            asked = msgspec.convert(fields, kind, strict=False)
        elif query:
            raise _bad("there is a query, but only a GET has one")
        else:
            asked = msgspec.convert(_whole(msgspec.json.decode(await _body(request) or b"{}")), kind)
    except _UNREADABLE as error:
        raise _bad(str(error)) from None
    if _holds_nul(msgspec.to_builtins(asked)):
        raise _bad("a text holds the character NUL")
    return asked


def _whole(fields: object) -> object:
    """Take 2.0 for 2: to JSON Schema, in which the API is described, they are one number."""
    if not isinstance(fields, dict):
        return fields
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in cast("dict[str, object]", fields).items()
    }


async def _body(request: HTTPRequest) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > BODY_BYTES:
                    raise DizhuError("too_large", f"the body is longer than {BODY_BYTES} bytes", bytes=BODY_BYTES)
    except TimeoutError:
        raise DizhuError("too_slow", "the body did not come in time") from None
    if body and request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        raise DizhuError("not_json", f"the body is not declared as {_JSON}")
    return bytes(body)


def _holds_nul(value: object) -> bool:
    """PostgreSQL has no texts with this character."""
    if isinstance(value, dict):
        return any(_holds_nul(part) for pair in cast("dict[object, object]", value).items() for part in pair)
    if isinstance(value, list | tuple):
        return any(map(_holds_nul, cast("Sequence[object]", value)))
    return isinstance(value, str) and "\0" in value


def _bad(why: str) -> DizhuError:
    return DizhuError("bad_request", why, why=why)


def _refusal(error: DizhuError) -> Response:
    """Write an error in the one form that all have."""
    response = _json(msgspec.json.encode({"code": error.code, "detail": error.detail}), CODES[error.code].status)
    if "seconds" in error.detail:
        response.headers["retry-after"] = str(error.detail["seconds"])
    if error.code == "no_session":
        response.headers["www-authenticate"] = "Bearer"
    if error.code == "too_slow":
        response.headers["connection"] = "close"
    return response


def _json(text: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(text, status, {"cache-control": "no-store", **(headers or {})}, _JSON)
