"""Requests made from the description of the API: such as fit it, and such as nearly do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from hypothesis import strategies as st

from server.accounts.harness import PASSWORD
from server.api.harness import HOST

Json = dict[str, Any]
Values = st.SearchStrategy[Any]

EVIL = "http://evil.example"
CALLERS = ("player", "player", "guest", "cookie", "nobody", "forged")
"""Who asks: a player and a guest with a token, a guest with a cookie, and two without a session."""

_KINDS = ("text/plain", "", "application/json; charset=utf-8")
_NAMES = ("Ivan", "IVAN", "Anna", "李娜", "admin", "x", "\u202e", "\x00")
_HINTS = {"name": _NAMES, "password": (PASSWORD,), "old": (PASSWORD,), "new": ("another horse", "short")}
_LARGEST = 2**64
_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@dataclass(frozen=True)
class Asked:
    """A request. `operation`: its description; `kind`: the declared type of its body."""

    method: str
    path: str
    operation: Json
    url: str
    body: bytes
    kind: str
    caller: str
    origin: str | None


def requests(document: Json) -> st.SearchStrategy[Asked]:
    """Make requests to all operations of a description."""
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return st.sampled_from(operations).flatmap(lambda operation: _request(document, *operation))


@st.composite
def _request(draw: st.DrawFn, document: Json, method: str, path: str, operation: Json) -> Asked:
    url, query = path, list[tuple[str, str]]()
    for parameter in operation.get("parameters", ()):
        value = draw(_mostly(_values(document, parameter["schema"]), _ANYTHING))
        text = value if isinstance(value, str) else json.dumps(value)
        if parameter["in"] == "path":
            url = url.replace(f"{{{parameter['name']}}}", quote(text, safe=""))
        elif draw(st.booleans()):
            query.append((parameter["name"], text))
    if draw(_mostly(st.just(False), st.just(True))):
        query.append((draw(st.text(max_size=5)), draw(st.text(max_size=5))))
    body = b""
    if "requestBody" in operation:
        fitting = _values(document, operation["requestBody"]["content"]["application/json"]["schema"])
        written = _mostly(fitting, _spoilt(fitting) | _ANYTHING).map(lambda value: json.dumps(value).encode())
        body = draw(_mostly(written, st.binary(max_size=100) | st.just(b"")))
    kind = draw(_mostly(st.just("application/json"), st.sampled_from(_KINDS)))
    origin = draw(_mostly(st.sampled_from((None, HOST)), st.just(EVIL)))
    url += "?" + urlencode(query) if query else ""
    return Asked(method, path, operation, url, body, kind, draw(st.sampled_from(CALLERS)), origin)


@st.composite
def _mostly(draw: st.DrawFn, usual: Values, odd: Values) -> Any:
    return draw(odd if draw(st.integers(0, 7)) == 7 else usual)


def _values(document: Json, schema: Json) -> Values:
    """Make values that fit a schema, as far as the description of the API uses JSON Schema."""
    if "$ref" in schema:
        return _values(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([_values(document, choice) for choice in schema["anyOf"]])
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength", 40)
    fields = {name: _field(name, _values(document, field)) for name, field in schema.get("properties", {}).items()}
    required = {name: fields.pop(name) for name in schema.get("required", ())}
    return {
        "object": st.fixed_dictionaries(required, optional=fields),
        "string": st.text(min_size=shortest, max_size=longest),
        "integer": st.integers(schema.get("minimum", -_LARGEST), schema.get("maximum", _LARGEST)),
        "boolean": st.booleans(),
        "null": st.none(),
    }[schema["type"]]


def _field(name: str, fitting: Values) -> Values:
    """Make values of a field; of some it is known what leads further than any text would."""
    return _mostly(st.sampled_from(_HINTS[name]), fitting) if name in _HINTS else fitting


@st.composite
def _spoilt(draw: st.DrawFn, fitting: Values) -> Json:
    """Make objects in which something is missing, or besides, or of another kind."""
    value = dict(draw(fitting))
    for name in draw(st.lists(st.sampled_from([*value, "unknown"]), min_size=1, max_size=2, unique=True)):
        if draw(st.booleans()):
            value[name] = draw(_ANYTHING)
        else:
            value.pop(name, None)
    return value
