"""The description of the socket, for programs."""

from __future__ import annotations

from typing import Any

import msgspec

from dizhu.protocol.asyncapi import document
from dizhu.server.api.endpoint import Answer, Call, Endpoint, Nothing


class SocketDescription(Answer, frozen=True, rename={"default_content_type": "defaultContentType"}):
    """A document of AsyncAPI 3."""

    asyncapi: str
    info: dict[str, Any]
    default_content_type: str
    channels: dict[str, Any]
    operations: dict[str, Any]
    components: dict[str, Any]


_described = msgspec.convert(document(), SocketDescription)


async def describe_socket(_: Call[Nothing]) -> SocketDescription:
    """Describe the socket at `/ws` in the form of AsyncAPI 3."""
    return _described


ENDPOINTS = (Endpoint("GET", "/api/asyncapi.json", describe_socket, Nothing, SocketDescription, who="anyone"),)
