"""Telling a database that fails from a statement that is wrong."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from dizhu.errors import DizhuError

_POSTGRESQL_FAILS = frozenset({"08", "53", "57", "58", "XX"})
"""Classes of its codes: no connection, no resources, stopped by somebody, the system, a fault of its own."""


def is_failure(error: BaseException) -> bool:
    """Tell whether an error says that the database does not work, rather than that it was asked something wrong."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError | PoolTimeoutError)
    code = getattr(error.orig, "sqlstate", None) or ""
    known = isinstance(error, OperationalError | InterfaceError | InternalError)
    return known or error.connection_invalidated or code[:2] in _POSTGRESQL_FAILS


def reason(error: BaseException | None) -> str:
    """Say in a line what was wrong, without the statement, for its values are secrets."""
    text = str(error) if isinstance(error, DizhuError | OSError) else str(getattr(error, "orig", None) or "")
    return text.strip().partition("\n")[0] or type(error).__name__
