"""Who is who: sessions are opaque tokens, kept as hashes only."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Account:
    """A player. A guest is one from the first moment."""

    id: int
    name: str


class Accounts(Protocol):
    """Where accounts and their sessions are kept."""

    async def guest(self) -> tuple[Account, str]:
        """Make a guest; returns it with the token of its session, which is never to be had again."""
        ...

    async def find(self, token: str) -> Account | None:
        """Find whose session a token is."""
        ...


class MemoryAccounts:
    """Accounts for as long as the server runs; beyond `limit` the guests not seen for longest are forgotten."""

    def __init__(self, limit: int = 100_000) -> None:
        self._limit = limit
        self._made = 0
        self._sessions: OrderedDict[bytes, Account] = OrderedDict()

    async def guest(self) -> tuple[Account, str]:
        """Make a guest with a number for a name."""
        self._made += 1
        account = Account(self._made, f"Guest {1000 + secrets.randbelow(9000)}")
        token = secrets.token_urlsafe(32)
        self._sessions[_hash(token)] = account
        if len(self._sessions) > self._limit:
            self._sessions.popitem(last=False)
        return account, token

    async def find(self, token: str) -> Account | None:
        """Find whose session a token is."""
        key = _hash(token)
        account = self._sessions.get(key)
        if account is not None:
            self._sessions.move_to_end(key)
        return account


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
