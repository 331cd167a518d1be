"""A whole server and the people who visit it, in virtual time and in one process, from one seed."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from starlette.applications import Starlette

import dizhu
from dizhu.server import Settings, create_app
from dizhu.server.lobby import Lobby
from dizhu.server.rooms import Room, read_rooms
from dizhu.server.store.database import opened
from server.simulation import audit
from server.simulation.live import check_client, check_rest, check_tables
from server.simulation.loop import VirtualClock, determined, run
from server.simulation.person import Person
from server.simulation.visit import Visit
from server.simulation.wire import Wire, ask

SETTINGS = Settings(bot_pause=(0.2, 0.6), redeal=1.0, empty=15.0, absent=8.0, sessions=20.0, bundle=None)

ROOMS = """
[war-points]
variant = "landlord_war"
kind = "points"
fill = 1

[pair-beans]
variant = "two_player"
kind = "beans"
level = "beginner"
coefficient = 100
fee = 20
need = 2990
fill = 1

[happy-beans]
variant = "happy"
kind = "beans"
level = "middle"
coefficient = 50
need = 1000
threshold = 2800
redeal = "first"
play = 8
fill = 1

[five-points]
variant = "five_player"
kind = "points"
fill = 1

[auction-points]
variant = "auction"
kind = "points"
redeal = "first"
fill = 1
"""

DATABASE, EMPTY = "dizhu.sqlite3", "empty.sqlite3"
STEPS = (12, 30)
"""How many things people do before the server stops."""
AGAIN = 0.35
"""How often it is started again."""
SLOWEST = 0.004
"""How long a step of the database takes at most."""
GOODBYE = 0.1
"""How long a server that stops lets its players read why."""
SETTLED = 0.7
"""After so many seconds everything that was on its way has arrived."""


class Lag:
    """Some messages take their time."""

    def __init__(self, choices: Random) -> None:
        self._choices = choices

    def delay(self) -> float:
        return self._choices.random() ** 4 * 0.2


def short(variant: dizhu.Variant, seed: bytes, first: int | None, entropy: Sequence[bytes]) -> dizhu.Deal:
    """Deal as a server does, but most hands are cut to a few cards, so that they come to an end."""
    deal = dizhu.shuffled(variant, seed, first, entropy)
    return deal if seed[0] < 16 else cut(deal, 1 + seed[1] % 4)


def cut(deal: dizhu.Deal, size: int) -> dizhu.Deal:
    """Leave some cards in each hand, the marked one among them."""
    hands = [list(hand[:size]) for hand in deal.hands]
    if deal.marked is not None and deal.marked not in hands[deal.first]:
        hands[deal.first][-1] = deal.marked
    return replace(deal, hands=tuple(map(tuple, hands)))


@dataclass(frozen=True)
class Place:
    """Where worlds come to be, one after another: an application, its rooms, and a folder for its database."""

    app: Starlette
    rooms: Mapping[str, Room]
    folder: Path

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / DATABASE}"

    def clear(self) -> None:
        """Leave nothing of the world before: there is a database with nothing in it, as migrations have made it."""
        for file in self.folder.glob(f"{DATABASE}*"):
            file.unlink()
        shutil.copy(self.folder / EMPTY, self.folder / DATABASE)


def place_in(folder: Path) -> Place:
    """Make an application. Whatever it knows it learns when it is started."""

    async def migrate() -> None:
        async with opened(f"sqlite:///{folder / EMPTY}"):
            pass

    with determined(0):
        run(migrate())
    file = folder / "rooms.toml"
    file.write_text(ROOMS, encoding="utf-8")
    rooms = read_rooms(file)
    app = create_app(
        SETTINGS, database=f"sqlite:///{folder / DATABASE}", rooms=rooms, clock=VirtualClock(), dealer=short
    )
    return Place(app, rooms, folder)


class World:
    """What there is: a server that is stopped and started again, and people.

    codes, tables: names of tables that people have heard of. trace: what was done, and when. stops: from when to when
    there was no server.
    """

    def __init__(self, choices: Random, place: Place) -> None:
        self.choices = choices
        self.place = place
        self.app = place.app
        self.rooms = place.rooms
        self.lag = Lag(choices)
        self.people = [Person(self, number) for number in range(choices.randint(3, 6))]
        self.codes: dict[str, None] = {}
        self.tables: dict[str, None] = {}
        self.trace: list[str] = []
        self.heard: Counter[str] = Counter()
        self.stops: list[tuple[float, float]] = []
        self._wires: list[Wire] = []
        self._requests: list[asyncio.Task[object]] = []

    # --- what people reach ------------------------------------------------------------------------------------------

    @property
    def lobby(self) -> Lobby:
        return self.app.state.lobby

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def connect(self, person: Person) -> Visit:
        """Open a connection."""
        visit = Visit(self.heard)

        def hear(text: str) -> None:
            self.note(f"{person.number} < {text}")
            visit.hear(text, self.now)
            if visit.welcome is not None:
                person.welcomed(visit.welcome)
            if visit.table is not None:
                self.tables[visit.table["table"]] = None
                if visit.table["code"] is not None:
                    self.codes[visit.table["code"]] = None

        def end(code: int) -> None:
            self.note(f"{person.number} is closed: {code}")
            visit.closed = True

        visit.wire = Wire(self.app, person.address, self.lag, hear, end)
        self._wires.append(visit.wire)
        return visit

    def log_out(self, token: str) -> None:
        """End a session over HTTP."""
        request = ask(self.app, "POST", "/api/account/logout", {}, token=token)
        self._requests.append(asyncio.create_task(request))

    def note(self, what: str) -> None:
        """Keep for the case of a fault what was done."""
        self.trace.append(f"{self.now:.6f} {what}")

    # --- its course -------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Let the world take its course, and look at the end whether what was told is what happened."""
        for _ in range(1 + (self.choices.random() < AGAIN)):
            async with self._serving():
                await self._live(self.choices.randint(*STEPS))
                await self._come_to_rest()
            await asyncio.sleep(self.choices.choice([0.0, 1.0, 30.0]))
        await self._look_back()

    @asynccontextmanager
    async def _serving(self) -> AsyncGenerator[None]:
        async with self.app.router.lifespan_context(self.app):
            if self.stops:
                self.stops[-1] = (self.stops[-1][0], self.now)
            yield
            await asyncio.gather(*self._requests)
            self.stops.append((self.now, self.now))
            await self.lobby.close()
            await asyncio.sleep(GOODBYE)
            for wire in self._wires:
                wire.shut_down()
            await asyncio.gather(*(wire.task for wire in self._wires))
        self._wires.clear()
        self._requests.clear()

    async def _live(self, steps: int) -> None:
        """Let people do something, one after another, and look after each step whether all is in order."""
        for _ in range(steps):
            person = self._next_person()
            self.note(f"{person.number} …")
            person.do_something()
            await asyncio.sleep(self._pause())
            check_tables(self.lobby)
            self._compare(self.choices.choice(self.people))

    async def _come_to_rest(self) -> None:
        """Let everything arrive that is on its way; then all that was asked is answered, and all know the same."""
        for person in self.people:
            for visit in person.visits:
                if visit.wire is not None and visit.wire.stalled:
                    visit.wire.read_on()
        await asyncio.sleep(SETTLED)
        for person in self.people:
            for visit in person.visits:
                assert not visit.open or not visit.awaited, f"{visit.awaited} of {person.number} have no answer"
            self._compare(person)
        check_tables(self.lobby)
        check_rest(self.lobby)

    async def _look_back(self) -> None:
        async with opened(self.place.url) as database:
            courses = await audit.courses(database, self.rooms, SETTINGS, short)
            await audit.check_ledger(database)
        for person in self.people:
            for visit in person.visits:
                audit.check_frames(visit.frames, courses)
        for course in courses.values():
            audit.check_times(course, SETTINGS, self.stops)

    def _next_person(self) -> Person:
        """Choose who does something: mostly somebody who is asked."""
        asked = [person for person in self.people if person.asked]
        return self.choices.choice(asked if asked and self.choices.random() < 0.8 else self.people)

    def _pause(self) -> float:
        """Choose how long it takes until somebody does something again."""
        kind = self.choices.random()
        if kind < 0.45:
            return 0.0
        if kind < 0.9:
            return self.choices.random() * 0.4
        if kind < 0.97:
            return self.choices.random() * 3
        return self.choices.choice([10.0, 22.0, 40.0, 90.0])

    def _compare(self, person: Person) -> None:
        """See that somebody knows what the server would tell him now."""
        visit = person.visit
        if visit is not None and visit.welcome is not None and visit.quiet:
            check_client(self.lobby, visit, self.now)
