"""An endpoint as data, and what its handler is given."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

from msgspec import Meta, Struct
from starlette.requests import HTTPConnection

from dizhu.server import visitors
from dizhu.server.accounts import Account, DatabaseAccounts
from dizhu.server.api.codes import ALL, BODY, CODES, SESSION
from dizhu.server.clock import Clock
from dizhu.server.limits import Limits, RateClass
from dizhu.server.rooms import Room
from dizhu.server.store.database import Database

if TYPE_CHECKING:
    from dizhu.server.api.tables import OpenTable

Method = Literal["GET", "POST", "DELETE"]

Id = Annotated[int, Meta(ge=1, le=2**53 - 1)]
"""The number of a row, as JSON and the databases can both hold it."""


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked."""


class Answer(Struct, frozen=True):
    """What is answered."""


class Nothing(Request, frozen=True):
    """A request without fields."""


class Done(Answer, frozen=True):
    """It is done, and there is no more to say."""


Q = TypeVar("Q", bound=Request)
Q_co = TypeVar("Q_co", bound=Request, covariant=True)
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Call(Generic[Q_co]):
    """A request to be answered. `visitor`: whose session it came with; `headers`: of the answer."""

    request: Q_co
    visitor: Account | None
    http: HTTPConnection
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def account(self) -> Account:
        """The player who asks, at an endpoint for those with a session."""
        assert self.visitor is not None
        return self.visitor

    @property
    def address(self) -> str:
        """Where it comes from, for limits."""
        return visitors.address(self.http)

    @property
    def accounts(self) -> DatabaseAccounts:
        """All accounts."""
        return self.http.app.state.accounts

    @property
    def database(self) -> Database:
        """The database."""
        return self.http.app.state.database

    @property
    def limits(self) -> Limits:
        """What may be asked in a time."""
        return self.http.app.state.limits

    @property
    def rooms(self) -> Mapping[str, Room]:
        """The rooms, by id."""
        return self.http.app.state.rooms

    @property
    def open_tables(self) -> Callable[[], Iterable[OpenTable]]:
        """Lists the tables of the rooms."""
        return self.http.app.state.open_tables

    @property
    def clock(self) -> Clock:
        """The server's time."""
        return self.http.app.state.clock


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Q, A]):
    """What is answered at a method and a path, by which handler and to whom.

    path: `{name}` in it is a field of the request; only a GET has them. rate: what a request costs.
    codes: with which the handler refuses, beside those with which all do.
    """

    method: Method
    path: str
    handler: Callable[[Call[Q]], Awaitable[A]]
    request: type[Q]
    answer: type[A]
    who: Literal["anyone", "session"] = field(default="session", kw_only=True)
    rate: RateClass = field(default="reads", kw_only=True)
    codes: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        assert set(self.codes) <= CODES.keys(), "a code is declared in codes.py first"
        assert set(self.in_path) <= set(self.request.__struct_fields__)
        assert self.method == "GET" or not self.in_path, "what changes something is said in the body alone"

    @property
    def in_path(self) -> list[str]:
        """The fields of the request that stand in the path."""
        return re.findall(r"\{(\w+)\}", self.path)

    @property
    def refusals(self) -> frozenset[str]:
        """All codes with which it may be refused."""
        body = () if self.method == "GET" else BODY
        session = SESSION if self.who == "session" else ()
        return frozenset((*ALL, *body, *session, *self.codes))
