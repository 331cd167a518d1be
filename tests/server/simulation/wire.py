"""WebSockets and requests in memory: the application is spoken to as a server speaks to it, by ASGI."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from starlette.applications import Starlette

HOST = "dizhu.example"
_INSTANT = 1e-6


class Network(Protocol):
    """How long a message is on its way, in virtual seconds."""

    def delay(self) -> float: ...


class Wire:
    """One WebSocket. Frames keep their order, but those of the client that are sent to overtake others.

    heard: is told of each frame that arrives. closed: of the end, with the code of the close frame.
    read_at: until when those frames arrive that a stalled client had left unread.
    """

    def __init__(
        self,
        app: Starlette,
        address: str,
        network: Network,
        heard: Callable[[str], None],
        closed: Callable[[int], None],
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._network = network
        self._heard = heard
        self._closed = closed
        self._inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._unread: list[str] = []
        self._readable = asyncio.Event()
        self._readable.set()
        self._newest_up = self._newest_down = 0.0
        self.read_at = 0.0
        self.in_flight = 0
        self.ended = False
        self._inbox.put_nowait({"type": "websocket.connect"})
        scope = _scope("websocket", "/ws", address, headers or {}) | {"subprotocols": []}
        self.task = asyncio.create_task(app(scope, self._inbox.get, self._send), name=f"socket of {address}")
        self.task.add_done_callback(lambda _: self._lost())

    # --- the client's end -------------------------------------------------------------------------------------------

    def send(self, data: str | bytes, *, overtaking: bool = False) -> None:
        """Send a frame; an overtaking one may arrive before those that were sent earlier."""
        message = {"type": "websocket.receive", "text" if isinstance(data, str) else "bytes": data}
        when = self._after_delay()
        if not overtaking:
            when = self._newest_up = max(when, self._newest_up + _INSTANT)
        self._at(when, self._arrive, message)

    def drop(self) -> None:
        """Be gone without a word; the server hears of it later."""
        self._newest_up = max(self._after_delay(), self._newest_up + _INSTANT)
        self._at(self._newest_up, self._arrive, {"type": "websocket.disconnect", "code": 1006})

    def stall(self) -> None:
        """Read no more."""
        self._readable.clear()

    @property
    def stalled(self) -> bool:
        """Whether the client does not read."""
        return not self._readable.is_set()

    def read_on(self) -> None:
        """Read what has come meanwhile, and go on reading."""
        unread, self._unread = self._unread, []
        for text in unread:
            self._downwards(self._heard, text)
        self.read_at = asyncio.get_running_loop().time() + 0.5
        self._readable.set()

    # --- the server's end -------------------------------------------------------------------------------------------

    def shut_down(self) -> None:
        """End it as a server does that stops."""
        self._arrive_now({"type": "websocket.disconnect", "code": 1012})

    async def _send(self, message: Any) -> None:
        match message["type"]:
            case "websocket.send":
                while self.stalled and len(self._unread) >= 8 and not self.ended:
                    await self._readable.wait()
                if self.ended:
                    raise OSError("the peer is gone")
                if self.stalled:
                    self._unread.append(message["text"])
                else:
                    self._downwards(self._heard, message["text"])
            case "websocket.close":
                self.ended = True
                self._downwards(self._closed, message["code"])
            case _:
                pass

    def _lost(self) -> None:
        """The application has returned, with or without a close frame."""
        if not self.ended:
            self.ended = True
            self._downwards(self._closed, 1006)

    def _downwards(self, arrive: Callable[[Any], None], what: str | int) -> None:
        self._newest_down = max(self._after_delay(), self._newest_down + _INSTANT)
        self._at(self._newest_down, arrive, what)

    def _arrive(self, message: dict[str, Any]) -> None:
        if not self.ended:
            self._arrive_now(message)

    def _arrive_now(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.disconnect":
            self.ended = True
            self._readable.set()
        self._inbox.put_nowait(message)

    # --- the way between --------------------------------------------------------------------------------------------

    def _after_delay(self) -> float:
        return asyncio.get_running_loop().time() + self._network.delay()

    def _at(self, when: float, arrive: Callable[[Any], None], what: Any) -> None:
        self.in_flight += 1

        def arrived() -> None:
            self.in_flight -= 1
            arrive(what)

        asyncio.get_running_loop().call_at(when, arrived)


async def ask(
    app: Starlette,
    method: str,
    path: str,
    body: object = None,
    *,
    token: str | None = None,
    address: str = "192.0.2.1",
) -> tuple[int, bytes]:
    """Make a request of the API; tells the status and the body of the answer."""
    headers = {"content-type": "application/json"}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    scope = _scope("http", path, address, headers) | {"method": method}
    asked = [{"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}]
    answer: list[Any] = []

    async def receive() -> Any:
        return asked.pop() if asked else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        answer.append(message)

    await app(scope, receive, send)
    return answer[0]["status"], b"".join(part.get("body", b"") for part in answer[1:])


def _scope(kind: str, path: str, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws" if kind == "websocket" else "http",
        "server": (HOST, 80),
        "client": (address, 1),
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in {"host": HOST, **headers}.items()],
    }
