"""What `make api-check` prepares is enough for every operation to be done; schemathesis itself is not asked here."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

import api_check
from dizhu import sdk
from dizhu.server.api import ENDPOINTS


def example(operation: dict[str, Any], path: str) -> tuple[str, Any]:
    """Make the address and the body of a request, as the examples say."""
    known = {told["name"]: told["example"] for told in operation.get("parameters", ()) if told["in"] == "path"}
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    usual = {"account": 1} if path == "/api/blocks" else {}
    return path.format_map(known), body.get("example", usual)


@pytest.mark.slow
def test_every_operation_is_done_with_its_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    async def run() -> int:
        database = f"sqlite:///{tmp_path}/dizhu.sqlite3"
        async with api_check.serving(database) as (address, desk), sdk.connect(address) as client:
            paths = (await api_check.prepare(client, desk))["paths"]
            headers = {"authorization": f"Bearer {api_check.ANYBODY}"}
            async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as anybody:
                for endpoint in ENDPOINTS:
                    url, body = example(paths[endpoint.path][endpoint.method.lower()], endpoint.path)
                    words = {} if endpoint.method == "GET" else {"json": body}
                    assert (await anybody.request(endpoint.method, url, **words)).status_code == 200, endpoint.path
                assert (await anybody.get("/api/tables")).json()["tables"] != []
                assert (await anybody.get("/api/me", headers={"authorization": "Bearer forged"})).status_code == 401
        return api_check.told(desk.answered)

    assert asyncio.run(run()) == 0
    assert f"{len(ENDPOINTS)} of {len(ENDPOINTS)} operations done" in capsys.readouterr().out


def test_an_operation_that_was_always_refused_is_told(capsys: pytest.CaptureFixture[str]):
    answered = {(endpoint.method, endpoint.path): Counter({200: 1, 400: 2}) for endpoint in ENDPOINTS}
    answered["POST", "/api/grant"] = Counter({409: 3})
    assert api_check.told(answered) == 1
    assert "POST /api/grant: {409: 3}" in capsys.readouterr().err
