"""A table as a client has it: the last whole table, moved on by every event since. It needs no rule of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import UNSET, structs

from dizhu.game.view import Move, View
from dizhu.protocol import EventMessage, TableMessage, ViewChanges

_NEWS = ("seats", "hand", "commitment", "seed", "next_commitment", "settled")
_CHANGES = ViewChanges.__struct_fields__


def advance(table: TableMessage, message: EventMessage) -> TableMessage | None:
    """Move a table on by an event. An old one changes nothing; None: others before it are missing."""
    if message.seq <= table.seq:
        return table
    if message.seq > table.seq + 1:
        return None
    # With a new deal these are void, even if the message does not say so.
    news: dict[str, Any] = {"seed": None, "settled": None} if message.event.kind == "deal" else {}
    news |= {name: value for name in _NEWS if (value := getattr(message, name)) is not None}
    after = structs.replace(table, seq=message.seq, view=_view(table.view, message), clock=message.clock, **news)
    return structs.replace(after, host=_host(after)) if message.seats is not None else after


def _view(before: View | None, message: EventMessage) -> View | None:
    changed = {name: value for name in _CHANGES if (value := getattr(message.changes, name)) is not UNSET}
    event = message.event
    if event.kind == "deal":
        changed["history"] = ()
        return View(**changed) if before is None else replace(before, **changed)
    if before is None:
        return None
    if event.kind in ("play", "pass") and event.seat is not None:
        changed["history"] = (*before.history, Move(event.seat, event.cards))
    return replace(before, **changed)


def _host(table: TableMessage) -> int | None:
    """The host of a private table is the first person: events do not tell when another becomes it."""
    if table.code is None:
        return None
    return next((seat for seat, who in enumerate(table.seats) if who.account is not None), None)
