"""Whether a database holds everything that was ever told to anybody, each thing once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select

import dizhu
from dizhu.game.state import Stakes
from dizhu.game.view import Event
from dizhu.server.economy.check import check
from dizhu.server.hand import Dealer
from dizhu.server.rooms import Room
from dizhu.server.store import schema
from dizhu.server.store.database import Database, opened
from dizhu.server.store.log import Act, Deal, Entry, Seats
from dizhu.server.terms import Terms, free_terms, room_terms
from server.durable.witness import Facts, Hand
from server.harness import QUICK

_decode = msgspec.json.Decoder[Entry](Entry).decode


class Told:
    """What the log of a table says was told: its events by number, its actions, and its hands that have a result."""

    def __init__(self, table: str, terms: Terms, entries: list[Entry], dealer: Dealer) -> None:
        self.table = table
        self.events: dict[int, Event] = {}
        self.actions: set[tuple[int, str, int]] = set()
        self.ended: dict[Hand, dizhu.Game] = {}
        self.seated: frozenset[int] = frozenset()
        self._terms = terms
        self._dealer = dealer
        self._game: dizhu.Game | None = None
        self._hand = 0
        for entry in entries:
            self._read(entry)

    def _read(self, entry: Entry) -> None:
        match entry:
            case Seats(seats):
                self.seated = frozenset(one.account for one in seats if one is not None and one.account is not None)
            case Deal():
                assert self._game is None or not self._game.turn, "a hand began before the one before it was over"
                assert entry.hand == self._hand + 1
                room = self._terms.stakes
                stakes = None if room is None or entry.beans is None else Stakes(entry.beans, room.threshold)
                variant = self._terms.variant_after(entry.refused)
                entropy = [bytes.fromhex(part) for part in entry.entropy]
                deal = self._dealer(variant, bytes.fromhex(entry.seed), entry.first, entropy)
                self._game, self._hand = dizhu.Game(variant, deal, stakes), entry.hand
                self.events[entry.told] = Event("deal")
            case Act(seat, action, told):
                assert self._game is not None
                events = self._game.act(seat, action)
                for number, event in enumerate(events, start=told - len(events) + 1):
                    assert number not in self.events
                    self.events[number] = event
                self.actions.add((seat, action, told))
                if self._game.result is not None:
                    self.ended[self.table, self._hand] = self._game
            case _:
                pass


async def logs(database: Database, rooms: Mapping[str, Room], dealer: Dealer) -> dict[str, Told]:
    """Play the logs of all tables again, from their first entry."""
    columns, event = schema.table.c, schema.event.c
    told: dict[str, Told] = {}
    async with database.reading() as connection:
        for row in (await connection.execute(select(columns.id, columns.room, columns.variant, columns.options))).all():
            game = dizhu.variant(row.variant).with_options(json.loads(row.options))
            terms = free_terms(game, QUICK) if row.room is None else room_terms(rooms[row.room])
            query = select(event.seq, event.data).where(event.table_id == row.id).order_by(event.seq)
            rows = (await connection.execute(query)).all()
            assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
            told[row.id] = Told(row.id, terms, [_decode(data) for _, data in rows], dealer)
    return told


async def audit(url: str, rooms: Mapping[str, Room], facts: Facts, dealer: Dealer = dizhu.shuffled) -> Counter[str]:
    """Compare a database with what was told; counts what was compared."""
    async with opened(url) as database:
        told = await logs(database, rooms, dealer)
        for (table, number), event in facts.events.items():
            if event["kind"] != "seats":
                assert json.loads(msgspec.json.encode(told[table].events[number])) == event, (table, number)
        for table, seat, action, number in facts.done:
            assert (seat, action, number) in told[table].actions, (table, seat, action, number)
        for table, account, number in facts.left:
            assert account not in told[table].seated, (table, account, number)
        ended = {hand: game for log in told.values() for hand, game in log.ended.items()}
        await _compare_hands(database, rooms, facts, ended)
        async with database.reading() as connection:
            audited = await check(connection)
        assert audited.faults == ()
    return Counter(
        events=len(facts.events),
        actions=len(facts.done),
        left=len(facts.left),
        settlements=len(facts.settled),
        hands=len(ended),
        tables=len(told),
    )


async def _compare_hands(
    database: Database, rooms: Mapping[str, Room], facts: Facts, ended: dict[Hand, dizhu.Game]
) -> None:
    """Every hand that has ended is kept and settled once, with what was told of it."""
    hand, seat, transfer = schema.hand.c, schema.hand_seat.c, schema.transfer.c
    async with database.reading() as connection:
        kept = (await connection.execute(select(hand.id, hand.table_id, hand.number, hand.share, hand.room))).all()
        seats = (await connection.execute(select(schema.hand_seat).order_by(seat.hand_id, seat.seat))).all()
        booked = Counter((await connection.execute(select(transfer.hand_id))).scalars())
    assert {(row.table_id, row.number) for row in kept} == set(ended)
    assert len(kept) == len(ended)
    by_hand = {row.id: [one for one in seats if one.hand_id == row.id] for row in kept}
    for row in kept:
        assert booked[row.id] == (row.room is not None)
        result = ended[row.table_id, row.number].result
        assert result is not None
        assert tuple(one.points for one in by_hand[row.id]) == result.points
        settled: dict[str, Any] | None = facts.settled.get((row.table_id, row.number))
        if settled is not None:
            assert settled["share"] == row.share
            beans = row.room is not None and rooms[row.room].kind == "beans"
            assert settled["beans"] == ([one.beans for one in by_hand[row.id]] if beans else None)
            assert settled["points"] == ([one.points for one in by_hand[row.id]] if row.room and not beans else None)
    assert {hand for hand in facts.settled if hand not in ended} == set()
