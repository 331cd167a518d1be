"""Who is who: accounts, their names and passwords, and their sessions."""

from __future__ import annotations

from dizhu.server.accounts.account import Account
from dizhu.server.accounts.database import FOR_EVER, DatabaseAccounts

__all__ = ["FOR_EVER", "Account", "DatabaseAccounts"]
