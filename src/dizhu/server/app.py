"""The Starlette application."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from dizhu.game.deal import shuffled
from dizhu.server.accounts import MemoryAccounts
from dizhu.server.clock import Clock
from dizhu.server.hand import Dealer
from dizhu.server.lobby import Lobby
from dizhu.server.settings import Settings
from dizhu.server.socket import play
from dizhu.server.store import EventStore, MemoryStore
from dizhu.server.table import House
from dizhu.server.web import Bundle, Guarded


def create_app(
    settings: Settings | None = None,
    *,
    clock: Clock | None = None,
    store: EventStore | None = None,
    dealer: Dealer = shuffled,
) -> Starlette:
    """Make a server: the browser client at `/`, the game at `/ws`, `/healthz` for whoever watches over it."""
    settings = settings or Settings()
    house = House(settings, clock or Clock(), store or MemoryStore(), dealer)
    lobby = Lobby(house, MemoryAccounts())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        yield
        await lobby.close()

    routes: list[BaseRoute] = [Route("/healthz", _healthy), WebSocketRoute("/ws", play)]
    if settings.bundle is not None:
        routes.append(Mount("/", Bundle(directory=settings.bundle, html=True, check_dir=False)))
    middleware = [Middleware(Guarded), Middleware(GZipMiddleware, minimum_size=500)]
    app = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    app.state.lobby = lobby
    return app


async def _healthy(_: Request) -> PlainTextResponse:
    return PlainTextResponse("ok\n", headers={"cache-control": "no-store"})
