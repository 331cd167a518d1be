"""What players say to each other, and how one need not hear it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import assert_never

from dizhu.errors import DizhuError
from dizhu.protocol import BlockCommand, ChatCommand, MuteCommand, ReportCommand, SayCommand
from dizhu.server.accounts import Account
from dizhu.server.store.social import Report
from dizhu.server.table import Table

TalkCommand = SayCommand | ChatCommand | MuteCommand | BlockCommand | ReportCommand

_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
"""Kinds of characters that cannot be seen, or turn round what is near them."""


async def talk(command: TalkCommand, table: Table, seat: int, done: Callable[[int], None]) -> None:
    """Carry out a command of the player on a seat. Raises DizhuError."""
    match command:
        case SayCommand(_, phrase):
            _allow(table, seat)
            done(table.teller.seq)
            table.teller.said(seat, phrase, None)
        case ChatCommand(_, text):
            if table.code is None:
                raise DizhuError("not_private", "one's own words are for private tables")
            words = clean(text)
            if not words:
                raise DizhuError("bad_message", "there are no words in it")
            _allow(table, seat)
            done(table.teller.seq)
            table.teller.said(seat, None, words)
        case MuteCommand(_, other, on):
            _hear(table, seat, _other(table, seat, other), on=on)
            done(table.teller.seq)
        case BlockCommand(_, other, on):
            await _block(table, seat, _other(table, seat, other), on=on)
            done(table.teller.seq)
        case ReportCommand(_, other, reason, words):
            await _report(table, seat, _other(table, seat, other), reason, words)
            done(table.teller.seq)
        case _:
            assert_never(command)


def clean(text: str) -> str:
    """Take out of a text what cannot be seen; blanks in a row become one."""
    seen = (" " if unicodedata.category(letter) in _UNSEEN else letter for letter in unicodedata.normalize("NFC", text))
    return " ".join("".join(seen).split())


def _allow(table: Table, seat: int) -> None:
    place = table.places[seat]
    if not place.talk.take(table.now):
        raise DizhuError("too_much_talk", "too much was said in a short time")


def _other(table: Table, seat: int, other: int) -> Account:
    """Find the player of another seat, also one who has just left it."""
    place = table.places[other] if other < len(table.places) else None
    account = None if place is None else place.account or place.owner
    if account is None or account == table.places[seat].account:
        raise DizhuError("unknown_seat", "no other player sits there")
    return account


def _hear(table: Table, seat: int, account: Account, *, on: bool) -> None:
    """Hear somebody no more, or again."""
    deaf = table.places[seat].deaf
    if on:
        deaf.add(account.id)
    else:
        deaf.discard(account.id)


async def _block(table: Table, seat: int, other: Account, *, on: bool) -> None:
    account = table.places[seat].account
    assert account is not None
    await table.house.social.block(account.id, other.id, table.house.clock.wall(), on=on)
    _hear(table, seat, other, on=on)


async def _report(table: Table, seat: int, other: Account, reason: str, words: str | None) -> None:
    account = table.places[seat].account
    assert account is not None
    _allow(table, seat)
    report = Report(account.id, other.id, table.house.clock.wall(), table.id, clean(reason), clean(words or ""))
    await table.house.social.report(report)
