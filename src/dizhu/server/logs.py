"""Logs: one JSON object a line on standard error. What is a secret of a game or of a player is not in them.

Errors are told by their kind, their code and where they arose; not by their sentence, for cards, names and tokens may
stand in it. Other libraries are heard from `warning` or `error` on: below that they tell every frame and statement.
"""

from __future__ import annotations

import logging
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import structlog
from structlog.typing import EventDict, WrappedLogger

from dizhu.errors import DizhuError

Level = Literal["debug", "info", "warning", "error"]
LEVELS: tuple[Level, ...] = ("debug", "info", "warning", "error")

_INNERMOST = 12
_NAMED_PARTS = 3

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def configure(level: Level) -> None:
    """Write the logs of this process from a level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter())
    handler.addFilter(_without_sentences)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("dizhu").setLevel(level.upper())
    # Whoever sends nonsense would fill the log otherwise.
    logging.getLogger("uvicorn").setLevel(logging.ERROR)


def formatter() -> logging.Formatter:
    """Make what writes a record as JSON."""
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _describe_exception,
    ]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.JSONRenderer()],
    )


def _without_sentences(record: logging.LogRecord) -> bool:
    """An error that is a part of a message is told as all others are."""
    if isinstance(record.args, tuple):
        record.args = tuple(_name(part) if isinstance(part, BaseException) else part for part in record.args)
    return True


def _describe_exception(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    info: Any = event.pop("exc_info", None)
    if isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if info and info[1] is not None:
        event["exception"] = [_described(error) for error in _chain(info[1])]
    return event


def _chain(error: BaseException) -> list[BaseException]:
    """The error, and those that led to it, the newest first."""
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return found


def _described(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)[-_INNERMOST:]
    return {
        "kind": _name(error),
        "at": [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in reversed(frames)],
    }


def _name(error: BaseException) -> str:
    if isinstance(error, DizhuError):
        return f"{type(error).__name__} {error.code}"
    if isinstance(error, OSError) and error.strerror:
        return f"{type(error).__name__} {error.strerror}"
    return type(error).__name__


def _short(file: str) -> str:
    return "/".join(Path(file).parts[-_NAMED_PARTS:])
