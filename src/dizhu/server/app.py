"""The Starlette application."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from dizhu.errors import DizhuError
from dizhu.game.deal import shuffled
from dizhu.server import api
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.books import Books
from dizhu.server.clock import Clock
from dizhu.server.hand import Dealer
from dizhu.server.health import Health, healthz
from dizhu.server.house import House
from dizhu.server.limits import Limits
from dizhu.server.lobby import Lobby
from dizhu.server.rooms import Room, read_rooms
from dizhu.server.settings import Settings
from dizhu.server.socket import play
from dizhu.server.store.database import default_url, opened
from dizhu.server.store.failures import reason
from dizhu.server.store.log import Log
from dizhu.server.store.social import Social
from dizhu.server.store.writer import StoreFailed
from dizhu.server.web import Bundle, Guarded


def create_app(
    settings: Settings | None = None,
    *,
    database: str | None = None,
    rooms: Mapping[str, Room] | None = None,
    clock: Clock | None = None,
    dealer: Dealer = shuffled,
) -> Starlette:
    """Make a server: the browser client at `/`, the game at `/ws`, the API, `/healthz` for whoever watches over it.

    database: the URL of its database; by default a file in the user's data folder.
    """
    settings = settings or Settings()
    address = database or default_url()
    declared = read_rooms() if rooms is None else rooms

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with opened(address, alone=True) as store:
            watch = clock or Clock()
            accounts = DatabaseAccounts(store, clock=watch)
            house = House(settings, watch, Log(store), Books(store, watch), Social(store), dealer)
            limits = Limits(settings, watch)
            lobby = Lobby(house, accounts, limits, declared)
            app.state.lobby, app.state.health = lobby, Health(store, watch)
            app.state.accounts, app.state.database, app.state.limits = accounts, store, limits
            app.state.rooms, app.state.clock, app.state.open_tables = declared, watch, lobby.tables.public
            try:
                await lobby.start()
            except (StoreFailed, DBAPIError) as error:
                failed = error.__cause__ if isinstance(error, StoreFailed) else error
                message = f"the tables cannot be taken up: {reason(failed or error)}"
                raise DizhuError("database_failed", message) from None
            try:
                yield
            finally:
                await lobby.close()

    routes: list[BaseRoute] = [Route("/healthz", healthz), WebSocketRoute("/ws", play)]
    routes += api.routes(api.ENDPOINTS, settings.origins)
    if settings.bundle is not None:
        routes.append(Mount("/", Bundle(directory=settings.bundle, html=True, check_dir=False)))
    middleware = [Middleware(Guarded), Middleware(GZipMiddleware, minimum_size=500)]
    app = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    app.state.settings = settings
    return app
