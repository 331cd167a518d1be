"""From text to commands and from messages to text."""

from __future__ import annotations

from typing import get_args

import msgspec

from dizhu.errors import DizhuError
from dizhu.protocol.commands import WHOLE, Command
from dizhu.protocol.messages import ServerMessage


class BadMessage(DizhuError):
    """The text is no command. `id` is that of the message if one could be read."""

    def __init__(self, id: int | None) -> None:
        super().__init__("bad_message", "not a command of this protocol")
        self.id = id


class _Numbered(msgspec.Struct):
    id: WHOLE


class _Typed(msgspec.Struct):
    type: str


_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)

_commands = msgspec.json.Decoder[Command](Command)
_numbered = msgspec.json.Decoder(_Numbered)
_typed = msgspec.json.Decoder(_Typed)
_messages = msgspec.json.Decoder[ServerMessage](ServerMessage)
_encoder = msgspec.json.Encoder()

COMMAND_TYPES = frozenset(str(struct.__struct_config__.tag) for struct in get_args(Command))


def decode_command(text: str | bytes) -> Command:
    """Read a command.

    Raises: BadMessage, whatever the text is.
    """
    try:
        return _commands.decode(text)
    except _UNREADABLE:
        raise BadMessage(_id_of(text)) from None


def command_type(text: str | bytes) -> str:
    """Tell which command a text is or means to be; `none` if it is none at all."""
    try:
        found = _typed.decode(text).type
    except _UNREADABLE:
        return "none"
    return found if found in COMMAND_TYPES else "none"


def decode_message(text: str | bytes) -> ServerMessage:
    """Read a message of the server, for clients in Python.

    Raises: msgspec.MsgspecError.
    """
    return _messages.decode(text)


def encode(message: ServerMessage | Command) -> bytes:
    """Write a message as JSON text in UTF-8."""
    return _encoder.encode(message)


def _id_of(text: str | bytes) -> int | None:
    try:
        return _numbered.decode(text).id
    except _UNREADABLE:
        return None
