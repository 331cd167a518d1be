"""What a client may say to the server: one struct a message, told apart by `type`.

Every command carries an `id` chosen by the client, new for each command of a connection. It is answered once, by
`done` or `refused` (`hello` by `welcome`); a repeated id gets the first answer again and does nothing.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

WHOLE = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A whole number that JavaScript can hold exactly."""

NAME = Annotated[str, Meta(min_length=1, max_length=32)]
TOKEN = Annotated[str, Meta(min_length=1, max_length=128)]
ACTION = Annotated[str, Meta(min_length=1, max_length=128)]


class HelloCommand(Struct, tag="hello", forbid_unknown_fields=True, frozen=True):
    """The first message of a connection. `token` is for clients without cookies; null asks for a new guest."""

    id: WHOLE
    protocol: WHOLE
    token: TOKEN | None


class SitCommand(Struct, tag="sit", forbid_unknown_fields=True, frozen=True):
    """Open a table of a game, with bots of one kind on the other seats."""

    id: WHOLE
    variant: NAME
    bot: NAME


class ActCommand(Struct, tag="act", forbid_unknown_fields=True, frozen=True):
    """Answer the open question. `seq` is the number of the last event that the client has seen."""

    id: WHOLE
    seq: WHOLE
    action: ACTION


class NextCommand(Struct, tag="next", forbid_unknown_fields=True, frozen=True):
    """Ready for the next hand."""

    id: WHOLE


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


Command = HelloCommand | SitCommand | ActCommand | NextCommand | AutoCommand | SyncCommand | LeaveCommand
