"""One connection as the tables see it: a bounded outbox, which never makes anyone wait."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Protocol

from dizhu.errors import DizhuError
from dizhu.protocol import AdviceMessage, DoneMessage, RefusedMessage, ServerMessage, WelcomeMessage, encode
from dizhu.server.accounts import Account
from dizhu.server.limits import Bucket
from dizhu.server.settings import Settings

_ANSWERS_KEPT = 64

Answer = WelcomeMessage | DoneMessage | AdviceMessage | RefusedMessage


class Wire(Protocol):
    """The socket below a connection."""

    async def send_text(self, data: str) -> None:
        """Send a message; waits while the peer does not read."""
        ...


class Connection:
    """Messages go out in the order of `send`. Whoever reads too slowly, or has been replaced, is closed with a code.

    session: whose cookie came with it, for browsers. token: of its session. account: who it is, once `hello` has been
    answered. barred: why it was not found who it is. address: where it comes from. answer: the last one to a command.
    ended: the code with which the server closes it. parted: all that was to be said has been.
    """

    def __init__(self, settings: Settings, buckets: Sequence[Bucket] = (), address: str = "") -> None:
        self.session: Account | None = None
        self.token: str | None = None
        self.barred: DizhuError | None = None
        self.address = address
        self.account: Account | None = None
        self.answer: Answer | None = None
        self._buckets = buckets
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.parted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._settings = settings
        self._outbox: deque[str] = deque()
        self._bytes = 0
        self._filled = asyncio.Event()
        self._answers: OrderedDict[int, Answer] = OrderedDict()

    def may_speak(self, now: float) -> bool:
        """Count a message of the client; False if there are too many."""
        return all(bucket.take(now) for bucket in self._buckets)

    def send(self, message: ServerMessage) -> None:
        """Put a message into the outbox; if it overflows, the connection ends."""
        if isinstance(message, Answer):
            self.answer = message
        if self.ended.done():
            return
        text = encode(message).decode()
        self._outbox.append(text)
        self._bytes += len(text)
        self._filled.set()
        if len(self._outbox) > self._settings.outbox_messages or self._bytes > self._settings.outbox_bytes:
            self._outbox.clear()
            self.end("slow")

    def end(self, code: str) -> None:
        """Close the connection from this side, after what is in the outbox."""
        if not self.ended.done():
            self.ended.set_result(code)

    def add_last(self, message: ServerMessage) -> None:
        """Put one more message into the outbox of a connection that has ended."""
        self._outbox.append(encode(message).decode())

    async def write(self, wire: Wire) -> None:
        """Carry the outbox to the socket, for ever."""
        while True:
            await self._filled.wait()
            await self.flush(wire)
            self._filled.clear()

    async def flush(self, wire: Wire) -> None:
        """Send what is in the outbox now."""
        while self._outbox:
            text = self._outbox[0]
            await wire.send_text(text)
            # Taken out only now: a cancelled send has sent nothing. It may have been emptied meanwhile.
            if self._outbox:
                self._outbox.popleft()
                self._bytes -= len(text)

    def remember(self, answer: Answer) -> None:
        """Keep the answer to a command for the case that the command comes again."""
        if answer.id is not None:
            self._answers[answer.id] = answer
            if len(self._answers) > _ANSWERS_KEPT:
                self._answers.popitem(last=False)

    def remembered(self, id: int) -> Answer | None:
        """Find the answer that a command of this number has had."""
        return self._answers.get(id)
