"""What a command of `dizhu admin` answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

_MILLISECONDS = 1000


@dataclass(frozen=True, slots=True)
class Said:
    """The lines to print, and the exit status: 0, or 1 if what was checked is not in order."""

    lines: tuple[str, ...]
    status: int = 0


def moment(at: int) -> str:
    """Write a time in milliseconds since 1970 for people.

    >>> moment(0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.fromtimestamp(at / _MILLISECONDS, UTC).strftime("%Y-%m-%d %H:%M UTC")
