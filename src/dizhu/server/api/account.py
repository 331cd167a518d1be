"""The session and the account of whoever asks."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Annotated

from msgspec import Meta

from dizhu.server import visitors
from dizhu.server.accounts import Account
from dizhu.server.accounts.names import name_key
from dizhu.server.api.endpoint import Answer, Call, Done, Endpoint, Nothing, Request

Name = Annotated[str, Meta(max_length=64, description="It has 2 to 16 letters and digits, of any script, and spaces.")]
Password = Annotated[str, Meta(max_length=256, description="It has 8 to 256 characters.")]


class Visit(Request, frozen=True):
    """`bearer`: for programs, which get the token of a new session in the answer; browsers get a cookie."""

    bearer: bool = False


class LogIn(Request, frozen=True):
    """`bearer`: for programs, which get the token of the session in the answer; browsers get a cookie."""

    name: Name
    password: Password
    bearer: bool = False


class Claim(Request, frozen=True):
    """A name and a password for a guest."""

    name: Name
    password: Password


class Rename(Request, frozen=True):
    """Another name."""

    name: Name


class ChangePassword(Request, frozen=True):
    """The password so far, and another."""

    old: Password
    new: Password


class Delete(Request, frozen=True):
    """The password; a guest has none."""

    password: Password | None = None


class Me(Answer, frozen=True):
    """An account, as its player sees it. `claimed`: it has a name of its own and a password, so is no guest's."""

    id: int
    name: str
    claimed: bool


class Session(Answer, frozen=True):
    """An account, and the token of a new session of it: for programs, and only this once."""

    me: Me
    token: str | None


async def me(call: Call[Nothing]) -> Me:
    """Tell who asks."""
    return _me(call.account)


async def begin_session(call: Call[Visit]) -> Session:
    """Make a guest of whoever has no session yet."""
    if call.visitor is not None:
        return Session(me=_me(call.visitor), token=None)
    call.limits.guest(call.address)
    return _begun(call, await call.accounts.guest(), bearer=call.request.bearer)


async def log_in(call: Call[LogIn]) -> Session:
    """Begin a session with name and password."""
    with call.limits.attempt(name_key(call.request.name), call.address, "wrong_login"):
        begun = await call.accounts.log_in(call.request.name, call.request.password)
    return _begun(call, begun, bearer=call.request.bearer)


async def claim(call: Call[Claim]) -> Session:
    """Make a guest's account one with a name and a password.

    It keeps all it has; a new session takes the place of all others.
    """
    begun = await call.accounts.claim(call.account.id, call.request.name, call.request.password)
    return _begun(call, begun, bearer=_is_program(call))


async def rename(call: Call[Rename]) -> Me:
    """Change the name."""
    return _me(await call.accounts.rename(call.account.id, call.request.name))


async def change_password(call: Call[ChangePassword]) -> Session:
    """Change the password; a new session takes the place of all others."""
    with _own_attempt(call):
        begun = await call.accounts.change_password(call.account.id, call.request.old, call.request.new)
    return _begun(call, begun, bearer=_is_program(call))


async def log_out(call: Call[Nothing]) -> Done:
    """End the session. That of a guest is the only way to the account."""
    await call.accounts.log_out(visitors.token(call.http) or "")
    return _left(call)


async def log_out_everywhere(call: Call[Nothing]) -> Done:
    """End all sessions of the account."""
    await call.accounts.log_out_everywhere(call.account.id)
    return _left(call)


async def delete(call: Call[Delete]) -> Done:
    """Delete the account: its name is free again, its hands stay without it."""
    with _own_attempt(call):
        await call.accounts.delete(call.account.id, call.request.password)
    return _left(call)


def _me(account: Account) -> Me:
    return Me(id=account.id, name=account.name, claimed=account.claimed)


def _is_program(call: Call[Request]) -> bool:
    return bool(visitors.bearer(call.http))


def _begun(call: Call[Request], begun: tuple[Account, str], *, bearer: bool) -> Session:
    """Hand over a new session: a program is told the token, a browser keeps it in a cookie out of reach of scripts."""
    account, token = begun
    if not bearer:
        call.headers["set-cookie"] = visitors.cookie(call.http, token)
    return Session(me=_me(account), token=token if bearer else None)


def _left(call: Call[Request]) -> Done:
    if not _is_program(call):
        call.headers["set-cookie"] = visitors.cookie(call.http, "")
    return Done()


def _own_attempt(call: Call[Request]) -> AbstractContextManager[None]:
    # No name is compared by what begins with this sign.
    return call.limits.attempt(f"#{call.account.id}", call.address, "wrong_password")


_NAME = ("bad_name", "name_taken")
_NEW_PASSWORD = ("bad_password", "busy")
_OWN_PASSWORD = ("wrong_password", "too_many_attempts", "busy")

ENDPOINTS = (
    Endpoint("GET", "/api/me", me, Nothing, Me),
    Endpoint(
        "POST", "/api/session", begin_session, Visit, Session, who="anyone", rate="writes", codes=("too_many_guests",)
    ),
    Endpoint(
        "POST",
        "/api/account/login",
        log_in,
        LogIn,
        Session,
        who="anyone",
        rate="passwords",
        codes=("wrong_login", "too_many_attempts", "suspended", "busy"),
    ),
    Endpoint(
        "POST",
        "/api/account/claim",
        claim,
        Claim,
        Session,
        rate="passwords",
        codes=("already_claimed", *_NAME, *_NEW_PASSWORD),
    ),
    Endpoint("POST", "/api/account/rename", rename, Rename, Me, rate="writes", codes=("not_claimed", *_NAME)),
    Endpoint(
        "POST",
        "/api/account/password",
        change_password,
        ChangePassword,
        Session,
        rate="passwords",
        codes=("not_claimed", "bad_password", *_OWN_PASSWORD),
    ),
    Endpoint("POST", "/api/account/logout", log_out, Nothing, Done, rate="writes"),
    Endpoint("POST", "/api/account/logout-everywhere", log_out_everywhere, Nothing, Done, rate="writes"),
    Endpoint("DELETE", "/api/account", delete, Delete, Done, rate="passwords", codes=_OWN_PASSWORD),
)
