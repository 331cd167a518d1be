"""The HTTP API of a real server, asked by schemathesis for all that its own description says of it.

`make api-check` runs it. The server has a database of its own, in which a hand has been played; its description is
handed on with an example for what nobody could guess, and whoever comes with the sign `ANYBODY` comes as an account
that may do what he asks for, a new one where it could be lost by it. Every operation has to be done at least once.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from re import Pattern
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dizhu import sdk
from dizhu.server import Settings, create_app
from dizhu.server.accounts import DatabaseAccounts
from dizhu.server.accounts.passwords import Passwords
from dizhu.server.api import ENDPOINTS, document
from dizhu.server.economy import grants
from dizhu.server.listen import Server, listen
from dizhu.server.rooms import read_rooms
from dizhu.server.settings import Rate
from dizhu.server.store.database import Database
from dizhu.server.store.social import Social

ANYBODY = "anybody"
"""The token of a session that is never the same."""

NAME, PASSWORD = "Ivan", "correct horse"
_ROOM = "classic-points"
_POLL = 0.02
_NO_LIMIT = Rate(1e9, 1e9)
_SETTINGS = Settings(
    bot_pause=(0, 0),
    redeal=0,
    reads=_NO_LIMIT,
    writes=_NO_LIMIT,
    passwords=_NO_LIMIT,
    guests=_NO_LIMIT,
    failed_logins=_NO_LIMIT,
    address_failed_logins=_NO_LIMIT,
    bundle=None,
)
_BODIES: Mapping[str, Mapping[str, str]] = {
    "/api/account/login": {"name": NAME, "password": PASSWORD},
    "/api/account/claim": {"name": "Zoe", "password": PASSWORD},
    "/api/account/rename": {"name": "Olga"},
    "/api/account/password": {"old": PASSWORD, "new": "battery staple"},
}
"""Of what is asked in a body, what would hardly be found by trying."""

_EXAMPLES = 10
"""How many requests of each kind are made up for an operation."""

_ARGUMENTS = (
    "--seed=1",
    "--generation-database=none",
    f"--max-examples={_EXAMPLES}",
    "--continue-on-failure",
    "--request-timeout=20",
    "--no-color",
)

_CONFIG = Path(__file__).with_name("schemathesis.toml")

Operation = tuple[str, str]
"""A method and a path with its parameters' names."""


def _patterns() -> dict[Operation, Pattern[str]]:
    return {(endpoint.method, endpoint.path): compile_path(endpoint.path)[0] for endpoint in ENDPOINTS}


@dataclass
class Desk:
    """Gives out accounts for what is asked, and counts how it was answered.

    played: the token of who has played a hand. answered: the statuses of each operation.
    """

    app: Starlette
    played: str = ""
    answered: dict[Operation, Counter[int]] = field(default_factory=dict[Operation, Counter[int]])
    _patterns: dict[Operation, Pattern[str]] = field(default_factory=_patterns)
    _made: int = 0

    def operation(self, method: str, path: str) -> Operation | None:
        """Find what is asked for."""
        fitting = (one for one, pattern in self._patterns.items() if one[0] == method and pattern.match(path))
        return next(fitting, None)

    async def token(self, operation: Operation) -> str:
        """Begin a session of an account that may do an operation, or find one where nothing is changed."""
        method, path = operation
        if method == "GET":
            return self.played
        accounts: DatabaseAccounts = self.app.state.accounts
        account, token = await accounts.guest()
        if path in ("/api/account/rename", "/api/account/password"):
            self._made += 1
            _, token = await accounts.claim(account.id, f"Anna {self._made}", PASSWORD)
        elif path == "/api/grant":
            at: int = self.app.state.clock.wall()
            database: Database = self.app.state.database
            await grants.welcome(database, account.id, at)

            async def take_all(connection: AsyncConnection) -> int:
                return await grants.give(connection, account.id, -grants.BEGIN_WITH, at, f"check:{account.id}")

            await database.writer.run(take_all)
        return token


class AtTheDesk:
    """What every request of the check passes on its way to the server."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self._app = app
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let somebody take the place of anybody, and note the answer."""
        operation = self._desk.operation(scope["method"], scope["path"]) if scope["type"] == "http" else None
        if operation is None:
            await self._app(scope, receive, send)
            return
        headers = MutableHeaders(scope=scope)
        if headers.get("authorization") == f"Bearer {ANYBODY}":
            headers["authorization"] = f"Bearer {await self._desk.token(operation)}"

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._desk.answered.setdefault(operation, Counter())[message["status"]] += 1
            await send(message)

        await self._app(scope, receive, noted)


