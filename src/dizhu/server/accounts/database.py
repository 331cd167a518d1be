"""Accounts in the database."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager

from sqlalchemy import ColumnElement, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from dizhu.errors import DizhuError
from dizhu.server.accounts.account import Account
from dizhu.server.accounts.export import Export, export
from dizhu.server.accounts.names import DELETED, good_name, guest_name, name_key
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.accounts.sessions import AnyRow, Sessions, refuse_suspended
from dizhu.server.accounts.tokens import new_token
from dizhu.server.clock import Clock
from dizhu.server.economy.grants import close
from dizhu.server.store import schema
from dizhu.server.store.database import Database

FOR_EVER = 253_402_300_799_000
"""The end of the year 9999, in milliseconds since 1970."""

_PASSWORD_BYTES = 12

_account = schema.account.c
_PLAYERS = (_account.id != schema.HOUSE, _account.deleted_at.is_(None))


class DatabaseAccounts:
    """Accounts, and what may be done with them. Whatever is refused has changed nothing.

    Who has lost a race against another change of the same account is refused with the code of what then holds.
    """

    def __init__(self, database: Database, *, passwords: Passwords | None = None, clock: Clock | None = None) -> None:
        self._database = database
        self._passwords = passwords or Passwords()
        self._clock = clock or Clock()
        self._sessions = Sessions(database, self._clock)

    # --- sessions ---------------------------------------------------------------------------------------------------

    async def guest(self) -> tuple[Account, str]:
        """Make a guest; returns it with the token of its session, which is never to be had again."""
        name, now = guest_name(), self._clock.wall()
        new = insert(schema.account).values(name=name, created_at=now, seen_at=now).returning(_account.id)

        async def make(connection: AsyncConnection) -> Account:
            return Account((await connection.execute(new)).scalar_one(), name)

        return await self._with_session(make)

    async def find(self, token: str) -> Account | None:
        """Find whose session a token is. Raises DizhuError `suspended`."""
        return await self._sessions.find(token)

    async def ended(self, tokens: Sequence[str]) -> dict[str, str]:
        """Tell which sessions have ended, here or by another process, with a code: logged_out or suspended."""
        return await self._sessions.ended(tokens)

    async def log_in(self, name: str, password: str) -> tuple[Account, str]:
        """Begin a session with name and password. Raises DizhuError: wrong_login, suspended, busy."""
        row = await self._read(_account.name_key == name_key(name))
        right = await self._passwords.verify(None if row is None else row.password, password)
        if row is None or not right:
            raise DizhuError("wrong_login", "no account has this name and this password")
        refuse_suspended(row.suspended_until, self._clock.wall())
        outdated = self._passwords.outdated(row.password)
        hashed = await self._passwords.hash(password) if outdated else row.password

        async def job(connection: AsyncConnection) -> Account:
            same = (_account.id == row.id, _account.password == row.password)
            if not await _changed(connection, same, password=hashed):
                raise DizhuError("wrong_login", "the password has just been changed")
            return Account(row.id, row.name, claimed=True)

        return await self._with_session(job)

    async def log_out(self, token: str) -> None:
        """End one session."""

        async def job(connection: AsyncConnection) -> Account | None:
            account = await self._sessions.owner(connection, token)
            await self._sessions.end(connection, token)
            return account

        account = await self._database.writer.run(job)
        if account is not None:
            self._sessions.forget(account.id)

    async def log_out_everywhere(self, account: int) -> None:
        """End all sessions of an account."""
        await self._database.writer.run(lambda connection: self._sessions.end_all(connection, account))
        self._sessions.forget(account)

    # --- name and password ------------------------------------------------------------------------------------------

    async def claim(self, account: int, name: str, password: str) -> tuple[Account, str]:
        """Give a guest a name of its own and a password: it keeps all it has, and gets a new session for all it had.

        Raises DizhuError: bad_name, name_taken, bad_password, already_claimed, busy.
        """
        name = good_name(name)
        hashed = await self._passwords.hash(password)

        async def job(connection: AsyncConnection) -> Account:
            guest = (_account.id == account, _account.name_key.is_(None))
            if not await _changed(connection, guest, name=name, name_key=name_key(name), password=hashed):
                raise DizhuError("already_claimed", "the account has a name and a password")
            await self._sessions.end_all(connection, account)
            return Account(account, name, claimed=True)

        with _names_once():
            return await self._with_session(job)

    async def rename(self, account: int, name: str) -> Account:
        """Change the name. Raises DizhuError: bad_name, name_taken, not_claimed."""
        name = good_name(name)

        async def job(connection: AsyncConnection) -> None:
            own = (_account.id == account, _account.name_key.is_not(None))
            if not await _changed(connection, own, name=name, name_key=name_key(name)):
                raise DizhuError("not_claimed", "a guest has no name of its own")

        with _names_once():
            await self._database.writer.run(job)
        self._sessions.forget(account)
        return Account(account, name, claimed=True)

    async def change_password(self, account: int, old: str, new: str) -> tuple[Account, str]:
        """Change the password; a new session takes the place of all others.

        Raises DizhuError: wrong_password, bad_password, not_claimed, busy.
        """
        row = await self._read(_account.id == account)
        if row is None or row.password is None:
            raise DizhuError("not_claimed", "a guest has no password")
        await self._check(row, old)
        hashed = await self._passwords.hash(new)

        async def job(connection: AsyncConnection) -> Account:
            if not await _changed(
                connection, (_account.id == account, _account.password == row.password), password=hashed
            ):
                raise _wrong_password()
            await self._sessions.end_all(connection, account)
            return Account(account, row.name, claimed=True)

        return await self._with_session(job)

    async def delete(self, account: int, password: str | None) -> None:
        """Delete an account: its name and password go, its sessions end, and the house takes what it owns.

        Its hands and bookings stay.

        Raises DizhuError: wrong_password (a guest needs none), busy.
        """
        row = await self._read(_account.id == account)
        if row is None:
            return
        if row.password is not None:
            await self._check(row, password or "")
        # No password with a null: a guest that has been claimed meanwhile is not deleted.
        same = _account.password.is_(None) if row.password is None else _account.password == row.password
        if not await self._delete(account, same):
            raise _wrong_password()

    async def _delete(self, account: int, *besides: ColumnElement[bool]) -> bool:
        """Delete an account that is as it is meant to be; False if it is not."""
        now = self._clock.wall()
        gone = {"name": DELETED, "name_key": None, "password": None, "deleted_at": now}
        block, seat = schema.block, schema.hand_seat

        async def job(connection: AsyncConnection) -> bool:
            if not await _changed(connection, (_account.id == account, *besides), **gone):
                return False
            await self._sessions.end_all(connection, account)
            await close(connection, account, now)
            await connection.execute(
                delete(block).where(or_(block.c.account_id == account, block.c.other_id == account))
            )
            await connection.execute(update(seat).where(seat.c.account_id == account).values(name=DELETED))
            return True

        done = await self._database.writer.run(job)
        self._sessions.forget(account)
        return done

    # --- for those who run the server -------------------------------------------------------------------------------

    async def named(self, name: str) -> Account | None:
        """Find the account with a name, or one that looks like it."""
        row = await self._read(_account.name_key == name_key(name))
        return None if row is None else Account(row.id, row.name, claimed=True)

    async def suspend(self, account: int, reason: str, until: int = FOR_EVER) -> None:
        """Refuse an account until a time in milliseconds since 1970. Raises DizhuError `unknown_account`."""
        await self._suspend(account, until, reason)

    async def reinstate(self, account: int) -> None:
        """End a suspension. Raises DizhuError `unknown_account`."""
        await self._suspend(account, None, None)

    async def remove(self, account: int) -> None:
        """Delete an account as `delete` does, whatever its password. Raises DizhuError `unknown_account`."""
        if not await self._delete(account):
            raise _unknown_account(account)

    async def export(self, account: int) -> Export:
        """Collect all that is kept about an account. Raises DizhuError `unknown_account`."""
        async with self._database.reading() as connection:
            return await export(connection, account)

    async def reset_password(self, account: int) -> str:
        """Give an account a new password, which nobody chose; all its sessions end.

        Raises DizhuError: unknown_account, not_claimed, busy.
        """
        row = await self._read(_account.id == account)
        if row is None:
            raise _unknown_account(account)
        if row.password is None:
            raise DizhuError("not_claimed", "a guest has no password")
        password = secrets.token_urlsafe(_PASSWORD_BYTES)
        hashed = await self._passwords.hash(password)

        async def job(connection: AsyncConnection) -> None:
            if not await _changed(connection, (_account.id == account,), password=hashed):
                raise _unknown_account(account)
            await self._sessions.end_all(connection, account)

        await self._database.writer.run(job)
        self._sessions.forget(account)
        return password

    async def forget_expired_sessions(self) -> int:
        """Delete the sessions that have ended because nobody used them; returns how many there were."""
        return await self._database.writer.run(self._sessions.forget_expired)

    async def rotate_secrets(self) -> None:
        """Make new secrets; all sessions end."""
        await self._database.writer.run(self._sessions.rotate)
        self._sessions.forget_all()

    # --- how ----------------------------------------------------------------------------------------------------------

    async def _with_session(self, job: Callable[[AsyncConnection], Awaitable[Account]]) -> tuple[Account, str]:
        """Do a job and begin a session for the account that comes out of it."""
        token = new_token()

        async def both(connection: AsyncConnection) -> Account:
            # A job may be done twice, and the first time may have been committed.
            if (done := await self._sessions.owner(connection, token)) is not None:
                return done
            account = await job(connection)
            await self._sessions.begin(connection, account.id, token)
            return account

        account = await self._database.writer.run(both)
        self._sessions.forget(account.id)
        return account, token

    async def _read(self, which: ColumnElement[bool]) -> AnyRow | None:
        async with self._database.reading() as connection:
            return (await connection.execute(select(schema.account).where(which, *_PLAYERS))).one_or_none()

    async def _check(self, row: AnyRow, password: str) -> None:
        if not await self._passwords.verify(row.password, password):
            raise _wrong_password()

    async def _suspend(self, account: int, until: int | None, reason: str | None) -> None:
        async def job(connection: AsyncConnection) -> None:
            if not await _changed(
                connection, (_account.id == account,), suspended_until=until, suspended_because=reason
            ):
                raise _unknown_account(account)

        await self._database.writer.run(job)
        self._sessions.forget(account)


async def _changed(connection: AsyncConnection, which: Sequence[ColumnElement[bool]], **values: object) -> bool:
    """Change the account that is meant; False if it is no longer as it was."""
    change = update(schema.account).where(*which, *_PLAYERS).values(**values)
    return (await connection.execute(change)).rowcount == 1


@contextmanager
def _names_once() -> Generator[None]:
    """No two accounts have names that look alike: the database sees to it."""
    try:
        yield
    except IntegrityError:
        raise DizhuError("name_taken", "somebody has this name, or one that looks like it") from None


def _wrong_password() -> DizhuError:
    return DizhuError("wrong_password", "this is not the password of the account")


def _unknown_account(account: int) -> DizhuError:
    return DizhuError("unknown_account", f"there is no account {account}")
