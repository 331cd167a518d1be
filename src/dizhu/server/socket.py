"""The WebSocket: who may open it, and the two tasks that carry messages."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from dizhu.protocol import CLOSED_CODES, BadMessage, ClosedMessage
from dizhu.server import metrics, visitors
from dizhu.server.actor import refusal
from dizhu.server.connection import Connection
from dizhu.server.limits import Bucket
from dizhu.server.lobby import Lobby
from dizhu.server.settings import Settings

_log = logging.getLogger(__name__)

_POLICY_VIOLATION = 1008


async def play(websocket: WebSocket) -> None:
    """Serve one connection from its opening to its end."""
    lobby: Lobby = websocket.app.state.lobby
    address = visitors.address(websocket)
    refused = _refused(websocket, lobby, address)
    if refused is not None:
        metrics.turned_away(refused)
        await websocket.close(_POLICY_VIOLATION)
        return
    with lobby.counted(address):
        await _serve(websocket, lobby, address)


def _refused(websocket: WebSocket, lobby: Lobby, address: str) -> str | None:
    """Tell why a socket is not opened, None if it is."""
    settings, now = lobby.house.settings, lobby.house.clock.now()
    if not visitors.allowed(websocket, settings.origins):
        return "origin"
    if lobby.sockets[address] >= settings.address_connections:
        return "too_many"
    return None if lobby.callers.bucket(address, now).take(now) else "too_fast"


async def _serve(websocket: WebSocket, lobby: Lobby, address: str) -> None:
    settings = lobby.house.settings
    now = lobby.house.clock.now()
    buckets = (Bucket(settings.commands, now), lobby.addresses.bucket(address, now))
    connection = Connection(settings, buckets, address)
    headers = await _begin_session(websocket, lobby, connection)
    await websocket.accept(headers=headers)
    tasks = {
        asyncio.create_task(_read(websocket, connection, lobby), name="read"),
        asyncio.create_task(_write(websocket, connection), name="write"),
    }
    try:
        await asyncio.wait({*tasks, connection.ended}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        lobby.gone(connection)
        for task in tasks:
            task.cancel()
        for failed in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(failed, Exception):
                _log.error("a connection failed", exc_info=failed)
    await _say_goodbye(websocket, connection, settings)
    connection.parted.set_result(None)


async def _read(websocket: WebSocket, connection: Connection, lobby: Lobby) -> None:
    """Answer what comes, one message after another."""
    left = lobby.house.settings.hello
    inbox = _Inbox(websocket)
    while True:
        # What the server takes to answer is not the client's time.
        begun = time.monotonic()
        try:
            async with asyncio.timeout(left if connection.account is None else None):
                text = await inbox.receive()
        except TimeoutError:
            return
        if text is None:
            return
        left -= time.monotonic() - begun
        with metrics.commanded(text, connection):
            if not text:
                connection.send(refusal(None, BadMessage(None)))
            elif connection.account is None:
                await inbox.while_there(lobby.handle(connection, text))
            else:
                await lobby.handle(connection, text)


class _Inbox:
    """What a peer sends, and whether it is still there."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._next: asyncio.Task[str | None] | None = None

    async def receive(self) -> str | None:
        """Wait for a message: its text, empty if it is not text, None when the peer is gone."""
        if self._next is None:
            return await _receive(self._websocket)
        following, self._next = self._next, None
        return await following

    async def while_there(self, work: Coroutine[None, None, None]) -> None:
        """Work for a peer until it goes: whoever waited too long and comes anew must not be served twice.

        Raises CancelledError if it has gone.
        """
        working = asyncio.ensure_future(work)
        following = self._next = asyncio.ensure_future(_receive(self._websocket))
        try:
            await asyncio.wait({working, following}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done() and following.result() is not None:
                await asyncio.wait({working})
        except asyncio.CancelledError:
            following.cancel()
            raise
        finally:
            working.cancel()
        await working


async def _receive(websocket: WebSocket) -> str | None:
    message = await websocket.receive()
    return None if message["type"] == "websocket.disconnect" else message.get("text") or ""


async def _write(websocket: WebSocket, connection: Connection) -> None:
    # What is sent to a peer that answers no ping, or broke the protocol, but is not cut off yet, is a RuntimeError.
    with suppress(WebSocketDisconnect, RuntimeError):
        await connection.write(websocket)


async def _say_goodbye(websocket: WebSocket, connection: Connection, settings: Settings) -> None:
    """Send what is left and say why the connection ends; a peer that does not read is not waited for long."""
    with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        async with asyncio.timeout(settings.closing):
            if connection.ended.done():
                code = connection.ended.result()
                back = round(settings.back * 1000) if code == "shutdown" else None
                connection.add_last(ClosedMessage(code, back))
                await connection.flush(websocket)
            await websocket.close()


async def _begin_session(websocket: WebSocket, lobby: Lobby, connection: Connection) -> list[tuple[bytes, bytes]]:
    """Find the session of a browser by its cookie, or give it one by a header. Programs have tokens instead."""
    if "origin" not in websocket.headers:
        return []
    connection.token = websocket.cookies.get(visitors.COOKIE, "")
    try:
        connection.session = await lobby.accounts.find(connection.token)
        if connection.session is not None:
            return []
        connection.session, connection.token = await lobby.guest(connection.address)
    except Exception as error:  # noqa: BLE001 `hello` is refused with it; whoever is suspended is told so at once
        connection.barred = lobby.refused(error)
        if connection.barred.code in CLOSED_CODES:
            connection.end(connection.barred.code)
        return []
    return [(b"set-cookie", visitors.cookie(websocket, connection.token).encode())]
