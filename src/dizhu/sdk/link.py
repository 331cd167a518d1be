"""The connection: numbers commands, finds their answers, and comes back after a loss. It knows no table."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from dizhu.protocol import (
    PROTOCOL,
    AdviceMessage,
    ClosedMessage,
    Command,
    DoneMessage,
    HelloCommand,
    RefusedMessage,
    ServerMessage,
    WelcomeMessage,
    decode_message,
    encode,
)
from dizhu.sdk.changes import Changes
from dizhu.sdk.errors import Ended, Lost, Refused, Unreachable

_GREETING_SECONDS = 60.0
"""When thousands come back at once, everybody waits for his turn."""
_FIRST_DELAY = 0.5
_LONGEST_DELAY = 10.0
_BREATHS = 20
_BREATH_SECONDS = 0.5
_MOST_BYTES = 1024 * 1024
_FINAL = ("replaced", "suspended", "logged_out")
_OWN_END = "closed"
_PASSING = ("too_fast", "store_failed", "stopping")
_jitter = secrets.SystemRandom()

Done = DoneMessage | AdviceMessage
"""The answer to a command that was carried out."""


class Link:
    """One connection at a time, made anew as long as the server can be reached within `patience` seconds.

    times: how often a connection was made. ended: why there will be none any more.
    """

    def __init__(
        self,
        server: str,
        token: str | None,
        receive: Callable[[ServerMessage], None],
        changes: Changes,
        patience: float,
    ) -> None:
        self._url = server.replace("http", "ws", 1) + "/ws"
        self.token = token
        self.times = 0
        self.ended: Ended | Unreachable | Refused | None = None
        self._receive = receive
        self._changes = changes
        self._patience = patience
        self._ids = count(1)
        self._socket: ClientConnection | None = None
        self._waiting: dict[int, asyncio.Future[Done]] = {}
        self._back: float | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect for the first time. Raises Unreachable, or Refused (`unknown_token`, `wrong_protocol`, …)."""
        await self._connect()
        self._task = asyncio.create_task(self._run(), name="dizhu link")

    async def close(self) -> None:
        """End the connection."""
        self._end(Ended.because(_OWN_END))
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._socket is not None:
            await self._socket.close()
        self._lose()

    async def request(self, make: Callable[[int], Command]) -> Done:
        """Send the command that `make` gives for a number, and wait for the answer.

        Without a connection it waits for one; if the server finds it too fast it waits a little, several times.
        Raises Refused, Lost, Ended, Unreachable.
        """
        for _ in range(_BREATHS):
            try:
                return await self._request(make)
            except Refused as error:
                if error.code != "too_fast":
                    raise
            await asyncio.sleep(_BREATH_SECONDS)
        return await self._request(make)

    async def _request(self, make: Callable[[int], Command]) -> Done:
        await self._changes.until(lambda: self._socket is not None or self.ended)
        socket = self._socket
        if socket is None or self.ended is not None:
            assert self.ended is not None
            raise self.ended
        id = next(self._ids)
        answer: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        try:
            await socket.send(encode(make(id)).decode())
        except ConnectionClosed:
            raise Lost from None
        else:
            return await answer
        finally:
            self._waiting.pop(id, None)

    # --- the task ---------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while self.ended is None:
            assert self._socket is not None
            try:
                async for text in self._socket:
                    self._take(decode_message(text))
            except ConnectionClosed:
                pass
            except msgspec.MsgspecError as error:
                await self._socket.close()
                self._end(Unreachable("no_dizhu", f"the server says what this client does not understand: {error}"))
            self._lose()
            if self.ended is None:
                await self._come_back()

    async def _come_back(self) -> None:
        """Try to connect until it works, more and more seldom."""
        loop = asyncio.get_running_loop()
        until, delay = loop.time() + self._patience, _FIRST_DELAY
        wait = self._back
        while self.ended is None:
            # By chance, so that not all clients come at the same moment.
            await asyncio.sleep((delay if wait is None else wait) * _jitter.uniform(0.5, 1))
            wait, delay = None, min(2 * delay, _LONGEST_DELAY)
            try:
                await self._connect()
            except Unreachable as error:
                if loop.time() >= until:
                    self._end(error)
            except Refused as error:
                if error.code not in _PASSING:
                    self._end(error)
            else:
                return

    async def _connect(self) -> None:
        """Open a socket and greet the server."""
        try:
            async with asyncio.timeout(_GREETING_SECONDS):
                socket = await open_socket(self._url, compression=None, max_size=_MOST_BYTES)
                try:
                    await socket.send(encode(HelloCommand(0, PROTOCOL, self.token)).decode())
                    welcome = decode_message(await socket.recv())
                except BaseException:
                    await socket.close()
                    raise
        except (OSError, InvalidHandshake, ConnectionClosed) as error:
            # A timeout is an OSError, and says nothing.
            raise Unreachable("unreachable", f"{self._url} cannot be reached: {error or 'no answer'}") from None
        except (msgspec.MsgspecError, UnicodeError):
            raise Unreachable("no_dizhu", f"what answers at {self._url} is no server of this game") from None
        if isinstance(welcome, RefusedMessage):
            await socket.close()
            raise Refused.because(welcome.code, welcome.detail)
        if not isinstance(welcome, WelcomeMessage):
            await socket.close()
            raise Unreachable("unreachable", f"{self._url} ends the connection at once")
        self.token = welcome.token or self.token
        self.times += 1
        self._socket, self._back = socket, None
        self._receive(welcome)
        self._changes.happened()

    def _take(self, message: ServerMessage) -> None:
        if isinstance(message, ClosedMessage):
            if message.code in _FINAL:
                self._end(Ended.because(message.code))
            elif message.back_ms is not None:
                self._back = message.back_ms / 1000
        self._receive(message)
        if isinstance(message, Done | RefusedMessage) and message.id is not None:
            self._answer(message.id, message)
        self._changes.happened()

    def _answer(self, id: int, message: Done | RefusedMessage) -> None:
        answer = self._waiting.get(id)
        if answer is None or answer.done():
            return
        if isinstance(message, Done):
            answer.set_result(message)
        else:
            answer.set_exception(Refused.because(message.code, message.detail))

    def _lose(self) -> None:
        """The connection is gone: what was not answered will not be."""
        self._socket = None
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self.ended or Lost())
        self._changes.happened()

    def _end(self, reason: Ended | Unreachable | Refused) -> None:
        self.ended = self.ended or reason
        self._changes.happened()
