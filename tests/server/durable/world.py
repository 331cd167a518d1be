"""What a server holds in memory, without sockets: built on a database, thrown away at any moment, and built again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from dizhu.protocol import ClosedMessage, EventMessage, ServerMessage, SyncCommand, TableMessage
from dizhu.server.accounts import Account
from dizhu.server.actor import Actor, Do, Enter, Reply
from dizhu.server.books import Books
from dizhu.server.clock import Clock
from dizhu.server.commands import TableCommand
from dizhu.server.connection import Answer, Connection
from dizhu.server.hand import Dealer
from dizhu.server.house import House
from dizhu.server.rooms import Room
from dizhu.server.store.database import Database
from dizhu.server.store.log import Log
from dizhu.server.store.social import Social
from dizhu.server.store.writer import Writer
from dizhu.server.tables import Tables
from dizhu.server.terms import room_terms
from server.durable.witness import Facts
from server.harness import QUICK

MOMENT = 0.0005


class Mortal(Writer):
    """A writer in whose commits the process may die: just before one, or just after it, before anybody is answered.

    spared: so many commits go well. after: whether the next one is done and nobody told, or not done at all.
    """

    def __init__(self, database: Database, spared: int, *, after: bool) -> None:
        super().__init__(database._writers, database._complaints, database._appender)
        self.spared = spared
        self.after = after
        self.dead = asyncio.Event()

    async def _commit(self, batch: Sequence[Any]) -> list[Any]:
        self.spared -= 1
        if self.spared < 0 and not self.after:
            await self._die()
        answers = await super()._commit(batch)
        if self.spared < 0:
            await self._die()
        return answers

    async def _die(self) -> None:
        self.dead.set()
        await asyncio.Future()


class Ear(Connection):
    """A connection whose other end takes note of what comes."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(QUICK)
        self.facts = facts
        self.table: dict[str, Any] = {}
        self.closed: list[str] = []

    def send(self, message: ServerMessage) -> None:
        match message:
            case TableMessage():
                self.table = _plain(message)
                self.facts.outcome(self.table)
            case EventMessage():
                told = _plain(message)
                assert told["seq"] == self.table["seq"] + 1
                self.facts.event(self.table["table"], told)
                news = {name: told[name] for name in ("seq", "hand", "settled") if told[name] is not None}
                self.table = {**self.table, **news, "view": {**(self.table["view"] or {}), **told["changes"]}}
                self.facts.outcome(self.table)
            case ClosedMessage(code):
                self.closed.append(code)
            case _:
                pass


def _plain(message: ServerMessage) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(message))


@dataclass
class World:
    """A life of a server, in which some people sit at one table. `ear`: of one of them."""

    writer: Mortal
    tables: Tables
    people: Sequence[Account]
    ear: Ear

    @property
    def actor(self) -> Actor | None:
        """The table where somebody of them sits, if there is one."""
        return next((actor for person in self.people if (actor := self.tables.at(person)) is not None), None)

    async def alive(self, waiting: asyncio.Future[Any]) -> bool:
        """Wait for something; False if the process died before."""
        death = asyncio.ensure_future(self.writer.dead.wait())
        await asyncio.wait({waiting, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        return waiting.done()

    async def sit(self, room: Room) -> bool:
        """Let one of the people come back to their table, or all sit down at a new one; False if the process died."""
        actor = self.actor or self.tables.open(room_terms(room), self.people, room.bot)
        person = next(person for person in self.people if self.tables.at(person) is actor)
        reply = Reply(0, self.ear)
        actor.put(Enter(person, self.ear, reply))
        return await self.alive(reply.answer) and await self.quiet(actor)

    async def quiet(self, actor: Actor) -> bool:
        """Wait until a table has done all that is due now; False if the process died of it."""
        while True:
            # Its answer comes after all that the table was doing.
            reply = Reply(0, Ear(self.ear.facts))
            actor.put(Do(self.people[0], SyncCommand(0, 0), reply))
            if not await self.alive(reply.answer):
                return False
            table = actor.table
            if not table.open or table.due is None or table.due > table.now:
                return True
            await asyncio.sleep(MOMENT)

    async def command(self, person: Account, command: TableCommand) -> Answer | None:
        """Let somebody do something; None if the process died of it."""
        actor = self.actor
        assert actor is not None
        reply = Reply(command.id, self.ear)
        actor.put(Do(person, command, reply))
        return reply.answer.result() if await self.alive(reply.answer) and await self.quiet(actor) else None

    async def throw_away(self) -> None:
        """Forget all of it, as a process does that is killed."""
        mine = {actor._task for actor in self.tables}
        if self.writer._task is not None:
            mine.add(self.writer._task)
        for task in mine:
            task.cancel()
        await asyncio.wait(mine)


async def world(
    database: Database, rooms: Mapping[str, Room], people: Sequence[Account], facts: Facts, dealer: Dealer
) -> World:
    """Build what was there from the database, which has a mortal writer."""
    writer = database.writer
    assert isinstance(writer, Mortal)
    writer.start()
    clock = Clock()
    house = House(QUICK, clock, Log(database), Books(database, clock), Social(database), dealer)
    tables = Tables(house, rooms)
    await tables.restore()
    return World(writer, tables, people, Ear(facts))
