"""`dizhu serve` as a process: its log, its metrics, and what it makes of its flags."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect

import dizhu
from dizhu import sdk
from dizhu.cli import main
from dizhu.server import Settings

SERVE = """
import sys
from pathlib import Path
from dizhu.server import Settings, run
from dizhu.server.logs import configure
from dizhu.server.settings import Rate

configure("debug")
many = Rate(1e9, 1e9)
limits = dict(commands=many, address_commands=many, opened=many)
settings = Settings(bot_pause=(0, 0), redeal=0, metrics_port=0, bundle=Path(sys.argv[1]), **limits)
sys.exit(run(port=0, settings=settings, database=sys.argv[2]))
"""


@dataclass
class Served:
    """A server in a process of its own. `lines`: its log, once it has ended."""

    address: str
    metrics: str
    lines: list[str]


@contextmanager
def served(folder: Path) -> Generator[Served]:
    (folder / "index.html").write_text("<!doctype html>")
    command = [sys.executable, "-c", SERVE, str(folder), f"sqlite:///{folder}/dizhu.sqlite3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = re.search(r"(http://127\.0\.0\.1:\d+)/", process.stdout.readline())
        assert told is not None
        lines = [process.stderr.readline() for _ in range(2)]
        try:
            yield Served(told.group(1), json.loads(lines[1])["address"] + "metrics", lines)
        finally:
            process.send_signal(signal.SIGTERM)
            lines += process.stderr.read().splitlines()
            assert process.wait(10) == 0


async def play(address: str, variant: str, secrets: set[str]) -> None:
    """Play two hands, badly on purpose; collects what no log may tell."""
    async with sdk.connect(address) as client:
        assert client.token is not None
        secrets.add(client.token)
        await client.sit(variant, "random")
        async for hand in client.hands(2):
            async for turn in hand:
                with pytest.raises(sdk.Refused):
                    await turn.act("play 3h 4d 9c B")
                await turn.act(turn.view.legal[-1])
            assert hand.settled is not None
            record = await client.replay(hand.settled.share)
            secrets |= {record["seed"], hand.settled.share}
            secrets |= {record["deal"]["bottom"] or "?", *record["deal"]["hands"]}


async def misbehave(address: str, secrets: set[str]) -> None:
    secrets.add("forged-token")
    with pytest.raises(sdk.Refused):
        async with sdk.connect(address, token="forged-token"):
            pass
    async with connect(address.replace("http", "ws") + "/ws") as socket:
        for text in ("{", '{"type":"act"}', '{"type":"hello","id":1,"protocol":1,"token":"forged-token"}', "\0"):
            await socket.send(text)
            await socket.recv()
        await socket.send(b"\xff")
    async with httpx.AsyncClient(base_url=address) as browser:
        header = {"authorization": "Bearer forged-token"}
        assert (await browser.get("/api/me", headers=header)).status_code == 401
        login = {"name": "Iron Ox", "password": "forged-token"}
        assert (await browser.post("/api/account/login", json=login)).status_code == 403


CARD = re.compile(r"\b[3-9TJQKA2][shcd]\b")


@pytest.mark.slow
def test_the_log_is_json_and_holds_no_secret(tmp_path: Path):
    secrets: set[str] = set()
    with served(tmp_path) as server:
        for variant in dizhu.variants():
            asyncio.run(play(server.address, variant, secrets))
        asyncio.run(misbehave(server.address, secrets))
    told = [json.loads(line) for line in server.lines]
    assert [line["event"] for line in told if line["level"] == "info"] == ["listening"] * 2 + ["stopping", "stopped"]
    assert not [line for line in told if line["level"] in ("warning", "error")]
    assert all({"event", "level", "logger", "timestamp"} <= line.keys() for line in told)
    text = "\n".join(server.lines)
    assert len(secrets) > 40
    assert not [secret for secret in secrets if secret in text]
    assert not CARD.search(text)


@pytest.mark.slow
def test_metrics_are_told_on_their_own_port(tmp_path: Path):
    with served(tmp_path) as server:
        assert httpx.get(server.address + "/metrics").status_code == 404
        before = metrics(server)
        assert before["dizhu_tables"] == before["dizhu_sockets"] == before["dizhu_hands_finished_total"] == 0

        async def visit() -> dict[str, float]:
            await play(server.address, "classic", set())
            async with sdk.connect(server.address) as client:
                await client.sit("classic", "random")
                with pytest.raises(sdk.Refused):
                    await client.sit("classic", "random")
                return await asyncio.to_thread(metrics, server)

        there = asyncio.run(visit())
        assert there["dizhu_sockets"] == there["dizhu_people_connected"] == 1
        # The table of the one who has gone is kept for him.
        assert there["dizhu_tables"] == there["dizhu_people_at_tables"] == 2
        assert there["dizhu_hands_finished_total"] >= 2
        assert there["dizhu_commands_total already_seated sit"] == 1
        assert there["dizhu_commands_total done hello"] == 2
        assert there["dizhu_commands_total done act"] > 2
        commits = there["dizhu_commit_seconds_count"]
        assert commits == there["dizhu_commit_writes_count"] > 10
        assert there["dizhu_commit_writes_sum"] >= commits
        assert there["dizhu_writes_waiting"] >= there["dizhu_people_waiting"] == 0
        assert there["process_resident_memory_bytes"] > 1e7


def metrics(server: Served) -> dict[str, float]:
    """Read all metrics, each by its name and its labels, these in the order of their names."""
    answer = httpx.get(server.metrics)
    assert answer.status_code == 200
    return {
        " ".join((sample.name, *(label for _, label in sorted(sample.labels.items())))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_flags_become_settings(monkeypatch: pytest.MonkeyPatch):
    given: list[Any] = []

    def run(_host: str, _port: int, settings: Settings, **_: Any) -> int:
        given.append(settings)
        return 0

    monkeypatch.setattr("dizhu.server.run", run)
    monkeypatch.setattr("dizhu.server.logs.configure", given.append)
    origins = ["--origin", "HTTPS://Dizhu.Example:443/", "--origin", "http://[::1]:8000"]
    proxies = ["--trust-proxy", "10.0.0.0/8", "--trust-proxy", "::1"]
    assert main(["serve", *origins, *proxies, "--metrics-port", "9100", "--log-level", "warning"]) == 0
    level, settings = given
    assert level == "warning"
    assert settings.origins == {"https://dizhu.example", "http://[::1]:8000"}
    assert settings.proxies == {"10.0.0.0/8", "::1"}
    assert settings.metrics_port == 9100
    assert main(["serve"]) == 0
    assert given[2:] == ["info", Settings()]


@pytest.mark.parametrize(
    "flags",
    [
        ["--origin", "dizhu.example"],
        ["--origin", "ftp://dizhu.example"],
        ["--origin", "https://dizhu.example/game"],
        ["--origin", "https://x:y"],
        ["--trust-proxy", "*"],
        ["--trust-proxy", "10.0.0.1/8"],
        ["--trust-proxy", "localhost"],
        ["--metrics-port", "99999"],
        ["--log-level", "loud"],
    ],
)
def test_wrong_flags_are_refused_in_one_line(flags: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        main(["serve", *flags])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
