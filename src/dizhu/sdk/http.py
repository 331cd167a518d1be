"""The HTTP API of a server, as far as it is needed beside the socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from dizhu.errors import ParseError
from dizhu.sdk.errors import Refused, Unreachable

_SECONDS = 20.0
_MOST_BYTES = 4 * 1024 * 1024


def base(address: str) -> str:
    """Read the address of a server, as `https://dizhu.example` or `http://127.0.0.1:8000/`.

    Raises ParseError `bad_address`.
    """
    try:
        parts = urlsplit(address)
        right = parts.scheme in ("http", "https") and parts.hostname is not None and (parts.port or 1)
    except ValueError:
        right = False
        parts = urlsplit("")
    if not right or parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ParseError("bad_address", f"{address!r:.100} is no address of a server, as https://dizhu.example")
    return f"{parts.scheme}://{parts.netloc}"


async def call(
    server: str, method: str, path: str, fields: Mapping[str, object] | None = None, token: str | None = None
) -> dict[str, Any]:
    """Ask the API something: `fields` are the query of a GET, and the JSON body of all else.

    Raises Refused, Unreachable.
    """
    return await asyncio.to_thread(_call, server, method, path, fields or {}, token)


async def log_in(address: str, name: str, password: str) -> str:
    """Begin a session with name and password; returns its token, which `connect` takes.

    Raises Refused (`wrong_login`, `too_many_attempts`, …) or Unreachable.
    """
    fields = {"name": name, "password": password, "bearer": True}
    return (await call(base(address), "POST", "/api/account/login", fields))["token"]


async def replay(address: str, share: str) -> dict[str, Any]:
    """Fetch the record of a finished hand by the name of its replay (`settled.share` of the table).

    Raises Refused `unknown_hand`, or Unreachable.
    """
    return await call(base(address), "GET", f"/api/replay/{quote(share, safe='')}")


def _call(server: str, method: str, path: str, fields: Mapping[str, object], token: str | None) -> dict[str, Any]:
    headers = {"accept": "application/json"}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    body = None
    if method != "GET":
        headers["content-type"] = "application/json"
        body = json.dumps(fields).encode()
    elif fields:
        path += "?" + urlencode(fields)
    request = Request(server + path, body, headers, method=method)  # noqa: S310 `base` lets http and https pass only
    try:
        with urlopen(request, timeout=_SECONDS) as response:  # noqa: S310
            return _object(response.read(_MOST_BYTES), server)
    except HTTPError as error:
        with error:
            answer = _object(error.read(_MOST_BYTES), server)
        raise Refused.because(str(answer.get("code")), answer.get("detail") or {}) from None
    except (OSError, HTTPException) as error:
        raise Unreachable("unreachable", f"{server} cannot be reached: {error}") from None


def _object(text: bytes, server: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Unreachable("no_dizhu", f"what answers at {server} is no server of this game, or an older one")
    return cast("dict[str, Any]", value)
