"""Quick match, carried out: lets people wait, tells them how it goes, and seats those who have found each other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress

from dizhu.errors import DizhuError
from dizhu.protocol import QueueMessage
from dizhu.server.accounts import Account
from dizhu.server.actor import Enter
from dizhu.server.connection import Connection
from dizhu.server.house import House
from dizhu.server.match import Group, Matchmaker, Seeker
from dizhu.server.rooms import Room
from dizhu.server.tables import Tables
from dizhu.server.terms import room_terms

_log = logging.getLogger(__name__)


class Seeking:
    """The queues of a server's rooms, and the task that looks after them."""

    def __init__(self, house: House, rooms: Mapping[str, Room], tables: Tables) -> None:
        self._house = house
        self._rooms = rooms
        self._tables = tables
        self._matchmaker = Matchmaker(rooms)
        self._changed: asyncio.Queue[None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to bring people together."""
        self._task = asyncio.create_task(self._run(), name="seeking")

    async def stop(self) -> None:
        """Bring nobody together any more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def waits(self, account: Account) -> bool:
        """Tell whether somebody looks for a table."""
        return self._matchmaker.waits(account)

    async def seek(self, account: Account, connection: Connection, name: str) -> None:
        """Let somebody look for a table, unless his connection ends meanwhile.

        Raises DizhuError: unknown_room, too_poor, already_seated, already_waiting.
        """
        room = self._rooms.get(name)
        if room is None:
            raise DizhuError("unknown_room", f"there is no room {name!r}; there are {', '.join(self._rooms)}")
        owned = await self._house.books.purse(account)
        if room.kind == "beans" and owned.beans < room.need:
            raise DizhuError("too_poor", "the player has not enough beans", needed=room.need, beans=owned.beans)
        apart = await self._house.social.apart(account.id)
        if connection.ended.done():
            return
        if self._tables.at(account) is not None:
            raise DizhuError("already_seated", "the player sits at a table")
        if self.waits(account):
            raise DizhuError("already_waiting", "the player is looking for a table")
        self._matchmaker.add(room, Seeker(account, connection, apart, self._house.clock.now()))
        self._tell(room)
        self._changed.put_nowait(None)

    def cancel(self, account: Account, *, must: bool = False) -> None:
        """Somebody looks for a table no more. Raises DizhuError `not_waiting` if he `must` have."""
        room = self._matchmaker.remove(account)
        if room is not None:
            self._tell(room)
        elif must:
            raise DizhuError("not_waiting", "the player is not looking for a table")

    def _tell(self, room: Room) -> None:
        """Tell all who wait in a room how many they are."""
        waiting = self._matchmaker.waiting(room)
        now = self._house.clock.now()
        for seeker in waiting:
            left = max(0.0, seeker.since + room.fill - now)
            seeker.connection.send(QueueMessage(room.id, len(waiting), room.game.seats, round(left * 1000)))

    async def _run(self) -> None:
        while True:
            await self._house.clock.receive(self._changed, self._matchmaker.due)
            for group in self._matchmaker.groups(self._house.clock.now()):
                try:
                    self._seat(group)
                except DizhuError as error:
                    _log.warning("room %s: no table could be opened: %s", group.room.id, error.code)
                self._tell(group.room)

    def _seat(self, group: Group) -> None:
        people = [seeker.account for seeker in group.people]
        actor = self._tables.open(room_terms(group.room), people, group.room.bot)
        for seeker in group.people:
            actor.put(Enter(seeker.account, seeker.connection, deaf=seeker.apart))
