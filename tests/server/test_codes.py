"""Whatever a command is refused with is a code of the documented list, and the list has no other codes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import dizhu
from dizhu.protocol import REFUSAL_CODES
from dizhu.server import limits
from dizhu.server.api.codes import CODES

SOURCE = Path(dizhu.__file__).parent
ERRORS = frozenset({"DizhuError", "IllegalAction", "InvalidDeal", "ParseError", "UnknownName"})

NOT_FOR_PLAYERS = {
    "bad_database_url": "before the server runs",
    "database_failed": "before the server runs",
    "database_in_use": "before the server runs",
    "database_newer": "before the server runs",
    "no_driver": "before the server runs",
    "no_bundle": "before the server runs",
    "cannot_listen": "before the server runs",
    "port_in_use": "before the server runs",
    "bad_rooms": "before the server runs",
    "bad_log": "when tables are taken up; such a table is closed",
    "not_enough_beans": "a gift that the host takes back; a settlement takes what is there",
    "bad_amount": "a gift of the host",
    "bad_seed": "the server makes the seeds itself",
    "no_networks": "a game without networks is advised on and judged otherwise, and people are not offered its levels",
    "bad_networks": "the networks that come with the package are whole",
    "bad_record": "records come from files",
    "no_such_seat": "positions that are set up, not dealt",
    "empty_hand": "positions that are set up, not dealt",
    "not_in_deck": "positions that are set up, not dealt",
    "too_many_cards": "positions that are set up, not dealt",
    "wrong_seats": "positions that are set up, not dealt",
    "bad_marked_card": "positions that are set up, not dealt",
}
"""Codes in modules that the socket needs, and why no client is ever refused with them."""

COPIED = {"game/engine.py": "error.code", "server/limits.py": "code"}
"""Where the code of an error is not written down: one is passed on, and one is a parameter with a type of its own."""


def behind_the_socket() -> dict[str, ast.Module]:
    """Read the modules that `server/socket.py` imports, and those that they import, and so on."""
    found: dict[str, ast.Module] = {}
    waiting = ["dizhu.server.socket", *(f"dizhu.variants.{name}" for name in dizhu.variants())]
    while waiting:
        file = file_of(waiting.pop())
        if file is not None and file.relative_to(SOURCE).as_posix() not in found:
            module = ast.parse(file.read_text(encoding="utf-8"))
            found[file.relative_to(SOURCE).as_posix()] = module
            waiting += imported(module)
    return found


def file_of(name: str) -> Path | None:
    path = SOURCE.joinpath(*name.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dizhu"):
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def raised() -> dict[str, set[str]]:
    """Find the codes of errors that are made behind the socket, each with the modules that make it."""
    found = {code: {"server/limits.py"} for code in get_args(limits._Kind)}
    for name, module in behind_the_socket().items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and node.args and makes_error(node):
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    found.setdefault(str(code.value), set()).add(name)
                else:
                    assert COPIED.get(name) == ast.unparse(code), f"{name}:{node.lineno} makes up a code"
    return found


def makes_error(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            # An error of its own class hands its code on.
            return name in ERRORS or (name == "__init__" and isinstance(call.args[0], ast.Constant))
        case _:
            return False


def test_what_is_behind_the_socket_is_found():
    modules = behind_the_socket().keys()
    assert {"server/commands.py", "server/table.py", "game/phases/tricks.py", "variants/happy.py"} <= modules
    assert not [name for name in modules if name.startswith(("envs/", "bench/", "sdk/", "server/admin/"))]


def test_every_refusal_is_in_the_list():
    unlisted = {
        code: sorted(modules)
        for code, modules in raised().items()
        if code not in REFUSAL_CODES and code not in CODES and code not in NOT_FOR_PLAYERS
    }
    assert not unlisted


def test_the_lists_name_nothing_that_there_is_not():
    assert not REFUSAL_CODES.keys() - raised().keys()
    assert not NOT_FOR_PLAYERS.keys() - raised().keys()
    assert not NOT_FOR_PLAYERS.keys() & (REFUSAL_CODES.keys() | CODES.keys())
