"""The description of the socket in the form of AsyncAPI 3, made from the structs. It speaks as the server does."""

from __future__ import annotations

import inspect
from typing import Any, get_args

import msgspec

import dizhu
from dizhu.protocol import (
    PROTOCOL,
    AdviceMessage,
    Command,
    DoneMessage,
    HelloCommand,
    HintCommand,
    RefusedMessage,
    ServerMessage,
    WelcomeMessage,
)

Json = dict[str, Any]

COMMANDS: tuple[type[msgspec.Struct], ...] = get_args(Command)
MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(ServerMessage)

_CHANNEL = {"$ref": "#/channels/game"}
_ANSWERS: dict[type[msgspec.Struct], type[msgspec.Struct]] = {
    HelloCommand: WelcomeMessage,
    HintCommand: AdviceMessage,
}
"""How a command is answered that is not refused; the others by `done`."""

_UNASKED = [struct for struct in MESSAGES if struct not in {*_ANSWERS.values(), DoneMessage, RefusedMessage}]

_ABOUT = """JSON text over one WebSocket; the first command is `hello`. Every command carries an `id`, new for each
command of a connection. It is answered once, and a repeated id gets the first answer again. What happens at a table
comes as events numbered by `seq`; whoever misses one asks for it by `sync`."""


def document() -> Json:
    """Describe the socket; the result is written as JSON."""
    structs = (*COMMANDS, *MESSAGES)
    _, schemas = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": f"dizhu, protocol {PROTOCOL}",
            "version": dizhu.__version__,
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "game": {
                "address": "/ws",
                "messages": {struct.__name__: _ref("components/messages", struct) for struct in structs},
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{tag(struct): _taken(struct) for struct in COMMANDS},
            "tell": {
                "action": "send",
                "channel": _CHANNEL,
                "summary": "What the server says by itself.",
                "messages": [_in_channel(struct) for struct in _UNASKED],
            },
        },
        "components": {"messages": {struct.__name__: _message(struct) for struct in structs}, "schemas": schemas},
    }


def tag(struct: type[msgspec.Struct]) -> str:
    """Give the `type` by which a message is known."""
    return str(struct.__struct_config__.tag)


def _taken(command: type[msgspec.Struct]) -> Json:
    """Describe that a command is taken, and how it is answered."""
    answers = (_ANSWERS.get(command, DoneMessage), RefusedMessage)
    return {
        "action": "receive",
        "channel": _CHANNEL,
        "summary": _summary(command),
        "messages": [_in_channel(command)],
        "reply": {"channel": _CHANNEL, "messages": [_in_channel(answer) for answer in answers]},
    }


def _message(struct: type[msgspec.Struct]) -> Json:
    return {
        "name": tag(struct),
        "title": struct.__name__,
        "summary": _summary(struct),
        "description": inspect.cleandoc(struct.__doc__ or ""),
        "payload": _ref("components/schemas", struct),
    }


def _summary(struct: type[msgspec.Struct]) -> str:
    return inspect.cleandoc(struct.__doc__ or "").partition("\n")[0]


def _ref(place: str, struct: type[msgspec.Struct]) -> Json:
    return {"$ref": f"#/{place}/{struct.__name__}"}


def _in_channel(struct: type[msgspec.Struct]) -> Json:
    return _ref("channels/game/messages", struct)
