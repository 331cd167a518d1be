"""The page for hosts, and the files under deploy/: their commands are right, and so are the numbers."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from pathlib import Path

import pytest

from dizhu import cli
from dizhu.server import Settings
from dizhu.server.metrics import registry
from dizhu.server.wire import HEAD_BYTES, MESSAGE_BYTES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy" / "dizhu.service").read_text(encoding="utf-8")


def in_docker() -> str:
    words = [json.loads(found) for found in re.findall(r"^(?:ENTRYPOINT|CMD) (\[.*\])$", DOCKERFILE, re.MULTILINE)]
    return shlex.join(word for part in words for word in part)


COMMANDS = [
    *re.findall(r"^    (dizhu (?:serve|admin) .*)$", PAGE, re.MULTILINE),
    *re.findall(r"^ExecStart=\S*/(dizhu .*)$", UNIT, re.MULTILINE),
    in_docker(),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_can_be_given(command: str):
    program, *words = shlex.split(command)
    assert program == "dizhu"
    assert cli._parser().parse_args(words).run


def test_there_are_commands():
    assert len(COMMANDS) == 4


def test_every_option_is_named():
    parser = cli._parser()
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    options = {name for action in commands.choices["serve"]._actions for name in action.option_strings}
    assert {name for name in options - {"-h", "--help"} if f"`{name}" not in PAGE} == set()


def test_limits_are_the_ones_that_there_are():
    limits = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE))
    own = Settings()

    def said(what: str) -> list[float]:
        return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", limits[what])]

    connects, names, addresses = own.address_connects, own.failed_logins, own.address_failed_logins
    assert said("open WebSockets of an address") == [own.address_connections, connects.burst, connects.per_second]
    assert said("commands") == [own.commands.per_second, own.address_commands.per_second]
    assert said("new guests of an address") == [own.guests.burst, own.guests.per_second * 60]
    passwords = [names.burst, names.per_second * 60, addresses.burst, addresses.per_second * 60]
    assert said("wrong passwords") == pytest.approx(passwords)
    assert said("a message, a head of a request, a body")[:2] == [MESSAGE_BYTES / 1024, HEAD_BYTES / 1024]
    assert said("a request, a WebSocket until `hello`") == [own.request, own.hello]
    assert said("tables") == [own.tables, own.opened.burst, own.opened.per_second * 60]
    assert said("what waits for a slow reader") == [own.outbox_messages, own.outbox_bytes / 1024]


def test_metrics_that_are_named_are_there():
    there = {metric.name for metric in registry.collect()} | {
        "dizhu_sockets",
        "dizhu_tables",
        "dizhu_people_",
        "dizhu_writes_waiting",
    }
    assert set(re.findall(r"`(dizhu_\w+)", PAGE)) <= there


def test_the_server_of_a_few_lines_starts():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "hosting", "exec"), {"__name__": "hosting"})