def described(share: str, account: int) -> dict[str, Any]:
    """Describe the API, with examples of what there is in the database."""
    told: dict[str, Any] = json.loads(msgspec.json.encode(document(ENDPOINTS)))
    known = {"share": share, "account": account}
    for path, methods in told["paths"].items():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path":
                    parameter["example"] = known[parameter["name"]]
            if path in _BODIES:
                operation["requestBody"]["content"]["application/json"]["example"] = _BODIES[path]
    return told


@asynccontextmanager
async def serving(database: str) -> AsyncGenerator[tuple[str, Desk]]:
    """Start a server on a free port; yields its address, and the desk before it."""
    rooms = read_rooms()
    at_once = replace(rooms[_ROOM], fill=0.0, bot="rule")
    app = create_app(_SETTINGS, database=database, rooms={**rooms, _ROOM: at_once})
    desk = Desk(app)
    app.add_middleware(AtTheDesk, desk=desk)
    with listen("127.0.0.1", 0) as listener:
        server = Server(app, announce=False)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            if task.done():
                sys.exit(f"api-check: the server did not start: {server.failure}")
            await asyncio.sleep(_POLL)
        # Hashes that cost as much as those of a host would make up most of the check.
        passwords = Passwords(rounds=1, memory_kib=8)
        app.state.accounts = DatabaseAccounts(app.state.database, passwords=passwords, clock=app.state.clock)
        host, port = listener.getsockname()
        try:
            yield f"http://{host}:{port}", desk
        finally:
            server.should_exit = True
            await task


async def play(client: sdk.Client) -> str:
    """Play a hand in a room to its end, and stay at the table; returns the name of its replay."""
    await client.quick(_ROOM)
    async for hand in client.hands(1):
        async for turn in hand:
            await turn.act(turn.view.legal[-1])
        assert hand.settled is not None
        return hand.settled.share
    raise AssertionError("no hand was played")


async def prepare(client: sdk.Client, desk: Desk) -> dict[str, Any]:
    """Do what there has to be something to ask about; returns the description of the API with examples of it."""
    share = await play(client)
    assert client.welcome is not None
    assert client.token is not None
    desk.played = client.token
    accounts: DatabaseAccounts = desk.app.state.accounts
    guest, _ = await accounts.guest()
    await accounts.claim(guest.id, NAME, PASSWORD)
    social = Social(desk.app.state.database)
    await social.block(client.welcome.account, guest.id, desk.app.state.clock.wall(), on=True)
    return described(share, client.welcome.account)


async def ask(schemathesis: Path, folder: Path) -> int:
    """Let schemathesis ask a server that keeps its database in a folder; returns the exit status."""
    async with serving(f"sqlite:///{folder}/dizhu.sqlite3") as (address, desk), sdk.connect(address) as client:
        description = json.dumps(await prepare(client, desk))
        await asyncio.to_thread((folder / "openapi.json").write_text, description, encoding="utf-8")
        words = [f"--config-file={_CONFIG}", "run", "openapi.json", f"--url={address}", *_ARGUMENTS]
        running = await asyncio.create_subprocess_exec(schemathesis, *words, cwd=folder)
        status = await running.wait()
    return told(desk.answered) or min(status, 1)


def told(answered: Mapping[Operation, Counter[int]]) -> int:
    """Tell how many operations were done, and which were not; returns 1 if there are any."""
    missing = [
        f"{endpoint.method} {endpoint.path}: {dict(statuses)}"
        for endpoint in ENDPOINTS
        if 200 not in (statuses := answered.get((endpoint.method, endpoint.path), Counter()))
    ]
    requests = sum(statuses.total() for statuses in answered.values())
    print(f"api-check: {len(ENDPOINTS) - len(missing)} of {len(ENDPOINTS)} operations done, {requests} requests")
    for line in missing:
        print(f"api-check: never done: {line}", file=sys.stderr)
    return int(bool(missing))


def main() -> int:
    """Check the API with the program that is named."""
    if len(sys.argv) != 2:
        sys.exit("usage: api_check.py PATH-OF-SCHEMATHESIS")
    with tempfile.TemporaryDirectory(prefix="dizhu-api-") as folder:
        return asyncio.run(ask(Path(sys.argv[1]).absolute(), Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
