"""What the log says happened, played again: every frame is held against what its reader might know at that moment."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any

import msgspec
from sqlalchemy import select

from dizhu.game.deal import Deal
from dizhu.game.engine import Game
from dizhu.game.physical import Card
from dizhu.game.state import Stakes
from dizhu.server.economy.check import check
from dizhu.server.hand import Dealer
from dizhu.server.rooms import Room
from dizhu.server.settings import Settings
from dizhu.server.store import log, schema
from dizhu.server.store.database import Database
from dizhu.server.terms import Terms, free_terms, room_terms
from dizhu.testing.worlds import hidden_places, known_to
from dizhu.variants import variant
from server.simulation.loop import EPOCH
from server.simulation.visit import UNTOLD, Frame, decode

CARD = re.compile(r'"((?:[3-9TJQKA2][shcd])|B|R)"')
HEX = re.compile(r'"([0-9a-f]{64})"')
ROUNDING = 5
SAVING = 0.6
"""Seconds that the database may take to make an answer safe."""
GIVEN_BACK = 5.0
"""Seconds that there are at least after a stop of the server."""


@dataclass
class Moment:
    """A hand after an entry of the log. first: the number of the first event that told of it. at: when it was saved."""

    first: int
    game: Game
    at: float
    views: dict[int | None, Any] = field(default_factory=dict)
    seen: dict[int | None, frozenset[Card]] = field(default_factory=dict)

    @property
    def question(self) -> tuple[object, ...]:
        """What is asked."""
        view = self.game.view()
        return id(self.game.deal), view.phase, view.moment

    def view(self, seat: int | None) -> Any:
        """The view of a seat as JSON."""
        if seat not in self.views:
            self.views[seat] = decode(msgspec.json.encode(self.game.view(seat)))
        return self.views[seat]

    def cards(self, seat: int | None) -> frozenset[Card]:
        """The cards that a seat may have seen, told from the rules and not from its view."""
        if seat not in self.seen:
            self.seen[seat] = _known(self.game, seat)
        return self.seen[seat]


def _known(game: Game, seat: int | None) -> frozenset[Card]:
    deal: Deal = game.deal
    groups = (*deal.hands, deal.bottom, deal.aside)
    hidden = set() if game.result else set(hidden_places(game, known_to(game, seat)))
    marked = () if deal.marked is None else (deal.marked,)
    return frozenset(
        [
            *(
                card
                for group, cards in enumerate(groups)
                for number, card in enumerate(cards)
                if (group, number) not in hidden
            ),
            *marked,
        ]
    )


class Course:
    """The hands of one table, moment by moment. seeds: of its deals, each with the first event that may tell it."""

    def __init__(self, terms: Terms, dealer: Dealer) -> None:
        self.terms = terms
        self.moments: list[Moment] = []
        self.seeds: dict[str, int | None] = {}
        self._firsts: list[int] = []
        self._dealer = dealer

    def add(self, written: log.Written) -> None:
        """Take in the next entry of the log."""
        at = written.at / 1000 - EPOCH
        match written.entry:
            case log.Deal() as deal:
                self._put(Moment(deal.told, self._game(deal), at))
                self.seeds[deal.seed] = None
            case log.Seed(_, seed):
                self.seeds[seed] = None
            case log.Act(seat, action, told):
                game = copy(self.moments[-1].game)
                events = game.act(seat, action)
                self._put(Moment(told - len(events) + 1, game, at))
                if not game.turn:
                    assert game.deal.seed is not None
                    self.seeds[game.deal.seed.hex()] = self.moments[-1].first
            case _:
                pass

    def _put(self, moment: Moment) -> None:
        assert not self.moments or moment.first > self.moments[-1].first, "two events have one number"
        self.moments.append(moment)
        self._firsts.append(moment.first)

    def _game(self, deal: log.Deal) -> Game:
        room = self.terms.stakes
        stakes = None if deal.beans is None or room is None else Stakes(deal.beans, room.threshold)
        played = self.terms.variant_after(deal.refused)
        entropy = [bytes.fromhex(part) for part in deal.entropy]
        return Game(played, self._dealer(played, bytes.fromhex(deal.seed), deal.first, entropy), stakes)

    def at(self, seq: int) -> Moment | None:
        """Find what had happened when event `seq` was told; None before the first deal."""
        place = bisect_right(self._firsts, seq)
        return self.moments[place - 1] if place else None


async def courses(
    database: Database, rooms: Mapping[str, Room], settings: Settings, dealer: Dealer
) -> dict[str, Course]:
    """Read the log of all tables."""
    table, event = schema.table, schema.event
    async with database.reading() as connection:
        tables = (await connection.execute(select(table.c.id, table.c.room, table.c.variant, table.c.options))).all()
        rows = (await connection.execute(select(event).order_by(event.c.table_id, event.c.seq))).all()
    found: dict[str, Course] = {}
    for row in tables:
        game = variant(row.variant).with_options(decode(row.options))
        terms = free_terms(game, settings) if row.room is None else room_terms(rooms[row.room])
        found[row.id] = Course(terms, dealer)
    for row in rows:
        found[row.table_id].add(log.Written(row.seq, row.at, log._decode(row.data)))
    return found


def check_frames(frames: Sequence[Frame], by_table: Mapping[str, Course]) -> None:
    """What came down a connection is what its reader might know then: not a card, not a seed more, and nothing less."""
    seeds = {seed: ended for course in by_table.values() for seed, ended in course.seeds.items()}
    commitments = {sha256(bytes.fromhex(seed)).hexdigest() for seed in seeds}
    for frame in frames:
        cards = set(CARD.findall(frame.text))
        if frame.table is None:
            assert not cards, f"cards are told outside of a table: {frame.text}"
            assert not HEX.search(frame.text)
            continue
        moment = by_table[frame.table].at(frame.seq)
        for word in HEX.findall(frame.text):
            ended = seeds.get(word)
            told = ended is not None and ended <= frame.seq
            assert word in commitments or told, f"a seed is told too early: {frame.text}"
        if moment is None:
            assert not cards
            assert frame.view is None or frame.view is UNTOLD
        else:
            told = frame.view is UNTOLD or frame.view == moment.view(frame.seat)
            assert told, f"seat {frame.seat} was told something else: {frame.text}"
            assert cards <= moment.cards(frame.seat), f"seat {frame.seat} was told of a hidden card: {frame.text}"


def check_times(course: Course, settings: Settings, stops: Sequence[tuple[float, float]]) -> None:
    """No question stood longer than its time and the grace, but for a stop of the server and what it gives back."""
    put = None
    for before, after in pairwise(course.moments):
        if put is None or not before.game.simultaneous or before.question != put.question:
            put = before
        if before.game.turn:
            limit = course.terms.play if put.game.phase == "play" else course.terms.question
            limit = course.terms.offer if put.game.simultaneous else limit
            stood = after.at - put.at
            for began, ended in stops:
                if put.at < ended and after.at > began:
                    stood -= min(ended, after.at) - max(began, put.at) + GIVEN_BACK + settings.grace
            assert stood <= limit + settings.grace + SAVING, f"{put.question} stood for {stood} seconds of {limit}"


async def check_ledger(database: Database) -> None:
    """Everything that was booked sums to zero, and every hand of a room was settled once."""
    async with database.reading() as connection:
        faults = (await check(connection)).faults
    assert not faults, faults
