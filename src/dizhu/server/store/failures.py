"""Telling a database that fails from a statement that is wrong."""

from __future__ import annotations

import logging
import sqlite3
import time

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError

from dizhu.errors import DizhuError

_log = logging.getLogger(__name__)

_QUIET_SECONDS = 5.0
_PRIMARY = 0xFF
_POSTGRESQL_FAILS = frozenset({"08", "25", "28", "3D", "40", "53", "55", "57", "58", "XX"})
"""Classes of its codes: no connection, takes no writes, no entry, no such database, undone for another's sake, no
resources, locked, stopped by somebody, the system, a fault of its own."""
_SQLITE_FAULTS = frozenset(
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_MISUSE,
        sqlite3.SQLITE_RANGE,
    }
)
"""Its codes for what is wrong with a statement; all others are about the file, the disk, memory and locks."""


def is_failure(error: BaseException) -> bool:
    """Tell whether an error says that the database does not work, rather than that it was asked something wrong.

    What is asked after a failure may fail for another reason, so what was before it counts as well.
    """
    before = error.__context__
    return _fails(error) or (before is not None and is_failure(before))


def _fails(error: BaseException) -> bool:
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError)
    code: int | None = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & _PRIMARY not in _SQLITE_FAULTS
    state: str = getattr(error.orig, "sqlstate", None) or ""
    known = isinstance(error, OperationalError | InterfaceError | InternalError)
    return known or error.connection_invalidated or state[:2] in _POSTGRESQL_FAILS


class Complaints:
    """Tells the log that the database fails, but not each time: all that is asked of it fails then."""

    def __init__(self) -> None:
        self._again_at = 0.0
        self._more = 0

    def about(self, error: BaseException) -> None:
        """Tell of an error, or count it."""
        now = time.monotonic()
        if now < self._again_at:
            self._more += 1
            return
        _log.error("the database failed: %s (%d times more since it was last said)", reason(error), self._more)
        self._again_at, self._more = now + _QUIET_SECONDS, 0


def reason(error: BaseException | None) -> str:
    """Say in a line what was wrong, without the statement, for its values are secrets."""
    text = str(error) if isinstance(error, DizhuError | OSError) else str(getattr(error, "orig", None) or "")
    return text.strip().partition("\n")[0] or type(error).__name__
