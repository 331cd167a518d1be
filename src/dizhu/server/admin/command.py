"""From the arguments of `dizhu admin` to what it says."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from dizhu.errors import DizhuError
from dizhu.server.admin.backup import backup
from dizhu.server.admin.people import delete, export, grant, password, suspend
from dizhu.server.admin.said import Said
from dizhu.server.admin.server import check, close, prune, rotate_secrets, tables
from dizhu.server.store.database import Database, default_url, opened, read_url

Work = Callable[[Database, argparse.Namespace], Awaitable[Said]]

_WORK: dict[str, Work] = {
    "check": check,
    "grant": grant,
    "suspend": suspend,
    "password": password,
    "export": export,
    "delete": delete,
    "tables": tables,
    "close": close,
    "prune": prune,
    "rotate-secrets": rotate_secrets,
}


def admin(options: argparse.Namespace) -> Said:
    """Do what `options.work` names, with the database `options.db` or the one that is used by default.

    Raises DizhuError, `no_database` among others: a database that is not there is not made.
    """
    address: str = options.db or default_url()
    url = read_url(address)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise DizhuError("no_database", f"there is no database {url.database}")
    if options.work == "backup":
        return backup(url, options.file)
    return asyncio.run(_with_database(address, options))


async def _with_database(address: str, options: argparse.Namespace) -> Said:
    try:
        async with opened(address) as database:
            return await _WORK[options.work](database, options)
    except SQLAlchemyError as error:
        # Without the statement, for its values are secrets.
        reason = str(getattr(error, "orig", None) or type(error).__name__).partition("\n")[0]
        raise DizhuError("database_failed", f"the database failed: {reason}") from None
