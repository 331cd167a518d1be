"""The description of the API in the form of OpenAPI 3.1, made from the endpoints."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

import dizhu
from dizhu.server import visitors
from dizhu.server.api.codes import CODES
from dizhu.server.api.endpoint import Answer, Endpoint

Json = dict[str, Any]

_REF = "#/components/schemas/{name}"
_SCHEMES = {
    "cookie": {"type": "apiKey", "in": "cookie", "name": visitors.COOKIE},
    "bearer": {"type": "http", "scheme": "bearer"},
}
_SESSION: list[Json] = [{name: []} for name in _SCHEMES]


class Description(Answer, frozen=True):
    """A document of OpenAPI 3.1."""

    openapi: str
    info: Json
    paths: Json
    components: Json


def document(endpoints: Sequence[Endpoint[Any, Any]]) -> Description:
    """Describe endpoints."""
    structs = [endpoint.answer for endpoint in endpoints]
    structs += [endpoint.request for endpoint in endpoints if endpoint.method != "GET"]
    schemas, components = msgspec.json.schema_components(structs, ref_template=_REF)
    of = dict(zip(structs, schemas, strict=True))
    paths: Json = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, of)
    return Description(
        openapi="3.1.0",
        info={"title": "dizhu", "version": dizhu.__version__, "license": {"name": "MIT", "identifier": "MIT"}},
        paths=paths,
        components={"schemas": components, "securitySchemes": _SCHEMES},
    )


def _operation(endpoint: Endpoint[Any, Any], schemas: Mapping[type[msgspec.Struct], Json]) -> Json:
    summary, _, more = (inspect.getdoc(endpoint.handler) or "").partition("\n")
    operation: Json = {
        "operationId": endpoint.handler.__name__.strip("_"),
        "summary": summary,
        "security": _SESSION if endpoint.who == "session" else [{}, *_SESSION],
        "responses": {"200": _response("It is done.", schemas[endpoint.answer]), **_refusals(endpoint)},
    }
    if more.strip():
        operation["description"] = more.strip()
    if endpoint.method == "GET":
        operation["parameters"] = list(_parameters(endpoint))
    else:
        required = any(field.required for field in msgspec.structs.fields(endpoint.request))
        operation["requestBody"] = {"required": required, **_content(schemas[endpoint.request])}
    return operation


def _parameters(endpoint: Endpoint[Any, Any]) -> Iterable[Json]:
    schema = msgspec.json.schema(endpoint.request)["$defs"][endpoint.request.__name__]
    for name, field in schema["properties"].items():
        place = "path" if name in endpoint.in_path else "query"
        yield {"name": name, "in": place, "required": name in schema.get("required", ()), "schema": field}


def _refusals(endpoint: Endpoint[Any, Any]) -> Json:
    """Describe the refusals, those of one status together."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(endpoint.refusals):
        by_status.setdefault(CODES[code].status, []).append(code)
    return {str(status): _refusal(status, by_status[status]) for status in sorted(by_status)}


def _refusal(status: int, codes: Sequence[str]) -> Json:
    meanings = "\n".join(f"- `{code}`: {CODES[code].meaning}" for code in codes)
    schema = {
        "type": "object",
        "properties": {"code": {"enum": list(codes)}, "detail": {"type": "object"}},
        "required": ["code", "detail"],
    }
    return _response(f"{HTTPStatus(status).phrase}\n\n{meanings}", schema)


def _response(description: str, schema: Json) -> Json:
    return {"description": description, **_content(schema)}


def _content(schema: Json) -> Json:
    return {"content": {"application/json": {"schema": schema}}}
