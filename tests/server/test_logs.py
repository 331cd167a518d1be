"""How errors are logged: by kind, code and place; never by their sentence."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Generator
from typing import Any

import pytest

from dizhu.errors import IllegalAction
from dizhu.server import logs

SECRET = "7h BR"


@pytest.fixture
def log() -> Generator[tuple[logging.Logger, io.StringIO]]:
    stream = io.StringIO()
    root, own = logging.getLogger(), logging.getLogger("dizhu")
    before = root.handlers[:], root.level, own.level, logging.getLogger("uvicorn").level
    logs.configure("debug")
    handler = root.handlers[0]
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)
    yield logging.getLogger("dizhu.server.test"), stream
    root.handlers[:], level, own_level, other_level = before
    root.setLevel(level)
    own.setLevel(own_level)
    logging.getLogger("uvicorn").setLevel(other_level)


def told(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def refuse() -> None:
    raise IllegalAction("cards_not_held", f"seat 1 does not hold {SECRET}")


def fail() -> None:
    try:
        refuse()
    except IllegalAction as error:
        raise KeyError(SECRET) from error


def test_an_exception_is_told_without_its_sentence(log: tuple[logging.Logger, io.StringIO]):
    logger, stream = log
    try:
        fail()
    except KeyError:
        logger.exception("table %s failed", "ab12")
    (line,) = told(stream)
    assert line["event"] == "table ab12 failed"
    assert line["level"] == "error"
    assert line["logger"] == "dizhu.server.test"
    assert [error["kind"] for error in line["exception"]] == ["KeyError", "IllegalAction cards_not_held"]
    assert line["exception"][0]["at"][0].startswith("tests/server/test_logs.py:")
    assert line["exception"][0]["at"][0].endswith(" fail")
    assert SECRET not in stream.getvalue()


def test_an_error_in_a_message_is_told_without_its_sentence(log: tuple[logging.Logger, io.StringIO]):
    logger, stream = log
    logger.error("cannot go on: %s", IllegalAction("does_not_beat", SECRET))
    logger.error("cannot go on: %s", OSError(28, "No space left on device", f"/home/{SECRET}"))
    logger.error("failed", exc_info=ValueError(SECRET))
    assert [line["event"] for line in told(stream)[:2]] == [
        "cannot go on: IllegalAction does_not_beat",
        "cannot go on: OSError No space left on device",
    ]
    assert SECRET not in stream.getvalue()


def test_a_chain_that_bites_its_tail_ends(log: tuple[logging.Logger, io.StringIO]):
    logger, stream = log
    one, two = ValueError(), KeyError()
    one.__cause__, two.__cause__ = two, one
    logger.error("failed", exc_info=one)
    assert [error["kind"] for error in told(stream)[0]["exception"]] == ["ValueError", "KeyError"]


def test_levels_are_for_this_program_and_others_are_quiet(log: tuple[logging.Logger, io.StringIO]):
    logger, stream = log
    logger.debug("heard", extra={"seat": 1})
    for other in ("aiosqlite", "websockets.client", "sqlalchemy.engine"):
        logging.getLogger(other).info(SECRET)
    logging.getLogger("uvicorn.error").warning(SECRET)
    (line,) = told(stream)
    assert (line["event"], line["seat"]) == ("heard", 1)
    logs.configure("error")
    assert not logger.isEnabledFor(logging.WARNING)
