"""What the server says to a client: one struct a message, told apart by `type`.

`View` and `Event` are the values of `dizhu.game.view` as they stand. `ViewChanges` is made from `View`: the same
fields, each of them optional.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from dizhu.game.view import Event, View
from dizhu.protocol.codes import CLOSED_CODES, REFUSAL_CODES

RefusalCode = Annotated[str, Meta(title="RefusalCode", extra_json_schema={"enum": list(REFUSAL_CODES)})]
ClosedCode = Annotated[str, Meta(title="ClosedCode", extra_json_schema={"enum": list(CLOSED_CODES)})]

APPENDED = frozenset({"history"})
"""Fields of a view that only grow within a hand: clients extend them from the events instead of getting them again."""

if TYPE_CHECKING:

    class ViewChanges(Struct):
        """The fields of a seat's view that differ from its view one event before."""

else:
    ViewChanges = defstruct(
        "ViewChanges",
        [
            (field.name, get_type_hints(View)[field.name] | UnsetType, UNSET)
            for field in fields(View)
            if field.name not in APPENDED
        ],
        namespace={"__doc__": "The fields of a seat's view that differ from its view one event before."},
        module=__name__,
        frozen=True,
        omit_defaults=True,
    )


class VariantInfo(Struct, frozen=True):
    """A game that can be played here. `ranks` are in order, lowest first."""

    name: str
    seats: int
    decks: int
    ranks: str
    cards_each: int
    bottom: int


class Seat(Struct, frozen=True):
    """Who sits on a seat. `auto`: it is played automatically until its player takes it back."""

    name: str
    bot: bool
    connected: bool
    auto: bool
    score: int


class Clock(Struct, frozen=True):
    """The time for the open question, in milliseconds: all of it, and what is left of it."""

    limit_ms: int
    left_ms: int


class WelcomeMessage(Struct, tag="welcome", frozen=True):
    """The answer to `hello`. `token` is given once, to a new guest without cookies; if seated, `table` follows."""

    id: int
    protocol: int
    name: str
    token: str | None
    seated: bool
    variants: tuple[VariantInfo, ...]
    bots: tuple[str, ...]


class DoneMessage(Struct, tag="done", frozen=True):
    """The command was carried out; `seq` is the number of the newest event (0 where there is no table)."""

    id: int
    seq: int


class RefusedMessage(Struct, tag="refused", frozen=True):
    """The command was refused and nothing has changed. `id` is null if the message had none that could be read."""

    id: int | None
    code: RefusalCode
    detail: dict[str, str | int | bool | None]


class TableMessage(Struct, tag="table", frozen=True):
    """The whole table as one seat may see it, after event `seq`.

    `hand` counts the deals of this table from 1. `commitment` is the SHA-256 of the seed of the deal, `seed` the
    seed itself, null until the hand has ended; both are hexadecimal.
    """

    seq: int
    seat: int
    hand: int
    view: View
    seats: tuple[Seat, ...]
    clock: Clock | None
    commitment: str
    seed: str | None


class EventMessage(Struct, tag="event", frozen=True):
    """Event number `seq`, and what it changed for this seat.

    `history` is never in `changes`: a `play` or `pass` appends {seat, cards}, a `deal` empties it. If one action
    has several events, the first carries all that changed. `seats`, `hand`, `commitment` and `seed` are null unless
    they changed (with a `deal`, `seed` is null anew). `clock` is that of the question now open, null if there is none.
    The kind `seats` stands for a change of `seats` alone.
    """

    seq: int
    event: Event
    changes: ViewChanges
    seats: tuple[Seat, ...] | None
    clock: Clock | None
    hand: int | None
    commitment: str | None
    seed: str | None


class ClosedMessage(Struct, tag="closed", frozen=True):
    """The server ends the table or the connection."""

    code: ClosedCode


ServerMessage = WelcomeMessage | DoneMessage | RefusedMessage | TableMessage | EventMessage | ClosedMessage
