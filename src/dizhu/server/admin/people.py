"""What may be done with one account."""

from __future__ import annotations

import argparse
import secrets

import msgspec

from dizhu.errors import DizhuError
from dizhu.server.accounts import FOR_EVER, DatabaseAccounts
from dizhu.server.admin.said import Said, moment
from dizhu.server.clock import Clock
from dizhu.server.economy.days import DAY
from dizhu.server.economy.grants import give
from dizhu.server.store.database import Database

_LONGEST_REASON = 200


async def grant(database: Database, options: argparse.Namespace) -> Said:
    """Give an account beans, or take some."""
    account, why = await _account(database, options.account), _reason(options.why)
    # The reason stands in the ledger, in the name of the transfer.
    key = f"gift:{secrets.token_hex(8)}: {why}"
    at = Clock().wall()
    beans = await database.writer.run(lambda connection: give(connection, account, options.beans, at, key))
    return Said((f"account {account} has {beans} beans now",))


async def suspend(database: Database, options: argparse.Namespace) -> Said:
    """Refuse an account for some days from now; 0 ends that."""
    account, why = await _account(database, options.account), _reason(options.why)
    accounts = DatabaseAccounts(database)
    if options.days == 0:
        await accounts.reinstate(account)
        return Said((f"account {account} may play again",))
    until = min(Clock().wall() + options.days * DAY, FOR_EVER)
    await accounts.suspend(account, why, until)
    return Said((f"account {account} is suspended until {moment(until)}",))


async def password(database: Database, options: argparse.Namespace) -> Said:
    """Give an account a new password, and print it."""
    account = await _account(database, options.account)
    new = await DatabaseAccounts(database).reset_password(account)
    return Said((f"account {account} has the password {new} now; its sessions have ended",))


async def export(database: Database, options: argparse.Namespace) -> Said:
    """Print all that is kept about an account, as JSON."""
    kept = await DatabaseAccounts(database).export(await _account(database, options.account))
    return Said((msgspec.json.format(msgspec.json.encode(kept), indent=2).decode(),))


async def delete(database: Database, options: argparse.Namespace) -> Said:
    """Delete an account."""
    account = await _account(database, options.account)
    await DatabaseAccounts(database).remove(account)
    return Said((f"account {account} is deleted",))


async def _account(database: Database, named: str) -> int:
    """Find an account by its number or its name; a number need not be anybody's."""
    if named.isascii() and named.isdigit():
        number = int(named)
        if number > 2**63 - 1:
            raise DizhuError("unknown_account", f"there is no account {named}")
        return number
    found = await DatabaseAccounts(database).named(named)
    if found is None:
        raise DizhuError("unknown_account", f"there is no account with the name {named!r}; guests have numbers only")
    return found.id


def _reason(text: str) -> str:
    if not (0 < len(text.strip()) <= _LONGEST_REASON and text.isprintable()):
        raise DizhuError("bad_reason", f"the reason must be one line of 1 to {_LONGEST_REASON} characters")
    return text.strip()
