"""The two protocols below the application, HTTP and WebSockets, such that no peer is waited for without end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from dizhu.server.settings import Settings

MESSAGE_BYTES = 4096
"""The longest message a client may send."""

HEAD_BYTES = 16 * 1024
"""The longest head of a request: its first line and its headers."""

_MOST_PARTS = 64
"""Of one message. They may be empty, so the bound on its length is none on their number."""
_INVALID_TEXT, _TOO_BIG = 1007, 1009
_LAST_BYTES_SECONDS = 5.0
_KEEP_ALIVE_SECONDS = 5


class Config(uvicorn.Config):
    """How the server listens."""

    def __init__(self, app: ASGIApp, settings: Settings, lifespan: Literal["on", "off"] = "on") -> None:
        self.request_seconds = settings.request
        super().__init__(
            app,
            http=Http,
            ws=Socket,
            lifespan=lifespan,
            interface="asgi3",
            ws_max_size=MESSAGE_BYTES,
            ws_per_message_deflate=False,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=2,
            # Whoever is not named could say that he comes from anywhere.
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=sorted(settings.proxies),
        )


class _HeadTooLong(Exception):
    """Is caught by the parser, which then refuses the request."""


class Http(HttpToolsProtocol):
    """HTTP whose requests have to be whole in time, and whose heads have a bound."""

    _deadline: asyncio.TimerHandle | None = None
    _in_head = False
    _received = 0
    _read = 0
    """Bytes of the head: received while it was not whole, and those of its parts that are."""
    _open: Sequence[RequestResponseCycle] = ()
    """Requests that are not answered: a peer may ask again before he has the answer."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """A peer is there; he has to ask something."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """Something came."""
        if not self.cycle or self.cycle.response_complete:
            self._begin()
        super().data_received(data)
        if self._in_head:
            self._received += len(data)
            if self._received > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head, self._received, self._read = True, 0, 0
        self._begin()

    def on_url(self, url: bytes) -> None:
        """A part of the address came."""
        self._count(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header is whole."""
        self._count(name + value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._in_head = False
        super().on_headers_complete()
        # What asks for a WebSocket is none of them.
        asked = (*self._open, self.cycle) if self.cycle else self._open
        self._open = [cycle for cycle in asked if not cycle.response_complete]

    def on_message_complete(self) -> None:
        """The request is whole."""
        self._end()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a WebSocket."""
        self._end()
        super().handle_websocket_upgrade()
        # It knows this object and is known by it, so both would stay until somebody looks for such cycles.
        self.parser = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The peer is gone."""
        self._end()
        # The base would tell the newest one alone, and the one before would be answered on a closed connection.
        for cycle in self._open:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def _count(self, part: bytes) -> None:
        self._read += len(part)
        if self._read > HEAD_BYTES:
            raise _HeadTooLong

    def _begin(self) -> None:
        if self._deadline is None:
            seconds = cast("Config", self.config).request_seconds
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _end(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Socket(WebSocketsSansIOProtocol):
    """A WebSocket that takes nothing amiss, and really ends.

    Text that is not UTF-8 closes it without a traceback; a peer that does not read its last bytes is cut off. What is
    kept of a peer has a bound, whatever it sends.
    """

    def handle_cont(self, event: Frame) -> None:
        """A part of a message that has begun."""
        if len(self.frames) < _MOST_PARTS:
            super().handle_cont(event)
        else:
            self._refuse(_TOO_BIG)

    def handle_ping(self) -> None:
        """The peer wants an answer; while it does not read there is none, for the answers would heap up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def send_receive_event_to_app(self) -> None:
        """A message is whole."""
        if self.curr_msg_data_type == "text" and not _is_utf8(b"".join(self.frames)):
            self._refuse(_INVALID_TEXT)
        else:
            super().send_receive_event_to_app()

    def _refuse(self, code: int) -> None:
        """Close because of what the peer sent, unless it is closing already."""
        self.frames = []
        if self.conn.state is State.OPEN:
            self.conn.send_close(code)
            self.handle_parser_exception()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The application is done with this connection."""
        super().on_task_complete(task)
        if not self.disconnected:
            self._cut = self.loop.call_later(_LAST_BYTES_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        super().connection_lost(exc)
        if cut := getattr(self, "_cut", None):
            cut.cancel()


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
