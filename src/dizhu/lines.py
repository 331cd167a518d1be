"""Files of JSON lines: one object a line, errors that say which line is wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from dizhu.errors import DizhuError, ParseError, UnknownName

STANDARD_INPUT = Path("-")


def read_objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object of a file with its place (`file:line`); `-` is standard input.

    Raises UnknownName `no_file` or ParseError `bad_line`.
    """
    # Not `splitlines`: JSON may hold the other characters that it takes for line ends.
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        with located(where):
            yield where, _object(line)


@contextmanager
def located(where: str) -> Generator[None]:
    """Say in front of an error where in the file it arose."""
    try:
        yield
    except DizhuError as error:
        message = str(error) if str(error).startswith(where) else f"{where}: {error}"
        raise type(error)(error.code, message, **error.detail) from error


def _text(path: Path) -> str:
    try:
        data = _standard_input() if path == STANDARD_INPUT else path.read_bytes()
    except OSError as error:
        raise UnknownName("no_file", f"{path}: {error.strerror}") from error
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ParseError("bad_line", f"{path}: is not UTF-8 text") from error


def _standard_input() -> bytes:
    # Python has no standard input where the shell closed it.
    if (stdin := getattr(sys.stdin, "buffer", None)) is None:
        raise UnknownName("no_file", "-: standard input is closed")
    return bytes(stdin.read())


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except RecursionError as error:
        raise ParseError("bad_line", "this JSON is nested too deeply") from error
    except ValueError as error:
        raise ParseError("bad_line", f"this is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ParseError("bad_line", "this is JSON, but no object in braces")
    return cast("dict[str, Any]", value)
