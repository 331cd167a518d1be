"""What the server says to a client: one struct a message, told apart by `type`.

`View` and `Event` are the values of `dizhu.game.view` as they stand. `ViewChanges` is made from `View`: the same
fields, each of them optional.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from dizhu.game.options import OptionValue
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


class OptionInfo(Struct, frozen=True):
    """What the host of a private table may change of a game.

    `values`: what it may be, the usual first; of whole numbers, if they are too many to list, the usual alone, and
    `least` and `most` are the first and the last.
    """

    name: str
    values: tuple[OptionValue, ...]
    least: int | None
    most: int | None


class VariantInfo(Struct, frozen=True):
    """A game that can be played here. `ranks` are in order, lowest first.

    `bots`: the kinds that people are offered here, the weakest first.
    """

    name: str
    seats: int
    decks: int
    ranks: str
    cards_each: int
    bottom: int
    options: tuple[OptionInfo, ...]
    bots: tuple[str, ...]


class Seat(Struct, frozen=True):
    """A seat and who sits there. `auto`: it is played automatically until its player takes it back.

    An empty seat has neither `account` nor `bot`. `title`: the step of its player's ladder, from 0 (bots have none).
    `score`: points since the seat was taken. `ready`: its player has asked for the next hand.
    """

    name: str
    account: int | None
    bot: bool
    connected: bool
    auto: bool
    ready: bool
    score: int
    title: int | None


class Settled(Struct, frozen=True):
    """What the end of a hand changed in the books: beans and points of the ladder, by seat.

    `points` is null at tables whose hands are not counted, `beans` where none are at stake. `share`: the name of the
    hand's replay.
    """

    share: str
    points: tuple[int, ...] | None
    beans: tuple[int, ...] | None


class Setting(Struct, frozen=True):
    """What is played for at a table. `room`: null at a private table. `options`: those of the game, if not the usual.

    `coefficient`: beans a point; `fee`: beans each player pays a hand; both 0 where none are at stake.
    """

    room: str | None
    variant: str
    options: dict[str, bool | int | str]
    coefficient: int
    fee: int


class Clock(Struct, frozen=True):
    """The time for the open question, in milliseconds: all of it, and what is left of it."""

    limit_ms: int
    left_ms: int


class WelcomeMessage(Struct, tag="welcome", frozen=True):
    """The answer to `hello`. `token` is given once, to a new guest without cookies; if seated, `table` follows."""

    id: int
    protocol: int
    account: int
    name: str
    token: str | None
    seated: bool
    variants: tuple[VariantInfo, ...]
    bots: tuple[str, ...]


class DoneMessage(Struct, tag="done", frozen=True):
    """The command was carried out; `seq` is the number of the newest event (0 where there is no table)."""

    id: int
    seq: int


class AdviceMessage(Struct, tag="advice", frozen=True):
    """The answer to `hint`: actions that answer the question of event `asked`, the best first, all of them legal."""

    id: int
    asked: int
    actions: tuple[str, ...]


class RefusedMessage(Struct, tag="refused", frozen=True):
    """The command was refused and nothing has changed. `id` is null if the message had none that could be read."""

    id: int | None
    code: RefusalCode
    detail: dict[str, str | int | bool | None]


class QueueMessage(Struct, tag="queue", frozen=True):
    """How the search for a table goes: who waits in the room, and when bots will take the seats that are left."""

    room: str
    waiting: int
    seats: int
    fill_ms: int


class TableMessage(Struct, tag="table", frozen=True):
    """The whole table as one seat may see it, after event `seq`; `seat` is null for a spectator.

    `hand` counts the deals of this table from 1; before the first one it is 0, and `view` and `commitment` are null.
    `commitment` is the SHA-256 of the seed of the deal, `seed` the seed itself, null until the hand has ended; both
    are hexadecimal. `next_commitment`: that of the next deal, so that a player can add to its shuffle knowing that
    the seed is fixed. `code`: what others join a private table by. `host`: the seat whose player may fill the others.
    """

    seq: int
    table: str
    code: str | None
    setting: Setting
    seat: int | None
    host: int | None
    hand: int
    view: View | None
    seats: tuple[Seat, ...]
    clock: Clock | None
    commitment: str | None
    seed: str | None
    next_commitment: str
    settled: Settled | None


class EventMessage(Struct, tag="event", frozen=True):
    """Event number `seq`, and what it changed for this seat.

    `history` is never in `changes`: a `play` or `pass` appends {seat, cards}, a `deal` empties it. If one action
    has several events, the first carries all that changed. `seats`, `hand`, `commitment`, `seed`, `next_commitment`
    and `settled` are null unless they changed (with a `deal`, `seed` and `settled` are null anew). `clock` is that of
    the question now open, null if there is none. The kind `seats` stands for a change of `seats` alone.
    """

    seq: int
    event: Event
    changes: ViewChanges
    seats: tuple[Seat, ...] | None
    clock: Clock | None
    hand: int | None
    commitment: str | None
    seed: str | None
    next_commitment: str | None
    settled: Settled | None


class SaidMessage(Struct, tag="said", frozen=True):
    """Somebody at the table said a quick phrase (by its number) or something in his own words."""

    seat: int
    phrase: int | None
    text: str | None


class PurseMessage(Struct, tag="purse", frozen=True):
    """What the player owns now: beans, and points on both ladders."""

    beans: int
    three_player: int
    five_player: int


class ClosedMessage(Struct, tag="closed", frozen=True):
    """The server ends the table or the connection. `back_ms`: when to come back, if the server will."""

    code: ClosedCode
    back_ms: int | None = None


ServerMessage = (
    WelcomeMessage
    | DoneMessage
    | AdviceMessage
    | RefusedMessage
    | QueueMessage
    | TableMessage
    | EventMessage
    | SaidMessage
    | PurseMessage
    | ClosedMessage
)
