"""What a few dictionaries say of people, queues and tables: the lobby as it is meant to be.

No hand comes to its end here, for people do not play: where hands lead to is the business of others.
"""

from __future__ import annotations

from dataclasses import dataclass, field

FILL = 40.0
SEATS = {"two_player": 2, "landlord_war": 3}
ROOMS = {"war-points": ("landlord_war", 0), "pair-beans": ("two_player", 3500)}
"""The rooms: which game is played there, and how many beans it needs."""
BEGIN_WITH = 3000
BOT = "bot"


class Refused(Exception):
    """The code with which something is refused."""


def refuse(**reasons: bool) -> None:
    """Refuse for the first reason that holds."""
    for code, holds in reasons.items():
        if holds:
            raise Refused(code)


@dataclass(eq=False)
class Human:
    """Somebody. number: of the account. beans: None when a hand is played out without him."""

    number: int
    name: str
    token: str | None
    claimed: bool = False
    deleted: bool = False
    connected: bool = False
    beans: int | None = BEGIN_WITH
    blocked: set[int] = field(default_factory=set)
    desk: Desk | None = None
    room: str | None = None
    since: float = 0.0


Chair = Human | str | None


@dataclass(eq=False)
class Desk:
    """A table. code: of a private one. room: where it stands. owners: who takes the result of the hand."""

    game: str
    chairs: list[Chair]
    code: str | None = None
    room: str | None = None
    running: bool = False
    ready: set[Human] = field(default_factory=set)
    watchers: set[Human] = field(default_factory=set)
    owners: list[Chair] = field(default_factory=list)
    open: bool = True

    @property
    def people(self) -> list[Human]:
        return [chair for chair in self.chairs if isinstance(chair, Human)]

    @property
    def host(self) -> Human | None:
        return self.people[0] if self.code is not None and self.people else None

    def deal(self) -> None:
        self.running = True
        self.ready = set()
        self.owners = [chair if isinstance(chair, Human) else None for chair in self.chairs]

    def rise(self, human: Human) -> None:
        """Give up a seat: between the hands of a private table nobody takes it."""
        self.chairs[self.chairs.index(human)] = None if self.code is not None and not self.running else BOT
        self.ready.discard(human)
        human.desk = None

    def go_on(self) -> None:
        """Deal if everybody who is here is ready; who is not here loses his seat."""
        here = [human for human in self.people if human.connected]
        if self.open and not self.running and here and all(human in self.ready for human in here):
            for human in self.people:
                if not human.connected:
                    self.rise(human)
            if None not in self.chairs:
                self.deal()

    def close(self) -> None:
        self.open = False
        for human in (*self.people, *self.watchers):
            human.desk = None


