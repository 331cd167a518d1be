"""What all tables of a server share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dizhu.server.accounts import Account
from dizhu.server.books import Books
from dizhu.server.clock import Clock
from dizhu.server.hand import Dealer
from dizhu.server.settings import Settings
from dizhu.server.store.log import Log
from dizhu.server.store.social import Social


@dataclass(slots=True)
class House:
    """Settings, time, and where things are kept. stopping: no new hand begins."""

    settings: Settings
    clock: Clock
    log: Log
    books: Books
    social: Social
    dealer: Dealer
    stopping: bool = False


class Whereabouts(Protocol):
    """Who is at which table, for the whole server."""

    def is_at(self, account: Account, table: str) -> bool:
        """Tell whether somebody sits or looks on at a table."""
        ...

    def left(self, account: Account, table: str) -> None:
        """Note that somebody sits or looks on at a table no more."""
        ...
