"""The messages between client and server: JSON text over one WebSocket."""

from __future__ import annotations

from dizhu.protocol.codec import BadMessage, decode_command, decode_message, encode
from dizhu.protocol.codes import CLOSED_CODES, REFUSAL_CODES
from dizhu.protocol.commands import (
    ActCommand,
    AutoCommand,
    Command,
    HelloCommand,
    LeaveCommand,
    NextCommand,
    SitCommand,
    SyncCommand,
)
from dizhu.protocol.messages import (
    Clock,
    ClosedMessage,
    DoneMessage,
    EventMessage,
    RefusedMessage,
    Seat,
    ServerMessage,
    TableMessage,
    VariantInfo,
    ViewChanges,
    WelcomeMessage,
)

PROTOCOL = 1
"""The version of the protocol; it changes only when a message does."""

__all__ = [
    "CLOSED_CODES",
    "PROTOCOL",
    "REFUSAL_CODES",
    "ActCommand",
    "AutoCommand",
    "BadMessage",
    "Clock",
    "ClosedMessage",
    "Command",
    "DoneMessage",
    "EventMessage",
    "HelloCommand",
    "LeaveCommand",
    "NextCommand",
    "RefusedMessage",
    "Seat",
    "ServerMessage",
    "SitCommand",
    "SyncCommand",
    "TableMessage",
    "VariantInfo",
    "ViewChanges",
    "WelcomeMessage",
    "decode_command",
    "decode_message",
    "encode",
]
