"""All tables of a server, and who is at which."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from dizhu.errors import DizhuError
from dizhu.server.accounts import Account
from dizhu.server.actor import Actor, Stop
from dizhu.server.api.tables import OpenTable
from dizhu.server.house import House
from dizhu.server.places import Place, bot, person, place_of
from dizhu.server.players import check_bot
from dizhu.server.restore import unfinished
from dizhu.server.rooms import Room
from dizhu.server.store.log import Sitting, TableRow
from dizhu.server.table import Table
from dizhu.server.terms import Terms, free_terms, room_terms
from dizhu.variants import variant

_log = logging.getLogger(__name__)

_STOP_SECONDS = 1.0
_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
_CODE_LENGTH = 8
"""31 letters that nobody mixes up, 8 times: about 10^12 codes, so that none is found by trying."""


class Tables:
    """Opens tables, finds them again, and knows where everybody is."""

    def __init__(self, house: House, rooms: Mapping[str, Room]) -> None:
        self._house = house
        self._rooms = rooms
        self._open: dict[str, Actor] = {}
        self._codes: dict[str, Actor] = {}
        self._seats: dict[Account, Actor] = {}

    def __iter__(self) -> Iterator[Actor]:
        return iter(tuple(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    # --- who is where -----------------------------------------------------------------------------------------------

    def at(self, account: Account) -> Actor | None:
        """Find the table at which somebody sits or looks on."""
        return self._seats.get(account)

    def is_at(self, account: Account, table: str) -> bool:
        """Tell whether somebody sits or looks on at a table."""
        actor = self._seats.get(account)
        return actor is not None and actor.table.id == table

    def left(self, account: Account, table: str) -> None:
        """Note that somebody sits or looks on at a table no more; he may be at another one already."""
        if self.is_at(account, table):
            del self._seats[account]

    def place(self, account: Account, actor: Actor) -> None:
        """Note where somebody is about to sit or look on."""
        self._seats[account] = actor

    @property
    def people(self) -> int:
        """How many people are at tables."""
        return len(self._seats)

    def with_code(self, code: str) -> Actor:
        """Find a private table; raises DizhuError `unknown_table`."""
        actor = self._codes.get(code.strip().upper())
        if actor is None:
            raise DizhuError("unknown_table", "there is no private table with this code")
        return actor

    def named(self, name: str) -> Actor:
        """Find a table by its id or its code; raises DizhuError `unknown_table`."""
        return self._open.get(name) or self.with_code(name)

    def public(self) -> Iterator[OpenTable]:
        """List the tables of rooms where somebody plays."""
        for actor in self:
            table = actor.table
            room = table.terms.room
            if room is not None and table.hand is not None and any(table.players()):
                names = tuple(place.name for place in table.places)
                number, watching = table.hand.number, len(table.watchers)
                yield OpenTable(table.id, room.id, table.terms.variant.name, names, number, watching)

    # --- opening ----------------------------------------------------------------------------------------------------

    def open_free(self, terms: Terms, account: Account, kind: str | None) -> Actor:
        """Open a table without a room: for practice with bots of a kind, or else a private one with a code.

        Raises DizhuError `unknown_bot` or `server_full`.
        """
        return self.open(terms, [account], kind)

    def open(self, terms: Terms, people: Sequence[Account], kind: str | None) -> Actor:
        """Open a table with people on the first seats and bots on the others; without a kind of bots it is private."""
        if kind is not None:
            check_bot(kind, terms.variant)
        if len(self._open) >= self._house.settings.tables:
            raise DizhuError("server_full", "no more tables can be opened now")
        seated: list[Sitting | None] = [person(one) for one in people]
        others = range(len(people), terms.variant.seats)
        seated += [None if kind is None else bot(seat, kind) for seat in others]
        row = TableRow(
            id=secrets.token_hex(8),
            room=None if terms.room is None else terms.room.id,
            variant=terms.variant.name,
            options=terms.setting().options,
            code=self._new_code() if kind is None else None,
        )
        actor = Actor(self._table(row, terms, [place_of(sitting, self._house.settings) for sitting in seated]))
        self._add(actor)
        for one in people:
            self._seats[one] = actor
        return actor

    def _new_code(self) -> str:
        while (code := "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))) in self._codes:
            pass
        return code

    def _table(self, row: TableRow, terms: Terms, places: Sequence[Place]) -> Table:
        return Table(row, terms, places, self._house, self)

    def _add(self, actor: Actor) -> None:
        table = actor.table
        self._open[table.id] = actor
        if table.code is not None:
            self._codes[table.code] = actor
        actor.when_done(lambda: self._remove(actor))

    def _remove(self, actor: Actor) -> None:
        self._open.pop(actor.table.id, None)
        if actor.table.code is not None:
            self._codes.pop(actor.table.code, None)

    async def close_those_closed(self) -> None:
        """End the tables that the host has closed by another process. Raises StoreFailed."""
        for name in await self._house.log.closed(list(self._open)):
            if (actor := self._open.get(name)) is not None:
                actor.put(Stop("closed"))

    # --- stopping and going on --------------------------------------------------------------------------------------

    async def stop(self) -> None:
        """Stop all tables where they are; they go on when the server is back.

        One that waits for a database which does not answer is given up: what it has not saved it has told nobody.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                await asyncio.gather(*(actor.stop(None) for actor in self))
        for actor in self:
            actor.give_up()

    async def restore(self) -> None:
        """Take up every table that was not closed. Raises StoreFailed."""
        for table in await unfinished(self._house, self._empty_table):
            actor = Actor(table, ready=True)
            self._add(actor)
            for _, place in table.players():
                assert place.account is not None
                self._seats[place.account] = actor

    def _empty_table(self, row: TableRow) -> Table:
        terms = self._terms(row)
        return self._table(row, terms, [Place("") for _ in range(terms.variant.seats)])

    def _terms(self, row: TableRow) -> Terms:
        game = variant(row.variant).with_options(row.options)
        if row.room is None:
            return free_terms(game, self._house.settings)
        room = self._rooms.get(row.room)
        if room is None or room.game != game:
            raise DizhuError("unknown_room", f"the room {row.room!r} is no more, or another game is played there")
        return room_terms(room)
