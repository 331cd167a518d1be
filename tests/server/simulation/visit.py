"""One connection as its client sees it: what was sent, what was answered, and the table as the frames tell it.

Whatever a server must never send down a connection is found here, in the frame that is wrong.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import msgspec

from dizhu.protocol import CLOSED_CODES, REFUSAL_CODES, decode_message
from server.harness import moved_on
from server.simulation.wire import Wire

decode = msgspec.json.Decoder().decode

_ENDS_TABLE = frozenset({"left", "idle", "failed", "poor"})


UNTOLD = object()
"""A view that its reader has not put together: an event is told that is older than the table he was given."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What came, and how its reader saw the table after that; without a table if it does not tell of one."""

    text: str
    table: str | None = None
    seat: int | None = None
    seq: int = 0
    view: Any = None


class Visit:
    """A connection from its opening to its end. heard: the codes and kinds that came, with how often."""

    def __init__(self, heard: Counter[str]) -> None:
        self.wire: Wire | None = None
        self.heard = heard
        self.sent: dict[int, str] = {}
        self.answers: dict[int, dict[str, Any]] = {}
        self.awaited: Counter[int | None] = Counter()
        self.syncs: dict[int, int] = {}
        self.welcome: dict[str, Any] | None = None
        self.table: dict[str, Any] | None = None
        self.clock_at = 0.0
        self.searching = False
        self.goodbye: str | None = None
        self.closed = False
        self.frames: list[Frame] = []
        self._next = 0
        self._events: dict[int, dict[str, Any]] = {}
        self._views: dict[int, Any] = {}
        self._last_id = 0

    # --- what is sent -----------------------------------------------------------------------------------------------

    @property
    def open(self) -> bool:
        """Whether anything can still be said."""
        return self.wire is not None and not self.wire.ended and not self.closed and self.goodbye is None

    @property
    def quiet(self) -> bool:
        """Whether nothing is on its way, and nothing is waited for."""
        wire = self.wire
        return wire is not None and not wire.in_flight and not wire.stalled and not self.awaited

    def send(self, type_: str, *, overtaking: bool = False, **fields: Any) -> int:
        """Send a command; tells its number."""
        self._last_id += 1
        id = fields.pop("id", self._last_id)
        text = json.dumps({"type": type_, "id": id, **fields})
        self.sent.setdefault(id, text)
        if type_ == "sync" and id not in self.syncs:
            self.syncs[id] = fields["after"]
        self._put(id, text, overtaking=overtaking)
        return id

    def repeat(self, id: int) -> None:
        """Send a command again."""
        self._put(id, self.sent[id])

    def send_raw(self, id: int | None, data: str | bytes) -> None:
        """Send what is no command; a refusal comes, with the number that can be read in it."""
        self._put(id, data)

    def _put(self, id: int | None, data: str | bytes, *, overtaking: bool = False) -> None:
        assert self.wire is not None
        self.awaited[id] += 1
        self.wire.send(data, overtaking=overtaking)

    # --- what comes -------------------------------------------------------------------------------------------------

    def hear(self, text: str, now: float) -> None:
        """Take in a frame."""
        decode_message(text)
        message = decode(text)
        kind = message["type"]
        match kind:
            case "welcome" | "done" | "refused":
                self._answer(message)
            case "table":
                self._whole(message, now)
            case "event":
                self._event(message, now)
            case "closed":
                self._closed(message["code"])
            case "queue":
                assert self.table is None, "who sits at a table does not wait for one"
                self.searching = True
            case _:
                assert kind in ("said", "purse"), f"an unknown message {kind}"
                assert kind == "purse" or self.table is not None, "talk without a table"
        self.heard[_kind(message)] += 1
        self.frames.append(self._frame(text, message))

    def _frame(self, text: str, message: dict[str, Any]) -> Frame:
        table = self.table
        if table is None or message["type"] not in ("table", "event"):
            return Frame(text)
        # An event that is told again tells of the past.
        view = table["view"] if message["seq"] == table["seq"] else self._views.get(message["seq"], UNTOLD)
        return Frame(text, table["table"], table["seat"], message["seq"], view)

    def _answer(self, message: dict[str, Any]) -> None:
        id, code = message["id"], message.get("code")
        assert self.awaited[id] > 0, f"command {id} is answered more than once"
        self.awaited[id] -= 1
        if not self.awaited[id]:
            del self.awaited[id]
        assert code is None or code in REFUSAL_CODES, f"{code} is not in the list of codes"
        if id is None or code in ("too_fast", "bad_message"):
            return
        first = self.answers.setdefault(id, message)
        assert message == first, "a repeated command had another answer"
        if message["type"] == "welcome":
            self.welcome = message
        elif message["type"] == "done" and id in self.syncs and self.table is not None:
            after = self.syncs.pop(id)
            if after < self.table["seq"]:
                self._next = after + 1

    def _whole(self, message: dict[str, Any], now: float) -> None:
        self.table = message
        self.clock_at = now
        self.searching = False
        self._events = {}
        self._views = {message["seq"]: message["view"]}
        self._next = message["seq"] + 1

    def _event(self, message: dict[str, Any], now: float) -> None:
        assert self.table is not None, "an event without a table"
        seq = message["seq"]
        assert seq == self._next, f"event {self._next} is missing, {seq} came"
        self._next += 1
        if seq > self.table["seq"]:
            self.table = moved_on(self.table, message)
            self.clock_at = now
            self._events[seq] = {**message, "clock": None}
            self._views[seq] = self.table["view"]
        elif seq in self._events:
            assert {**message, "clock": None} == self._events[seq], "an event told again was another"

    def _closed(self, code: str) -> None:
        assert code in CLOSED_CODES, f"{code} is not in the list of codes"
        assert code != "failed", "a table failed"
        if code in _ENDS_TABLE:
            self.table = None
        else:
            self.goodbye = code


def _kind(message: dict[str, Any]) -> str:
    match message["type"]:
        case "event":
            return message["event"]["kind"]
        case "refused" | "closed":
            return message["code"]
        case kind:
            return kind
