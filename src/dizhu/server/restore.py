"""Building a table from its log, after a restart or when the log turns out to hold more than was known."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dizhu.errors import DizhuError
from dizhu.game.engine import Game
from dizhu.game.state import Stakes
from dizhu.protocol import ClosedMessage
from dizhu.server.accounts import Account
from dizhu.server.books import title
from dizhu.server.connection import Connection
from dizhu.server.hand import Hand
from dizhu.server.house import House
from dizhu.server.seating import unseat
from dizhu.server.store.log import Act, Deal, Seats, Seed, TableRow, Written, read
from dizhu.server.store.writer import StoreFailed
from dizhu.server.table import Table

_log = logging.getLogger(__name__)

_MILLISECONDS = 1000
_SKIPPED = 1_000
"""Numbers left out: some events, that somebody came or went, were told but are in no log.

After another restart they would be used again. So the numbers follow the time of day, in microseconds, as well.
"""


async def unfinished(house: House, empty: Callable[[TableRow], Table]) -> list[Table]:
    """Build every table that was not closed, the one where something happened last at the end. Raises StoreFailed.

    empty: makes a table to which nothing has happened yet.
    """
    rows = await house.log.unfinished()
    logs = await house.log.load_all([row.id for row in rows])
    found: list[tuple[int, Table]] = []
    for row in rows:
        try:
            entries, table = read(logs.pop(row.id)), empty(row)
            await take_up(table, entries)
            found.append((entries[-1].at, table))
        except StoreFailed:
            raise
        except DizhuError as error:
            _log.error("table %s cannot go on: %s", row.id, error)
            await house.log.close(row.id, house.clock.wall())
        except Exception:  # noqa: BLE001 the other tables go on; this one stays as it is until it can be read
            _log.exception("table %s cannot be read", row.id)
    tables = [table for _, table in sorted(found, key=lambda one: one[0])]
    await _seat_once(tables)
    await _give_titles(house, tables)
    return tables


async def _seat_once(tables: Sequence[Table]) -> None:
    """Let nobody sit twice: he may have sat down elsewhere when it was not known that he had a seat already."""
    newest = {place.account: table for table in tables for _, place in table.players()}
    for table in tables:
        for seat, place in list(table.players()):
            if newest[place.account] is not table:
                await unseat(table, seat, "left")


async def _give_titles(house: House, tables: Sequence[Table]) -> None:
    """Tell on which steps of their ladders the players stand, also those who do not come back at once."""
    seated = [(table, place, place.account) for table in tables for _, place in table.players()]
    owned = await house.books.purses([account.id for _, _, account in seated if account is not None])
    for table, place, account in seated:
        if account is not None:
            place.title = title(table.terms, owned[account.id])


async def take_up(table: Table, entries: Sequence[Written]) -> None:
    """Bring a table to where its log ends. Connections of those who are seated there stay.

    Raises StoreFailed, and then it may be tried again; DizhuError if the log cannot be played again.
    """
    _rebuild(table, entries)
    hand = table.hand
    if hand is not None and hand.game.result is not None:
        table.settled = await table.house.books.settled(table.id, table.terms, hand.number)
    table.journal.go_on_after(entries[-1].seq)


async def catch_up(table: Table) -> None:
    """After a failure of the database, find out whether what failed was kept after all. Raises StoreFailed."""
    entries = await table.journal.missed()
    if entries:
        connections = {place.account: place.connection for _, place in table.players()}
        await take_up(table, entries)
        for _, place in table.players():
            connections.pop(place.account, None)
        for account, connection in connections.items():
            _send_away(table, account, connection)
        table.teller.whole_to_all()
    table.journal.doubtful = False
    for seat in table.strangers():
        await unseat(table, seat, "left")


def _send_away(table: Table, account: Account | None, connection: Connection | None) -> None:
    """Somebody was told that he could not leave, but has."""
    if account is not None:
        table.turn_away(account)
    if connection is not None:
        connection.send(ClosedMessage("left"))


def _rebuild(table: Table, entries: Sequence[Written]) -> None:
    connections = {place.account: place.connection for _, place in table.players()}
    told = table.teller.seq
    put = _Put(entries[0].at)
    for written in entries:
        told = max(told, _apply(table, written))
        put = _put_after(table, written, put)
    for _, place in table.players():
        place.connection = connections.get(place.account)
        place.gone_at = table.now if place.connection is None else None
    table.teller.feed.seq = max(told + _SKIPPED, table.house.clock.wall() * 1000)
    hand = table.hand
    table.turns.clear()
    if hand is None:
        # Only people who wait for others have no hand for long.
        table.redeal_at = table.now if table.code is None else None
        return
    if not hand.ended:
        gone = (table.house.clock.wall() - put.at) / _MILLISECONDS
        table.turns.ask(hand.game, table.teller.seq, table.now, table.answer_by, gone)
    elif hand.game.phase == "redeal":
        table.redeal_at = table.now


def _apply(table: Table, written: Written) -> int:
    """Do again what an entry tells of; returns the number of the event that told of it, if one did."""
    match written.entry:
        case Seats(seats):
            for place, sitting in zip(table.places, seats, strict=True):
                place.seat(sitting, table.house.settings)
            return 0
        case Seed(_, seed):
            table.next_seed = bytes.fromhex(seed)
            return 0
        case Deal():
            table.take_up(_hand(table, written.entry))
            return written.entry.told
        case Act(seat, action, told):
            if table.hand is None:
                raise DizhuError("bad_log", f"table {table.id}: an action before the first deal")
            game = table.hand.game
            game.act(seat, action)
            if game.result is not None:
                for place, points in zip(table.places, game.result.points, strict=True):
                    place.score += 0 if place.empty else points
            return told


@dataclass(frozen=True, slots=True)
class _Put:
    """When the open question was put, and in which phase of the hand, if there is one."""

    at: int
    phase: int | None = None


def _put_after(table: Table, written: Written, before: _Put) -> _Put:
    """Follow the open question: some who are asked may have answered, and people come and go, while it stands."""
    if table.hand is None or not isinstance(written.entry, Deal | Act):
        return before
    game = table.hand.game
    stands = game.simultaneous and game.state.phase == before.phase and isinstance(written.entry, Act)
    return before if stands else _Put(written.at, game.state.phase)


def _hand(table: Table, entry: Deal) -> Hand:
    room = table.terms.stakes
    stakes = None if entry.beans is None or room is None else Stakes(entry.beans, room.threshold)
    variant = table.terms.variant_after(entry.refused)
    seed = bytes.fromhex(entry.seed)
    deal = table.house.dealer(variant, seed, entry.first, [bytes.fromhex(part) for part in entry.entropy])
    return Hand(Game(variant, deal, stakes), entry.hand, seed, entry.refused)
