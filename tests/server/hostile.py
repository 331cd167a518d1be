"""Somebody who sends what no honest client sends: broken, forged, out of turn, out of place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, get_args

import msgspec

import dizhu
from dizhu.protocol import BadMessage, Command, decode_command
from dizhu.server.table import Table
from server.raw import BINARY, Raw, fragments, frame

WRONG = [
    None, True, False, -1, 0, 7, 2**53, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, "", "x", "0", "é", "斗", "\u0000",
    "\ud800", "x" * 33, "x" * 129, "x" * 300, [], [[]], {}, {"a": 1}, ["3h"], "true", "1e3", "\u202e", "👻",
]  # fmt: skip
WORDS = [
    "NaN", "Infinity", "-Infinity", "1e999", "01", "+1", "1.", ".5", "0x1", "'x'", "undefined", "1_0", "tru", '"',
    "\\u0", "\x7f", "\ufeff",
]  # fmt: skip
ACTIONS = [
    "no", "pass", "call", "rob", "open", "double", "declare", "bid 0", "bid 1", "bid 3", "bid 99", "bid ²", "leave",
    "play", "play 3", "play 33", "play R", "play BR", "play 3h", "play 3h 3h", "play 0", "play 斗", "play 34567",
    "PLAY 3", " no", "no ", "play  3", "play 3,4", "play " + "3" * 100, "rob 2", "double no", "\u0000",
]  # fmt: skip
COMMANDS = {command.__struct_config__.tag: command for command in get_args(Command)}


@dataclass
class Sender:
    """Somebody who does not keep to the rules. seat, table: None for a stranger; seat None: a spectator."""

    raw: Raw
    table: Table | None
    seat: int | None
    choices: Random
    greeted: bool = True
    last_id: int = 1
    recent: list[bytes] = field(default_factory=list)

    def frames(self, count: int) -> list[bytes]:
        kinds: Sequence[Callable[[], bytes]] = (
            self.noise, self.nesting, self.broken_json, self.wrong_field, self.forged, self.mutated,
            self.wrong_action, self.wrong_action, self.out_of_place, self.out_of_place, self.binary, self.again,
        )  # fmt: skip
        self.recent.clear()
        return [self.choices.choice(kinds)() for _ in range(count)]

    def text(self, payload: bytes) -> bytes:
        """Send a text in one frame, or in some."""
        if self.choices.random() < 0.1 and len(payload) > 3:
            return fragments(payload, [self.choices.randrange(len(payload)) for _ in range(self.choices.randint(1, 3))])
        return frame(payload)

    def command(self, type_: str, **values: Any) -> bytes:
        self.last_id += 1
        self.recent.append(json.dumps({"type": type_, "id": self.last_id, **values}).encode())
        return self.text(self.recent[-1])

    def again(self) -> bytes:
        """Send a command a second time."""
        return self.text(self.choices.choice(self.recent)) if self.recent else self.noise()

    def noise(self) -> bytes:
        size = self.choices.choice([0, 1, 10, 100, 1000])
        return self.text("".join(self.choices.choices('[{"\\ \0\7é斗👻', k=size)).encode())

    def nesting(self) -> bytes:
        opening = self.choices.choice([b"[", b'{"a":', b'[{"a":'])
        return self.text((opening * 4000)[: self.choices.choice([10, 500, 4000])])

    def broken_json(self) -> bytes:
        whole = json.dumps({"type": "act", "id": 3, "seq": 1, "action": "no"})
        cut = self.choices.randrange(len(whole))
        middle = self.choices.choice(["", self.choices.choice(WORDS)])
        return self.refused((whole[:cut] + middle + whole[cut + 1 :]).encode())

    def valid(self) -> dict[str, Any]:
        """Make some command as it should be."""
        type_ = self.choices.choice(list(COMMANDS))
        values: dict[str, Any] = {
            "protocol": 1, "token": None, "variant": "classic", "bot": "rule", "room": "classic-points",
            "code": "ABCDEFGH", "table": "0" * 16, "seq": 1, "action": "pass", "on": True, "after": 0, "phrase": 1,
            "text": "x", "seat": 0, "reason": "x", "options": {}, "entropy": "00", "words": None,
        }  # fmt: skip
        names = [field.name for field in msgspec.structs.fields(COMMANDS[type_]) if field.name != "id"]
        return {"type": type_, "id": 0, **{name: values[name] for name in names}}

    def wrong_field(self) -> bytes:
        command = self.valid()
        command[self.choices.choice(list(command))] = self.choices.choice(WRONG)
        return self.refused(json.dumps(command).encode())

    def forged(self) -> bytes:
        field = self.choices.choice(["account", "seat_", "player", "token_", "session", "admin", "Id", "__proto__"])
        return self.text(json.dumps({**self.valid(), field: self.choices.choice([1, "x", None])}).encode())

    def mutated(self) -> bytes:
        text = bytearray(json.dumps(self.valid()).encode())
        for _ in range(self.choices.randint(1, 4)):
            text[self.choices.randrange(len(text))] = self.choices.choice(b' {}[]",:0123456789abcxyz\\')
        return self.refused(bytes(text))

    def refused(self, text: bytes) -> bytes:
        """Send a text if it is no command, for a command might be carried out."""
        try:
            decode_command(text)
        except BadMessage:
            return self.text(text)
        return self.text(b"[]")

    def binary(self) -> bytes:
        return frame(self.choices.randbytes(self.choices.choice([0, 1, 50, 4000])), BINARY)

    def wrong_action(self) -> bytes:
        """Answer a question that is put to somebody else, or answer one's own with what is not allowed."""
        action, seq = self.choices.choice(ACTIONS), self.choices.choice([0, 1, 2**53 - 1])
        if self.table is not None and self.table.hand is not None:
            game = self.table.hand.game
            seq = self.choices.choice([seq, self.table.teller.seq, self.table.teller.seq])
            if self.seat is not None and self.seat in game.turn and self.is_legal(action):
                action = "bid 77"
            elif self.choices.random() < 0.3:
                legal = [action for seat in game.turn if seat != self.seat for action in game.legal(seat)]
                action = self.choice_of(legal, action) if self.seat not in game.turn else action
        return self.command("act", seq=seq, action=action)

    def is_legal(self, action: str) -> bool:
        """Tell whether it would be carried out: in any spelling."""
        assert self.table is not None
        assert self.table.hand is not None
        assert self.seat is not None
        game = self.table.hand.game
        before = game.state, game.actions
        try:
            game.act(self.seat, action)
        except dizhu.DizhuError:
            return False
        game.state, game.actions = before
        return True

    def choice_of(self, actions: list[str], otherwise: str) -> str:
        return self.choices.choice(actions) if actions else otherwise

    def out_of_place(self) -> bytes:
        """A command as it should be, that is not this one's to give now."""
        seated = self.table is not None
        possible: list[tuple[str, dict[str, Any]]] = [
            ("hello", {"protocol": 1 if self.greeted else 2, "token": None}),
            ("hello", {"protocol": 9, "token": "x" * 43}),
            ("cancel", {}),
            ("quick", {"room": "nowhere"}),
            ("sit", {"variant": "whist", "bot": "rule"}),
            ("join", {"code": "AAAAAAAA"}),
            ("watch", {"table": "nowhere"}),
            ("open", {"variant": "classic", "options": {"cap": "x"}}),
            ("fill", {"bot": "rule"}),
            ("mute", {"seat": 4 if self.table is None or len(self.table.places) < 5 else self.seat or 0, "on": True}),
        ]
        if seated:
            assert self.table is not None
            possible += [
                ("sit", {"variant": "classic", "bot": "rule"}),
                ("open", {"variant": "classic"}),
                ("watch", {"table": self.table.id}),
                ("chat", {"text": "hello"}),
            ]
            if self.seat is None or self.table.running:
                possible.append(("next", {}))
        else:
            possible += [
                ("next", {}),
                ("leave", {}),
                ("auto", {"on": True}),
                ("sync", {"after": 0}),
                ("say", {"phrase": 1}),
            ]
        type_, values = self.choices.choice(possible)
        return self.command(type_, **values)
