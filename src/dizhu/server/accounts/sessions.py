"""Sessions: rows under the hash of a token, and a memory of those that were looked up last."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, insert, not_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.server.accounts.account import Account
from dizhu.server.accounts.tokens import new_secret, token_hash
from dizhu.server.clock import Clock
from dizhu.server.store import schema
from dizhu.server.store.database import Database
from dizhu.server.store.writer import StoreFailed

AnyRow = Row[*tuple[Any, ...]]

_SECRET = "session"
_LONGEST_TOKEN = 128
_KEPT = 10_000
# Another process may end a session (an admin's command, another node), so it is looked up again after a while.
_FRESH_SECONDS = 5.0
_USED_EVERY_MS = 5 * 60 * 1000
_UNUSED_MS = 365 * 24 * 60 * 60 * 1000
_AT_ONCE = 500

_account = schema.account.c
_session = schema.session.c
_secret = schema.secret.c

_sessions = (
    select(_account.id, _account.name, _account.name_key, _account.suspended_until, _session.hash, _session.used_at)
    .join(schema.session, _session.account_id == _account.id)
    .where(_account.deleted_at.is_(None))
)
_used_session = update(schema.session).where(_session.hash == bindparam("key")).values(used_at=bindparam("at"))
_seen_account = update(schema.account).where(_account.id == bindparam("key")).values(seen_at=bindparam("at"))


class Sessions:
    """Who is behind a token."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._known: OrderedDict[bytes, tuple[Account, float]] = OrderedDict()
        self._changes = 0
        self._used: dict[bytes, tuple[int, int]] = {}
        self._noting = False

    # --- looked up --------------------------------------------------------------------------------------------------

    async def find(self, token: str) -> Account | None:
        """Find whose session a token is. Raises DizhuError `suspended`."""
        if len(token) > _LONGEST_TOKEN:
            return None
        key = _key(token)
        account, until = self._known.get(key, (None, 0.0))
        if account is not None and self._clock.now() < until:
            self._known.move_to_end(key)
            return account
        changes = self._changes
        async with self._database.reading() as connection:
            row = await self._row(connection, token)
        if row is None:
            return None
        refuse_suspended(row.suspended_until, self._clock.wall())
        account = Account(row.id, row.name, row.name_key is not None)
        # If anything changed while it was looked up, that may be older than the change.
        if changes == self._changes:
            self._remember(key, account)
        await self._note_use(row)
        return account

    async def owner(self, connection: AsyncConnection, token: str) -> Account | None:
        """Find whose session a token is, as part of a job of the writer."""
        row = await self._row(connection, token)
        return None if row is None else Account(row.id, row.name, row.name_key is not None)

    async def ended(self, tokens: Sequence[str]) -> dict[str, str]:
        """Tell which sessions have ended, here or by another process, with a code: logged_out or suspended."""
        now = self._clock.wall()
        ended = dict.fromkeys(tokens, "logged_out")
        async with self._database.reading() as connection:
            secret = await _read_secret(connection)
            if secret is None:
                return ended
            hashes = {token_hash(secret, token): token for token in tokens}
            keys = list(hashes)
            for start in range(0, len(keys), _AT_ONCE):
                found = _sessions.where(_session.hash.in_(keys[start : start + _AT_ONCE]), self._not_expired())
                for row in await connection.execute(found):
                    if is_suspended(row.suspended_until, now):
                        ended[hashes[row.hash]] = "suspended"
                    else:
                        del ended[hashes[row.hash]]
        return ended

    async def _row(self, connection: AsyncConnection, token: str) -> AnyRow | None:
        secret = await _read_secret(connection)
        if secret is None:
            return None
        found = _sessions.where(_session.hash == token_hash(secret, token), self._not_expired())
        return (await connection.execute(found)).one_or_none()

    def _not_expired(self) -> ColumnElement[bool]:
        """A session that was not used for a year has ended."""
        return _session.used_at > self._clock.wall() - _UNUSED_MS

    # --- begun and ended, as part of a job of the writer -------------------------------------------------------------

    async def begin(self, connection: AsyncConnection, account: int, token: str) -> None:
        """Begin a session."""
        now = self._clock.wall()
        secret = await _read_secret(connection)
        if secret is None:
            secret = new_secret()
            await connection.execute(
                insert(schema.secret).values(name=_SECRET, value=secret, created_at=self._clock.wall())
            )
        hashed = token_hash(secret, token)
        await connection.execute(
            insert(schema.session).values(hash=hashed, account_id=account, created_at=now, used_at=now)
        )

    async def end(self, connection: AsyncConnection, token: str) -> None:
        """End one session."""
        secret = await _read_secret(connection)
        if secret is not None:
            await connection.execute(delete(schema.session).where(_session.hash == token_hash(secret, token)))

    async def end_all(self, connection: AsyncConnection, account: int) -> None:
        """End all sessions of an account."""
        await connection.execute(delete(schema.session).where(_session.account_id == account))

    async def forget_expired(self, connection: AsyncConnection) -> int:
        """Delete the sessions that were not used for a year; returns how many there were."""
        return (await connection.execute(delete(schema.session).where(not_(self._not_expired())))).rowcount

    async def rotate(self, connection: AsyncConnection) -> None:
        """Throw the secret away, and with it all sessions."""
        await connection.execute(delete(schema.session))
        await connection.execute(delete(schema.secret).where(_secret.name == _SECRET))

    # --- remembered -------------------------------------------------------------------------------------------------

    def forget(self, account: int) -> None:
        """Look an account up anew, for a change has been committed."""
        self._changes += 1
        for key in [key for key, (known, _) in self._known.items() if known.id == account]:
            del self._known[key]

    def forget_all(self) -> None:
        """Look all accounts up anew."""
        self._changes += 1
        self._known.clear()

    def _remember(self, key: bytes, account: Account) -> None:
        self._known[key] = (account, self._clock.now() + _FRESH_SECONDS)
        self._known.move_to_end(key)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)

    async def _note_use(self, row: AnyRow) -> None:
        """Write down when a session was used; not each time, and those of the same moment together."""
        now = self._clock.wall()
        if now - row.used_at < _USED_EVERY_MS:
            return
        self._used[row.hash] = (row.id, now)
        if self._noting:
            return
        self._noting = True
        try:
            while self._used:
                used, self._used = self._used, {}
                with suppress(StoreFailed):
                    await self._database.writer.run(lambda connection, used=used: _write_use(connection, used))
        finally:
            self._noting = False


def is_suspended(until: int | None, now: int) -> bool:
    """Tell whether an account is suspended at a time."""
    return until is not None and now < until


def refuse_suspended(until: int | None, now: int) -> None:
    """Raise DizhuError `suspended` if an account is."""
    if is_suspended(until, now):
        raise DizhuError("suspended", "the account is suspended", until=until)


async def _write_use(connection: AsyncConnection, used: dict[bytes, tuple[int, int]]) -> None:
    await connection.execute(_used_session, [{"key": key, "at": at} for key, (_, at) in used.items()])
    await connection.execute(_seen_account, [{"key": account, "at": at} for account, at in used.values()])


async def _read_secret(connection: AsyncConnection) -> bytes | None:
    return (await connection.execute(select(_secret.value).where(_secret.name == _SECRET))).scalar_one_or_none()


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
