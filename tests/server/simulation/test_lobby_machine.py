"""Lobby, accounts and ledger together do what the model does, whatever is asked of them over the socket and HTTP.

`DIZHU_EXAMPLES=1000` tries more.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from dizhu.server import Settings
from dizhu.server.accounts import Account
from server.harness import NO_LIMIT
from server.simulation.hall import Hall
from server.simulation.live import check_client, check_rest, check_tables
from server.simulation.model import BOT, FILL, ROOMS, SEATS, Desk, Human, Model, Refused
from server.simulation.visit import Visit

EXAMPLES = int(os.environ.get("DIZHU_EXAMPLES", "60"))

SETTINGS = Settings(
    play=10**6, question=10**6, offer=10**6, absent=10**6, empty=10**6, bot_pause=(0.01, 0.01), sessions=1,
    bundle=None, commands=NO_LIMIT, address_commands=NO_LIMIT, address_connects=NO_LIMIT, opened=NO_LIMIT,
    guests=NO_LIMIT, reads=NO_LIMIT, writes=NO_LIMIT, passwords=NO_LIMIT, talk=NO_LIMIT,
)  # fmt: skip
DECLARED = """
[war-points]
variant = "landlord_war"
kind = "points"
fill = 40
play = 600
question = 600
offer = 600

