"""What a client may say to the server: one struct a message, told apart by `type`.

Every command carries an `id` chosen by the client, new for each command of a connection. It is answered once, by
`done` or `refused` (`hello` by `welcome`, `hint` by `advice`); a repeated id gets the first answer again and
does nothing.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

WHOLE = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A whole number that JavaScript can hold exactly."""

NAME = Annotated[str, Meta(min_length=1, max_length=32)]
TOKEN = Annotated[str, Meta(min_length=1, max_length=128)]
ACTION = Annotated[str, Meta(min_length=1, max_length=128)]
CODE = Annotated[str, Meta(min_length=1, max_length=32)]
WORDS = Annotated[str, Meta(min_length=1, max_length=200)]
ENTROPY = Annotated[str, Meta(pattern="^([0-9a-f]{2}){1,32}$")]
SEAT = Annotated[int, Meta(ge=0, le=4)]

PHRASES = 24
"""Quick phrases and emotes are numbered from 0; their words are the client's, in each language."""

PHRASE = Annotated[int, Meta(ge=0, lt=PHRASES)]


class HelloCommand(Struct, tag="hello", forbid_unknown_fields=True, frozen=True):
    """The first message of a connection. `token` is for clients without cookies; null asks for a new guest."""

    id: WHOLE
    protocol: WHOLE
    token: TOKEN | None


class SitCommand(Struct, tag="sit", forbid_unknown_fields=True, frozen=True):
    """Open a table of a game for practice, with bots of one kind on the other seats."""

    id: WHOLE
    variant: NAME
    bot: NAME


class QuickCommand(Struct, tag="quick", forbid_unknown_fields=True, frozen=True):
    """Look for a table in a room. `queue` tells how it goes; `table` follows."""

    id: WHOLE
    room: NAME


class CancelCommand(Struct, tag="cancel", forbid_unknown_fields=True, frozen=True):
    """Look for a table no more."""

    id: WHOLE


class OpenCommand(Struct, tag="open", forbid_unknown_fields=True, frozen=True):
    """Open a private table, which others join by its code. `options` are those of the game, as `max_robs` or `cap`."""

    id: WHOLE
    variant: NAME
    options: dict[NAME, bool | int | str] = field(default_factory=dict[str, bool | int | str])


class JoinCommand(Struct, tag="join", forbid_unknown_fields=True, frozen=True):
    """Sit down at a private table."""

    id: WHOLE
    code: CODE


class FillCommand(Struct, tag="fill", forbid_unknown_fields=True, frozen=True):
    """Give the empty seats of a private table to bots of one kind; the host's to say."""

    id: WHOLE
    bot: NAME


class WatchCommand(Struct, tag="watch", forbid_unknown_fields=True, frozen=True):
    """Look on at a table, named by its id or its code. A spectator sees what is public, and leaves by `leave`."""

    id: WHOLE
    table: CODE


class ActCommand(Struct, tag="act", forbid_unknown_fields=True, frozen=True):
    """Answer the open question. `seq` is the number of the last event that the client has seen."""

    id: WHOLE
    seq: WHOLE
    action: ACTION


class HintCommand(Struct, tag="hint", forbid_unknown_fields=True, frozen=True):
    """Ask what the best bot would answer to the open question. `seq` as in `act`."""

    id: WHOLE
    seq: WHOLE


class NextCommand(Struct, tag="next", forbid_unknown_fields=True, frozen=True):
    """Ready for the next hand. `entropy`, 1 to 32 bytes as hex, goes into its shuffle."""

    id: WHOLE
    entropy: ENTROPY | None = None


class AutoCommand(Struct, tag="auto", forbid_unknown_fields=True, frozen=True):
    """Let the seat be played automatically, or take it back."""

    id: WHOLE
    on: bool


class SyncCommand(Struct, tag="sync", forbid_unknown_fields=True, frozen=True):
    """Send again the events after number `after`, or the whole table if they are not kept any more."""

    id: WHOLE
    after: WHOLE


class LeaveCommand(Struct, tag="leave", forbid_unknown_fields=True, frozen=True):
    """Stand up from the table on purpose."""

    id: WHOLE


class SayCommand(Struct, tag="say", forbid_unknown_fields=True, frozen=True):
    """Say a quick phrase, or show an emote."""

    id: WHOLE
    phrase: PHRASE


class ChatCommand(Struct, tag="chat", forbid_unknown_fields=True, frozen=True):
    """Say something in one's own words; at private tables only."""

    id: WHOLE
    text: WORDS


class MuteCommand(Struct, tag="mute", forbid_unknown_fields=True, frozen=True):
    """Hear the player of a seat no more while at this table, or again."""

    id: WHOLE
    seat: SEAT
    on: bool


class BlockCommand(Struct, tag="block", forbid_unknown_fields=True, frozen=True):
    """Never again hear the player of a seat, nor meet him by `quick`; or take that back."""

    id: WHOLE
    seat: SEAT
    on: bool


class ReportCommand(Struct, tag="report", forbid_unknown_fields=True, frozen=True):
    """Tell the host of the server what the player of a seat does."""

    id: WHOLE
    seat: SEAT
    reason: NAME
    words: WORDS | None = None


Command = (
    HelloCommand
    | SitCommand
    | QuickCommand
    | CancelCommand
    | OpenCommand
    | JoinCommand
    | FillCommand
    | WatchCommand
    | ActCommand
    | HintCommand
    | NextCommand
    | AutoCommand
    | SyncCommand
    | LeaveCommand
    | SayCommand
    | ChatCommand
    | MuteCommand
    | BlockCommand
    | ReportCommand
)
