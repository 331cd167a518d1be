"""Who is who: accounts, their names and passwords, and their sessions."""

from __future__ import annotations

from dizhu.server.accounts.account import Account, Accounts
from dizhu.server.accounts.database import FOR_EVER, DatabaseAccounts
from dizhu.server.accounts.memory import MemoryAccounts

__all__ = ["FOR_EVER", "Account", "Accounts", "DatabaseAccounts", "MemoryAccounts"]
