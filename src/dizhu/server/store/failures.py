"""Telling a database that fails from a statement that is wrong."""

from __future__ import annotations

import logging
import time

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from dizhu.errors import DizhuError

_log = logging.getLogger(__name__)

_QUIET_SECONDS = 5.0
_POSTGRESQL_FAILS = frozenset({"08", "53", "57", "58", "XX"})
"""Classes of its codes: no connection, no resources, stopped by somebody, the system, a fault of its own."""


def is_failure(error: BaseException) -> bool:
    """Tell whether an error says that the database does not work, rather than that it was asked something wrong."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError | PoolTimeoutError)
    code = getattr(error.orig, "sqlstate", None) or ""
    known = isinstance(error, OperationalError | InterfaceError | InternalError)
    return known or error.connection_invalidated or code[:2] in _POSTGRESQL_FAILS


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
