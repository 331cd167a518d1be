"""Quick match: who looks for a table in a room, and who meets whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dizhu.server.accounts import Account
from dizhu.server.connection import Connection
from dizhu.server.rooms import Room


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who looks for a table since a time. `apart`: accounts that he does not meet."""

    account: Account
    connection: Connection
    apart: frozenset[int]
    since: float


@dataclass(frozen=True, slots=True)
class Group:
    """People who sit down together; bots take the seats that are left."""

    room: Room
    people: tuple[Seeker, ...]


class Matchmaker:
    """The queues of all rooms. Who has waited longest comes first."""

    def __init__(self, rooms: Mapping[str, Room]) -> None:
        self._rooms = rooms
        self._queues: dict[str, list[Seeker]] = {name: [] for name in rooms}

    def add(self, room: Room, seeker: Seeker) -> None:
        """Put somebody at the end of a queue."""
        self._queues[room.id].append(seeker)

    def remove(self, account: Account) -> Room | None:
        """Take somebody out of his queue; returns the room, None if he was in none."""
        for name, queue in self._queues.items():
            for seeker in queue:
                if seeker.account == account:
                    queue.remove(seeker)
                    return self._rooms[name]
        return None

    def waits(self, account: Account) -> bool:
        """Tell whether somebody is in a queue."""
        return any(seeker.account == account for queue in self._queues.values() for seeker in queue)

    def waiting(self, room: Room) -> tuple[Seeker, ...]:
        """List who waits in a room."""
        return tuple(self._queues[room.id])

    @property
    def due(self) -> float | None:
        """When somebody has waited long enough for bots to fill his table."""
        times = [queue[0].since + self._rooms[name].fill for name, queue in self._queues.items() if queue]
        return min(times, default=None)

    def groups(self, now: float) -> Iterator[Group]:
        """Take out those who can sit down now: as many as the game needs, or fewer who have waited long enough."""
        for name, queue in self._queues.items():
            room = self._rooms[name]
            while queue:
                found = _first_group(queue, room, now)
                if found is None:
                    break
                for seeker in found:
                    queue.remove(seeker)
                yield Group(room, tuple(found))


def _first_group(queue: list[Seeker], room: Room, now: float) -> list[Seeker] | None:
    """Find the group of who has waited longest and can sit down: each is asked to lead one, with those behind him."""
    for place, leader in enumerate(queue):
        group = [leader]
        for other in queue[place + 1 :]:
            if len(group) < room.game.seats and all(_may_meet(room, one, other) for one in group):
                group.append(other)
        if len(group) == room.game.seats or now >= leader.since + room.fill:
            return group
    return None


def _may_meet(room: Room, one: Seeker, other: Seeker) -> bool:
    """Who shares an address does not meet where beans are at stake: they could play into each other's hands."""
    if room.kind == "beans" and one.connection.address == other.connection.address:
        return False
    return other.account.id not in one.apart and one.account.id not in other.apart
