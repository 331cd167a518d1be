"""Accounts that nothing is left of when the server stops."""

from __future__ import annotations

import hashlib
from collections import OrderedDict

from dizhu.server.accounts.account import Account
from dizhu.server.accounts.names import guest_name
from dizhu.server.accounts.tokens import new_token


class MemoryAccounts:
    """Accounts for as long as the server runs; beyond `limit` the guests not seen for longest are forgotten."""

    def __init__(self, limit: int = 100_000) -> None:
        self._limit = limit
        self._made = 0
        self._sessions: OrderedDict[bytes, Account] = OrderedDict()

    async def guest(self) -> tuple[Account, str]:
        """Make a guest with a number for a name."""
        self._made += 1
        account = Account(self._made, guest_name())
        token = new_token()
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
