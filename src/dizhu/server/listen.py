"""Listening: what `dizhu serve` does."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType

import uvicorn
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send

from dizhu.errors import DizhuError
from dizhu.server import garbage
from dizhu.server.app import create_app
from dizhu.server.lobby import Lobby
from dizhu.server.metrics import metrics_app
from dizhu.server.rooms import Room
from dizhu.server.settings import Settings
from dizhu.server.store.database import Database
from dizhu.server.store.owner import InUse
from dizhu.server.wire import Config

_log = logging.getLogger(__name__)

_BACKLOG = 2048


class Beside(uvicorn.Server):
    """A server that begins and ends with another one, and leaves signals to it."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave them."""
        yield


class Server(uvicorn.Server):
    """A server that tells its address once it listens, and says goodbye to its players before it goes.

    metrics: a listening socket on which it tells how it fares. failure: why it could not begin.
    """

    def __init__(self, app: Starlette, *, announce: bool = True, metrics: socket.socket | None = None) -> None:
        super().__init__(Config(self._carry, app.state.settings))
        self._app = app
        self.failure: DizhuError | None = None
        self._announce = announce
        self._metrics = metrics
        self._beside: tuple[Beside, asyncio.Task[None]] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self._metrics is not None:
            beside = Beside(Config(metrics_app(self._app), self._app.state.settings, lifespan="off"))
            self._beside = beside, asyncio.create_task(beside.serve([self._metrics]), name="metrics")
        for address in [_url(listener) for listener in (*(sockets or ()), self._metrics) if listener is not None]:
            _log.info("listening", extra={"address": address})
        if self._announce and self.started and sockets:
            # The one line that whoever starts a server waits for.
            sys.stdout.write(f"Dou Dizhu is served at {_url(sockets[0])} (Ctrl+C stops it)\n")
            sys.stdout.flush()

    async def _carry(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand all on to the application, but keep why it could not begin, and log what nobody thought of."""
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return

        async def without_sentence(message: Message) -> None:
            # It would be a traceback, with all that the error says.
            await send({"type": message["type"]})

        try:
            await self._app(scope, receive, without_sentence)
        except DizhuError as error:
            self.failure = error
        except Exception:  # noqa: BLE001 the sender has been told
            _log.exception("the application failed")

    @property
    def ousted(self) -> bool:
        """Whether another server has the database now, so that nothing can go on here."""
        database: Database | None = getattr(self._app.state, "database", None)
        return database is not None and database.writer.ousted

    async def on_tick(self, counter: int) -> bool:
        """Tell, ten times a second, whether it is time to stop."""
        garbage.look(counter)
        return await super().on_tick(counter) or self.ousted

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal asks to stop. It is not raised again at the end: who stops as he was asked to has done well."""
        super().handle_exit(sig, frame)
        self._captured_signals.clear()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        _log.info("stopping")
        lobby: Lobby | None = getattr(self._app.state, "lobby", None)
        if lobby is not None:
            await lobby.close()
        await super().shutdown(sockets)
        if self._beside is not None:
            beside, task = self._beside
            beside.should_exit = True
            await task
        _log.info("stopped")


def run(
    host: str = "127.0.0.1",
    port: int = 8000,
    settings: Settings | None = None,
    *,
    database: str | None = None,
    rooms: Mapping[str, Room] | None = None,
) -> int:
    """Serve until interrupted; returns the exit status. Raises DizhuError if it cannot begin, or not go on."""
    settings = settings or Settings()
    if settings.bundle is not None and not (settings.bundle / "index.html").is_file():
        raise DizhuError("no_bundle", f"the browser client is not built: there is no {settings.bundle / 'index.html'}")
    with ExitStack() as open_sockets, suppress(KeyboardInterrupt):
        listener = open_sockets.enter_context(listen(host, port))
        metrics = settings.metrics_port
        watched = None if metrics is None else open_sockets.enter_context(listen(host, metrics))
        server = Server(create_app(settings, database=database, rooms=rooms), metrics=watched)
        try:
            with garbage.by_the_clock():
                server.run(sockets=[listener])
        except SystemExit:
            # So it ends if the application could not begin.
            if server.failure is None:
                raise
        if server.failure is not None:
            raise server.failure
        if server.ousted:
            raise InUse
    return 0


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises DizhuError `port_in_use` or `cannot_listen`."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listener = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise DizhuError("port_in_use", f"port {port} of {host} is in use by another program") from None
        raise DizhuError("cannot_listen", f"cannot listen on {host} port {port}: {error.strerror}") from None
    except UnicodeError:
        raise DizhuError("cannot_listen", f"cannot listen on {host!r}: this is no name of a host") from None
    # Accepted sockets take this over. Without it an event that follows another waits for the peer's delayed
    # acknowledgement, some 40 ms: asyncio sets it only on sockets that name their protocol, and this one does not.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
