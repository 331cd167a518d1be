"""A player who does all that a client can do, right and wrong, as chance has it."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import dizhu
from dizhu.game.physical import Card
from server.simulation.visit import Visit

if TYPE_CHECKING:
    from server.simulation.world import World

BOTS = ("random", "rule")
"""Those that think at once: others do so in a thread, where no seed decides what comes first."""
WORDS = ("no", "pass", "pass", "call", "rob", "open", "double", "declare", "bid 1", "bid 2", "bid 3")
NO_ACTIONS = (
    "leave",
    "bid 9",
    "play",
    "play 3h3h",
    "play ?",
    "play 0",
    "play 1",
    "play 55x",
    "play RB",
    "no\u0000",
    "斗",
)
GARBAGE = (
    "",
    "{",
    "null",
    "[[[[",
    b"\x00\xff",
    '{"type":"act"}',
    '{"type":"fly","id":900001}',
    '{"type":"next","id":900002,"seat":1}',
    '{"type":"auto","id":900003,"on":"yes"}',
    '{"type":"say","id":900004,"phrase":24}',
)


class Person:
    """Somebody with a session, who is connected once, several times or not at all.

    visits: all his connections, the newest last.
    """

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.address = f"192.0.2.{number // 2 if number < 4 else number}"
        self.token: str | None = None
        self.visits: list[Visit] = []

    @property
    def choices(self) -> Random:
        return self.world.choices

    @property
    def visit(self) -> Visit | None:
        """The newest connection, if it is open."""
        return self.visits[-1] if self.visits and self.visits[-1].open else None

    @property
    def asked(self) -> bool:
        """Whether he sees a question put to him."""
        table = None if self.visit is None else self.visit.table
        return bool(table and table["view"] and table["view"]["legal"])

    def chance(self, probability: float) -> bool:
        return self.choices.random() < probability

    # --- one thing at a time ----------------------------------------------------------------------------------------

    def do_something(self) -> None:
        visit = self.visit
        if visit is None:
            self.connect()
        elif visit.wire is not None and visit.wire.stalled:
            self.wait_or_read(visit)
        elif visit.welcome is None:
            self.greet(visit)
        elif self.chance(0.08):
            self.misbehave(visit)
        elif visit.table is not None:
            self.at_table(visit, visit.table)
        elif visit.searching:
            self.wait_for_others(visit)
        else:
            self.go_somewhere(visit)

    def connect(self) -> None:
        self.visits.append(self.world.connect(self))
        if self.chance(0.9):
            self.greet(self.visits[-1])

    def greet(self, visit: Visit) -> None:
        if visit.awaited and self.chance(0.9):
            return
        if self.chance(0.05):
            visit.send(self.choices.choice(["next", "leave", "cancel"]))
        elif self.chance(0.03):
            visit.send("hello", protocol=2, token=self.token)
        elif self.chance(0.03):
            visit.send("hello", protocol=1, token="x" * 43)
        else:
            visit.send("hello", protocol=1, token=self.token)

    def wait_or_read(self, visit: Visit) -> None:
        assert visit.wire is not None
        if self.chance(0.3):
            visit.wire.read_on()
        elif self.chance(0.5):
            visit.send("sync", after=0)

    # --- looking for a table ----------------------------------------------------------------------------------------

    def go_somewhere(self, visit: Visit) -> None:
        deeds: list[tuple[int, Callable[[], object]]] = [
            (6, lambda: visit.send("quick", room=self.choices.choice(list(self.world.rooms)))),
            (2, lambda: visit.send("sit", variant=self.any_game(), bot=self.choice(BOTS))),
            (3, lambda: visit.send("open", variant=self.any_game())),
            (6, lambda: self.join(visit)),
            (3, lambda: self.watch(visit)),
            (1, lambda: self.wrong_place(visit)),
        ]
        self.one_of(deeds)()

    def any_game(self) -> str:
        return self.choice(list(dizhu.variants()))

    def join(self, visit: Visit) -> None:
        if self.world.codes:
            visit.send("join", code=self.choice(list(self.world.codes)[-3:]))

    def watch(self, visit: Visit) -> None:
        if self.world.tables:
            visit.send("watch", table=self.choice(list(self.world.tables)[-3:]))

    def wrong_place(self, visit: Visit) -> None:
        deeds: list[tuple[int, Callable[[], object]]] = [
            (1, lambda: visit.send("quick", room="nowhere")),
            (1, lambda: visit.send("join", code="424242")),
            (1, lambda: visit.send("watch", table="424242")),
            (1, lambda: visit.send("sit", variant="whist", bot="rule")),
            (1, lambda: visit.send("sit", variant="classic", bot="nobody")),
            (1, lambda: visit.send("open", variant="classic", options={"cap": -1})),
            (1, lambda: visit.send("act", seq=0, action="no")),
            (1, lambda: visit.send("hello", protocol=1, token=None)),
            (1, lambda: visit.send("cancel")),
        ]
        self.one_of(deeds)()

    def wait_for_others(self, visit: Visit) -> None:
        if self.chance(0.15):
            visit.send("cancel")
        elif self.chance(0.1):
            self.go_somewhere(visit)

    # --- at a table -------------------------------------------------------------------------------------------------

    def at_table(self, visit: Visit, table: dict[str, Any]) -> None:
        view = table["view"]
        if view and view["legal"] and self.chance(0.85):
            self.answer(visit, table)
        elif (view is None or view["result"]) and self.chance(0.6):
            self.go_on(visit)
        else:
            self.talk_and_so_on(visit, table)

    def answer(self, visit: Visit, table: dict[str, Any]) -> None:
        view = table["view"]
        action, seq = self.choice(view["legal"]), table["seq"]
        if self.chance(0.12):
            action = self.wrong_action(view)
        elif self.chance(0.04):
            seq = self.choice([0, max(0, seq - 1), seq + 1, seq + 100])
        id = visit.send("act", seq=seq, action=action)
        if self.chance(0.05):
            visit.repeat(id)
        elif self.chance(0.05):
            visit.send("act", seq=seq, action=action)

    def wrong_action(self, view: dict[str, Any]) -> str:
        if view["phase"] == "play" and view["table"] is None and self.chance(0.3):
            return "pass"
        if self.chance(0.3):
            return self.choice(NO_ACTIONS)
        if self.chance(0.4):
            return self.choice(WORDS)
        held: list[Card] = view["hands"][view["seat"]] or []
        deck = list(dizhu.variant(view["variant"]).deck.cards)
        cards = held if held and self.chance(0.7) else deck
        chosen = self.choices.sample(cards, self.choices.randint(1, min(4, len(cards))))
        return "play " + (" ".join(chosen) if self.chance(0.5) else "".join(card[0] for card in chosen))

    def go_on(self, visit: Visit) -> None:
        deeds: list[tuple[int, Callable[[], object]]] = [
            (6, lambda: visit.send("next")),
            (2, lambda: visit.send("next", entropy=self.choices.randbytes(4).hex())),
            (2, lambda: visit.send("fill", bot="rule")),
        ]
        self.one_of(deeds)()

    def talk_and_so_on(self, visit: Visit, table: dict[str, Any]) -> None:
        seat = self.choices.randrange(5)
        deeds: list[tuple[int, Callable[[], object]]] = [
            (20, lambda: None),
            (4, lambda: visit.send("say", phrase=self.choices.randrange(24))),
            (2, lambda: visit.send("chat", text=self.choice(["hello", "\u200b", "斗\n地主"]))),
            (2, lambda: visit.send("mute", seat=seat, on=self.chance(0.5))),
            (2, lambda: visit.send("block", seat=seat, on=self.chance(0.5))),
            (1, lambda: visit.send("report", seat=seat, reason="cheating")),
            (4, lambda: visit.send("auto", on=self.chance(0.3))),
            (4, lambda: visit.send("sync", after=max(0, table["seq"] - self.choices.randrange(40)))),
            (1, lambda: visit.send("sync", after=2**53 - 1)),
            (2, lambda: visit.send("act", seq=table["seq"], action=self.choice(WORDS))),
            (1, lambda: visit.send("fill", bot="random")),
            (1, lambda: visit.send("next")),
            (4, lambda: visit.send("leave")),
            (1, lambda: self.go_somewhere(visit)),
        ]
        self.one_of(deeds)()

    # --- what no client should do -----------------------------------------------------------------------------------

    def misbehave(self, visit: Visit) -> None:
        assert visit.wire is not None
        wire = visit.wire
        deeds: list[tuple[int, Callable[[], object]]] = [
            (3, lambda: self.repeat(visit)),
            (3, lambda: self.send_garbage(visit)),
            (3, self.connect),
            (3, wire.drop),
            (3, lambda: self.stall(visit)),
            (2, lambda: self.overtake(visit)),
            (1, lambda: self.storm(visit)),
            (1, lambda: self.babble(visit)),
            (2, self.end_session),
        ]
        self.one_of(deeds)()

    def repeat(self, visit: Visit) -> None:
        newest = list(visit.sent)[-40:]
        if newest:
            visit.repeat(self.choice(newest))

    def send_garbage(self, visit: Visit) -> None:
        data = self.choice(GARBAGE)
        try:
            id = json.loads(data).get("id")
        except (ValueError, AttributeError):
            id = None
        visit.send_raw(id, data)

    def stall(self, visit: Visit) -> None:
        """Read no more, and at times ask for more than the outbox holds."""
        assert visit.wire is not None
        visit.wire.stall()
        if self.chance(0.6):
            for _ in range(20):
                visit.send("sync", after=0)

    def overtake(self, visit: Visit) -> None:
        """Several commands at once, of which the later may arrive first."""
        for _ in range(3):
            table = visit.table
            if table and table["view"] and table["view"]["legal"]:
                visit.send("act", overtaking=True, seq=table["seq"], action=self.choice(table["view"]["legal"]))
            else:
                visit.send(self.choice(["next", "cancel", "leave"]), overtaking=True)

    def storm(self, visit: Visit) -> None:
        """More than anybody may ask."""
        for _ in range(45):
            visit.send("cancel")

    def babble(self, visit: Visit) -> None:
        """More than anybody may say."""
        for _ in range(6):
            visit.send("say", phrase=1)

    def end_session(self) -> None:
        """Log out: a new guest comes in his place."""
        if self.token is not None:
            self.world.log_out(self.token)
            self.token = None

    # --- how --------------------------------------------------------------------------------------------------------

    def choice(self, things: Any) -> Any:
        return self.choices.choice(list(things))

    def one_of(self, deeds: list[tuple[int, Callable[[], object]]]) -> Callable[[], object]:
        weights = [weight for weight, _ in deeds]
        return self.choices.choices([deed for _, deed in deeds], weights)[0]

    def welcomed(self, welcome: dict[str, Any]) -> None:
        """Note who he is."""
        if self.token is None and welcome["token"] is not None:
            self.token = welcome["token"]