[pair-beans]
variant = "two_player"
kind = "beans"
level = "beginner"
coefficient = 10
fee = 5
need = 3500
fill = 40
play = 600
question = 600
offer = 600
"""
NEED = 3500
PASSWORD = "correct horse"
SOON = 0.3
LEFT_ALONE = 8.0
WAITS = 4
"""More, and the time for an answer would be over."""
WHO = st.integers(0, 4)
WHICH = st.integers(0, 2)
GAMES = st.sampled_from(sorted(SEATS))
NAMES = st.sampled_from(["Anna", "Ivan", "Lina"])


class Machine(RuleBasedStateMachine):
    """Does the same with a server and with the model."""

    def __init__(self) -> None:
        super().__init__()
        self.hall = Hall(SETTINGS, DECLARED)
        self.model = Model()
        self.visits: dict[Human, Visit] = {}
        self.ids: dict[Desk, str] = {}
        self.waits = 0

    def human(self, who: int) -> Human:
        alive = [human for human in self.model.humans if not human.deleted]
        return alive[who % len(alive)]

    @property
    def private(self) -> list[Desk]:
        return [desk for desk in self.model.desks if desk.code is not None]

    # --- what is done -----------------------------------------------------------------------------------------------

    @initialize()
    def first(self) -> None:
        for _ in range(3):
            self.arrive()

    @rule(first=WHO, game=GAMES, ready=st.booleans())
    def gather(self, first: int, game: str, ready: bool) -> None:
        """Some sit down together, and some of them want to play."""
        host = self.human(first)
        if host.desk is None and host.room is None and host.connected:
            self.open(first, game)
            self.join(first + 1, len(self.private) - 1)
            self.join(first + 2, len(self.private) - 1)
            for who in range(first, first + (3 if ready else 1)):
                self.next(who)

    @precondition(lambda self: sum(not human.deleted for human in self.model.humans) < 5)
    @rule()
    def arrive(self) -> None:
        status, session = self.hall.http("POST", "/api/session", {"bearer": True})
        assert status == 200
        human = Human(session["me"]["id"], session["me"]["name"], session["token"])
        self.model.humans.append(human)
        self.connect(sum(not other.deleted for other in self.model.humans) - 1)

    @rule(who=WHO)
    def connect(self, who: int) -> None:
        human = self.human(who)
        visit = self.hall.visit(f"192.0.2.{human.number}")
        code = self.expected(lambda: self.model.connect(human))
        answer = self.answer(visit, "hello", protocol=1, token=human.token or "x" * 43)
        assert answer.get("code") == code
        if code is None:
            assert answer["account"] == human.number
            assert answer["name"] == human.name
            assert answer["seated"] == (human.desk is not None)
            self.visits[human] = visit

    @rule(who=WHO)
    def drop(self, who: int) -> None:
        human = self.human(who)
        if human.connected:
            wire = self.visits[human].wire
            assert wire is not None
            self.hall.do(wire.drop)
            self.model.disconnect(human)
            self.wait(SOON)

    @rule(who=WHO, room=st.sampled_from(sorted(ROOMS)))
    def quick(self, who: int, room: str) -> None:
        now = self.hall.now
        self.does(who, lambda human: self.model.quick(human, room, now), "quick", room=room)

    @rule(who=WHO)
    def cancel(self, who: int) -> None:
        self.does(who, self.model.cancel, "cancel")

    @rule(who=WHO, game=GAMES)
    def sit(self, who: int, game: str) -> None:
        self.does(who, lambda human: self.model.sit(human, game), "sit", variant=game, bot="random")

    @rule(who=WHO, game=GAMES)
    def open(self, who: int, game: str) -> None:
        self.does(who, lambda human: self.model.open(human, game), "open", variant=game)

    @rule(who=WHO, which=WHICH)
    def join(self, who: int, which: int) -> None:
        if self.private:
            desk = self.private[which % len(self.private)]
            self.does(who, lambda human: self.model.join(human, desk), "join", code=desk.code)

    @rule(who=WHO, which=WHICH)
    def watch(self, who: int, which: int) -> None:
        if self.model.desks:
            desk = self.model.desks[which % len(self.model.desks)]
            self.does(who, lambda human: self.model.watch(human, desk), "watch", table=self.ids[desk])

    @rule(who=WHO)
    def fill(self, who: int) -> None:
        self.does(who, self.model.fill, "fill", bot="random")

    @rule(who=WHO)
    def next(self, who: int) -> None:
        self.does(who, self.model.next, "next")

    @rule(who=WHO)
    def leave(self, who: int) -> None:
        self.does(who, self.model.leave, "leave")
        # A hand that all have left is played to its end.
        self.wait(LEFT_ALONE)

    @rule(who=WHO, chair=WHICH, on=st.booleans())
    def block(self, who: int, chair: int, on: bool) -> None:
        self.does(who, lambda human: self.model.block(human, chair, on=on), "block", seat=chair, on=on)

    @precondition(lambda self: self.waits < WAITS)
    @rule()
    def wait_for_bots(self) -> None:
        self.waits += 1
        self.wait(FILL + 1)

    # --- accounts ---------------------------------------------------------------------------------------------------

    @rule(who=WHO, name=NAMES, what=st.sampled_from(["claim", "rename", "log_in", "log_out", "look", "look"]))
    def account(self, who: int, name: str, what: str) -> None:
        getattr(self, what)(who, name)

    @rule(who=WHO, what=st.sampled_from(["grant", "grant", "delete"]))
    def ownership(self, who: int, what: str) -> None:
        if what == "grant" or sum(not human.deleted for human in self.model.humans) > 2:
            getattr(self, what)(who, "")

    def claim(self, who: int, name: str) -> None:
        human = self.human(who)
        asked = {"name": name, "password": PASSWORD}
        answer = self.asks(human, lambda: self.model.claim(human, name), "POST", "/api/account/claim", asked)
        if answer is not None:
            human.token = answer["token"]
            self.session_over(human)

    def rename(self, who: int, name: str) -> None:
        human = self.human(who)
        self.asks(human, lambda: self.model.rename(human, name), "POST", "/api/account/rename", {"name": name})

    def log_out(self, who: int, _: str) -> None:
        human = self.human(who)
        if self.asks(human, lambda: None, "POST", "/api/account/logout", {}) is not None:
            human.token = None
            self.session_over(human)

    def log_in(self, _: int, name: str) -> None:
        asked = {"name": name, "password": PASSWORD, "bearer": True}
        status, answer = self.hall.http("POST", "/api/account/login", asked)
        owner = [human for human in self.model.humans if human.claimed and not human.deleted and human.name == name]
        assert (status == 200) == bool(owner), answer
        if owner:
            assert answer["me"]["id"] == owner[0].number
            owner[0].token = answer["token"]

    def delete(self, who: int, _: str) -> None:
        human = self.human(who)
        asked = {"password": PASSWORD} if human.claimed else {}
        if self.asks(human, lambda: self.model.delete(human), "DELETE", "/api/account", asked) is not None:
            self.session_over(human)

    def grant(self, who: int, _: str) -> None:
        human = self.human(who)
        if human.beans is not None:
            self.asks(human, lambda: self.model.grant(human, NEED), "POST", "/api/grant", {})

    def look(self, who: int, _: str) -> None:
        human = self.human(who)
        status, me = self.hall.http("GET", "/api/me", token=human.token)
        assert status == (401 if human.token is None else 200)
        if human.token is not None:
            assert (me["id"], me["name"], me["claimed"]) == (human.number, human.name, human.claimed)
            status, profile = self.hall.http("GET", "/api/profile", token=human.token)
            assert human.beans in (None, profile["profile"]["beans"])
            human.beans = profile["profile"]["beans"]

    # --- what holds -------------------------------------------------------------------------------------------------

    @invariant()
    def all_is_as_it_should_be(self) -> None:
        self.hall.do(self.check_people)
        self.hall.do(self.check_desks)

    def check_people(self) -> None:
        check_tables(self.hall.lobby)
        check_rest(self.hall.lobby)
        for human in self.model.humans:
            account = Account(human.number, human.name)
            actor = self.hall.lobby.tables.at(account)
            where = None if actor is None else actor.table.id
            assert where == (None if human.desk is None else self.ids[human.desk]), human
            assert self.hall.lobby.seeking.waits(account) == (human.room is not None)
            assert (account in self.hall.lobby.connections) == human.connected
            if human.connected:
                check_client(self.hall.lobby, self.visits[human], self.hall.now)

    def check_desks(self) -> None:
        tables = {actor.table.id: actor.table for actor in self.hall.lobby.tables}
        desks = {self.ids[desk]: desk for desk in self.model.desks if desk.open}
        assert tables.keys() == desks.keys()
        for name, desk in desks.items():
            table = tables[name]
            chairs: list[int | str | None] = [
                place.account.id if place.account else BOT if place.bot else None for place in table.places
            ]
            assert chairs == [chair.number if isinstance(chair, Human) else chair for chair in desk.chairs]
            assert table.running == desk.running
            assert {place.account.id for place in table.places if place.account and place.ready} == {
                human.number for human in desk.ready
            }
            assert {account.id for account in table.watchers} == {human.number for human in desk.watchers}

    def teardown(self) -> None:
        self.hall.close()

    # --- how --------------------------------------------------------------------------------------------------------

    def does(self, who: int, model: Callable[[Human], object], type_: str, **fields: Any) -> None:
        """Give a command, which is answered as the model says."""
        human = self.human(who)
        if human.connected:
            code = self.expected(lambda: model(human))
            answer = self.answer(self.visits[human], type_, **fields)
            assert answer.get("code") == code, answer

    def answer(self, visit: Visit, type_: str, **fields: Any) -> dict[str, Any]:
        id = self.hall.do(lambda: visit.send(type_, **fields))
        self.wait(SOON)
        return visit.answers[id]

    def wait(self, seconds: float) -> None:
        self.hall.wait(seconds)
        self.model.match(self.hall.now)
        for desk in self.model.desks:
            if desk not in self.ids:
                (seen, *_) = [self.visits[human].table for human in desk.people]
                assert seen is not None
                self.ids[desk] = seen["table"]
                desk.code = seen["code"]

    def expected(self, does: Callable[[], object]) -> str | None:
        """Tell with which code the model refuses it, if it does."""
        try:
            does()
        except Refused as refused:
            return str(refused)
        return None

    def asks(self, human: Human, does: Callable[[], object], method: str, path: str, body: object) -> Any:
        """Ask for something, which is answered as the model says; the answer, None if it is refused."""
        code = "no_session" if human.token is None else None
        token = human.token
        code = code or self.expected(does)
        status, answer = self.hall.http(method, path, body, token=token)
        assert answer.get("code") == code, (status, answer)
        return answer if code is None else None

    def session_over(self, human: Human) -> None:
        """His connection ends with his session; nobody is seated meanwhile."""
        seconds = SETTINGS.sessions + SOON
        now = self.hall.now
        if any(now < other.since + FILL <= now + seconds for other in self.model.humans if other.room):
            self.wait(seconds)
        self.hall.wait(seconds)
        if human.connected:
            self.model.disconnect(human)
        self.wait(SOON)


@pytest.mark.slow
def test_the_lobby_does_what_it_should():
    limits = settings(max_examples=EXAMPLES, stateful_step_count=40, suppress_health_check=[HealthCheck.too_slow])
    run_state_machine_as_test(Machine, settings=limits)