class Model:
    """The lobby. queues: who waits in each room, the first first."""

    def __init__(self) -> None:
        self.humans: list[Human] = []
        self.desks: list[Desk] = []
        self.queues: dict[str, list[Human]] = {room: [] for room in ROOMS}

    # --- coming and going -------------------------------------------------------------------------------------------

    def connect(self, human: Human) -> bool:
        """Somebody connects; tells whether he is at a table."""
        refuse(unknown_token=human.token is None)
        self.leave_queue(human)
        human.connected = True
        return human.desk is not None

    def disconnect(self, human: Human) -> None:
        human.connected = False
        self.leave_queue(human)
        desk = human.desk
        if desk is not None and human in desk.watchers:
            desk.watchers.discard(human)
            human.desk = None
        elif desk is not None:
            desk.go_on()

    def leave_queue(self, human: Human) -> None:
        if human.room is not None:
            self.queues[human.room].remove(human)
            human.room = None

    # --- tables -----------------------------------------------------------------------------------------------------

    def free(self, human: Human) -> None:
        refuse(already_seated=human.desk is not None, already_waiting=human.room is not None)

    def quick(self, human: Human, room: str, now: float) -> None:
        self.free(human)
        refuse(too_poor=(human.beans or 0) < ROOMS[room][1])
        human.room, human.since = room, now
        self.queues[room].append(human)

    def cancel(self, human: Human) -> None:
        refuse(not_waiting=human.room is None)
        self.leave_queue(human)

    def sit(self, human: Human, game: str) -> Desk:
        self.free(human)
        desk = self.seat(Desk(game, [human, *[BOT] * (SEATS[game] - 1)]))
        desk.deal()
        return desk

    def open(self, human: Human, game: str) -> Desk:
        self.free(human)
        return self.seat(Desk(game, [human, *[None] * (SEATS[game] - 1)], code=""))

    def seat(self, desk: Desk) -> Desk:
        self.desks.append(desk)
        for human in desk.people:
            human.desk = desk
        return desk

    def join(self, human: Human, desk: Desk) -> None:
        self.free(human)
        refuse(unknown_table=not desk.open, hand_running=desk.running)
        wanted: list[Chair] = [chair for chair in (None, BOT) if chair in desk.chairs]
        refuse(table_full=not wanted)
        desk.chairs[desk.chairs.index(wanted[0])] = human
        human.desk = desk

    def watch(self, human: Human, desk: Desk) -> None:
        self.free(human)
        refuse(unknown_table=not desk.open)
        desk.watchers.add(human)
        human.desk = desk

    def at(self, human: Human) -> Desk:
        """The table at which somebody sits, for what spectators may not do."""
        desk = human.desk
        if desk is None or human in desk.watchers:
            raise Refused("not_seated")
        return desk

    def fill(self, human: Human) -> None:
        desk = self.at(human)
        refuse(not_private=desk.code is None, not_host=desk.host is not human)
        desk.chairs = [BOT if chair is None else chair for chair in desk.chairs]
        desk.go_on()

    def next(self, human: Human) -> None:
        desk = self.at(human)
        refuse(not_over=desk.running)
        desk.ready.add(human)
        desk.go_on()

    def leave(self, human: Human) -> None:
        desk = human.desk
        refuse(not_seated=desk is None)
        assert desk is not None
        if human in desk.watchers:
            desk.watchers.discard(human)
            human.desk = None
            return
        desk.rise(human)
        if desk.people:
            desk.go_on()
        elif desk.running and desk.room is not None:
            # It is played to its end by bots, and settled.
            for owner in desk.owners:
                if isinstance(owner, Human):
                    owner.beans = None
            desk.close()
        else:
            desk.close()

    def block(self, human: Human, chair: int, *, on: bool) -> None:
        desk = self.at(human)
        found = desk.chairs[chair] if chair < len(desk.chairs) else None
        if not isinstance(found, Human) and chair < len(desk.owners):
            found = desk.owners[chair]
        refuse(unknown_seat=not isinstance(found, Human) or found is human)
        assert isinstance(found, Human)
        (human.blocked.add if on else human.blocked.discard)(found.number)

    # --- those who wait ---------------------------------------------------------------------------------------------

    def match(self, now: float) -> None:
        """Seat those who have found each other, or have waited long enough."""
        for room, queue in self.queues.items():
            while group := self.first_group(queue, room, now):
                game = ROOMS[room][0]
                for human in group:
                    self.leave_queue(human)
                desk = self.seat(Desk(game, [*group, *[BOT] * (SEATS[game] - len(group))], room=room))
                desk.deal()

    def first_group(self, queue: list[Human], room: str, now: float) -> list[Human]:
        seats = SEATS[ROOMS[room][0]]
        for place, leader in enumerate(queue):
            group = [leader]
            for other in queue[place + 1 :]:
                if len(group) < seats and all(may_meet(one, other) for one in group):
                    group.append(other)
            if len(group) == seats or now >= leader.since + FILL:
                return group
        return []

    # --- accounts ---------------------------------------------------------------------------------------------------

    def claim(self, human: Human, name: str) -> None:
        refuse(already_claimed=human.claimed, name_taken=self.taken(name))
        human.name, human.claimed = name, True

    def rename(self, human: Human, name: str) -> None:
        refuse(not_claimed=not human.claimed, name_taken=self.taken(name, human))
        human.name = name

    def taken(self, name: str, besides: Human | None = None) -> bool:
        return any(
            other.claimed and not other.deleted and other is not besides and other.name == name for other in self.humans
        )

    def delete(self, human: Human) -> None:
        human.deleted, human.token = True, None
        for other in self.humans:
            other.blocked.discard(human.number)
        human.blocked = set()

    def grant(self, human: Human, need: int) -> None:
        refuse(not_broke=human.beans is not None and human.beans >= need)
        if human.beans is not None:
            human.beans += need


def may_meet(one: Human, other: Human) -> bool:
    return other.number not in one.blocked and one.number not in other.blocked
