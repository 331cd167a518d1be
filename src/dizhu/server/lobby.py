"""Who is connected and who sits where: greets, and hands each command to the right one."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from dizhu import bots
from dizhu.errors import DizhuError
from dizhu.game.options import Option
from dizhu.game.variant import Variant
from dizhu.protocol import (
    PROTOCOL,
    BadMessage,
    CancelCommand,
    Command,
    HelloCommand,
    JoinCommand,
    OpenCommand,
    OptionInfo,
    QuickCommand,
    SitCommand,
    VariantInfo,
    WatchCommand,
    WelcomeMessage,
    decode_command,
)
from dizhu.server.accounts import Account, DatabaseAccounts
from dizhu.server.actor import Do, Enter, Gone, Join, Reply, refusal
from dizhu.server.books import message
from dizhu.server.commands import not_seated
from dizhu.server.connection import Connection
from dizhu.server.house import House
from dizhu.server.limits import Addresses, Limits
from dizhu.server.players import offered
from dizhu.server.rooms import Room
from dizhu.server.seeking import Seeking
from dizhu.server.store.writer import StoreFailed
from dizhu.server.tables import Tables
from dizhu.server.terms import free_terms
from dizhu.variants import variant, variants

MOST_LISTED = 20
"""Values of an option that are told one by one."""

_log = logging.getLogger(__name__)


class Lobby:
    """All that a server holds beside its sockets.

    sockets: open sockets by address. connections: the one connection of each account.
    """

    def __init__(self, house: House, accounts: DatabaseAccounts, limits: Limits, rooms: Mapping[str, Room]) -> None:
        self.house = house
        self._limits = limits
        self._watching: asyncio.Task[None] | None = None
        self.accounts = accounts
        self.sockets: Counter[str] = Counter()
        self.connections: dict[Account, Connection] = {}
        self.tables = Tables(house, rooms)
        self.seeking = Seeking(house, rooms, self.tables)
        self.addresses = Addresses(house.settings.address_commands)
        self.callers = Addresses(house.settings.address_connects)
        self._variants = tuple(_info(variant(name)) for name in variants())

    async def start(self) -> None:
        """Take up the tables that were not closed, and begin to bring people together."""
        await self.tables.restore()
        self.seeking.start()
        self._watching = asyncio.create_task(self._watch(), name="watch")

    async def close(self) -> None:
        """Begin no new hand, stop all tables where they are, and end all connections once they have been told."""
        self.house.stopping = True
        if self._watching is not None:
            self._watching.cancel()
        await self.seeking.stop()
        await self.tables.stop()
        connections = tuple(self.connections.values())
        for connection in connections:
            connection.end("shutdown")
        if connections:
            await asyncio.wait([one.parted for one in connections], timeout=self.house.settings.closing)

    # --- connections ------------------------------------------------------------------------------------------------

    @contextmanager
    def counted(self, address: str) -> Generator[None]:
        """Count a socket of an address while it is open."""
        self.sockets[address] += 1
        try:
            yield
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

    async def handle(self, connection: Connection, text: str) -> None:
        """Answer one message of a client."""
        try:
            command = decode_command(text)
        except BadMessage as error:
            wrong = error if connection.may_speak(self.house.clock.now()) else too_fast()
            connection.send(refusal(error.id, wrong))
            return
        if not connection.may_speak(self.house.clock.now()):
            # It is not remembered: the client may send the same command again later.
            connection.send(refusal(command.id, too_fast()))
        elif (answer := connection.remembered(command.id)) is not None:
            connection.send(answer)
        else:
            reply = Reply(command.id, connection)
            try:
                await self._dispatch(connection, command, reply)
            except Exception as error:  # noqa: BLE001 whatever it is, a command gets an answer
                reply.refused(self.refused(error))
            connection.remember(await reply.answer)

    def refused(self, error: Exception) -> DizhuError:
        """Tell with which error a client is refused; a fault of the server is logged, and no more is said of it."""
        if isinstance(error, DizhuError):
            return error
        _log.error("a command failed", exc_info=error)
        return DizhuError("internal", "a fault of the server")

    def gone(self, connection: Connection) -> None:
        """A connection is closed; its player may be connected again already."""
        account = connection.account
        if account is None:
            return
        if self.connections.get(account) is connection:
            del self.connections[account]
            self.seeking.cancel(account)
        if (actor := self.tables.at(account)) is not None:
            actor.put(Gone(account, connection))

    async def _dispatch(self, connection: Connection, command: Command, reply: Reply) -> None:
        account = connection.account
        match command:
            case HelloCommand():
                if account is not None:
                    raise DizhuError("already_greeted", "this connection has said hello before")
                await self._greet(connection, command, reply)
            case _ if account is None:
                raise DizhuError("hello_first", "the first command has to be hello")
            case CancelCommand():
                self.seeking.cancel(account, must=True)
                reply.done(0)
            case SitCommand() | QuickCommand() | OpenCommand() | JoinCommand() | WatchCommand():
                await self._place(account, connection, command, reply)
            case _:
                actor = self.tables.at(account)
                if actor is None:
                    raise not_seated()
                actor.put(Do(account, command, reply))

    async def _place(
        self,
        account: Account,
        connection: Connection,
        command: SitCommand | QuickCommand | OpenCommand | JoinCommand | WatchCommand,
        reply: Reply,
    ) -> None:
        """Find somebody a table."""
        deaf = await self.house.social.blocked(account.id)
        if connection.ended.done():
            # A newer connection of his has been told that he sits nowhere.
            return
        # Nothing is waited for from here on, so nobody is placed twice.
        self._free(account)
        settings = self.house.settings
        if isinstance(command, SitCommand | OpenCommand):
            self._limits.opened(account.id, connection.address)
        match command:
            case SitCommand(_, name, bot):
                actor = self.tables.open_free(free_terms(variant(name), settings), account, bot)
                actor.put(Enter(account, connection, reply))
            case OpenCommand(_, name, options):
                game = variant(name).with_options(options)
                actor = self.tables.open_free(free_terms(game, settings), account, None)
                actor.put(Enter(account, connection, reply))
            case JoinCommand(_, code):
                actor = self.tables.with_code(code)
                self.tables.place(account, actor)
                actor.put(Join(account, connection, reply, watch=False, deaf=deaf))
            case WatchCommand(_, table):
                actor = self.tables.named(table)
                self.tables.place(account, actor)
                actor.put(Join(account, connection, reply, watch=True))
            case QuickCommand(_, room):
                await self.seeking.seek(account, connection, room)
                reply.done(0)

    def _free(self, account: Account) -> None:
        if self.house.stopping:
            raise DizhuError("stopping", "no new hand begins")
        if self.tables.at(account) is not None:
            raise DizhuError("already_seated", "the player sits at a table")
        if self.seeking.waits(account):
            raise DizhuError("already_waiting", "the player is looking for a table")

    # --- sessions ---------------------------------------------------------------------------------------------------

    async def _greet(self, connection: Connection, command: HelloCommand, reply: Reply) -> None:
        if command.protocol != PROTOCOL:
            raise DizhuError("wrong_protocol", f"this server speaks protocol {PROTOCOL}", protocol=PROTOCOL)
        account, token = await self._account(connection, command.token)
        deaf = await self.house.social.blocked(account.id)
        owned = await self.house.books.purse(account)
        if connection.ended.done():
            return
        connection.account = account
        before = self.connections.get(account)
        if before is not None:
            before.end("replaced")
            self.seeking.cancel(account)
        self.connections[account] = connection
        actor = self.tables.at(account)
        reply.give(
            WelcomeMessage(
                id=command.id,
                protocol=PROTOCOL,
                account=account.id,
                name=account.name,
                token=token,
                seated=actor is not None,
                variants=self._variants,
                bots=tuple(bots.names()),
            )
        )
        if actor is None:
            connection.send(message(owned))
        else:
            actor.put(Enter(account, connection, deaf=deaf))

    async def guest(self, address: str) -> tuple[Account, str]:
        """Make a guest, and a session for him. Raises DizhuError `too_many_guests` or StoreFailed."""
        self._limits.guest(address)
        return await self.accounts.guest()

    async def _account(self, connection: Connection, token: str | None) -> tuple[Account, str | None]:
        """Find who it is, by a token or else by the cookie of the connection; a new guest is told his token."""
        if token is not None:
            account = await self.accounts.find(token)
            if account is None:
                raise DizhuError("unknown_token", "no session has this token")
            connection.token = token
            return account, None
        if connection.session is not None:
            return connection.session, None
        if connection.barred is not None:
            # Who has a session is not to be made a guest because it could not be looked up.
            raise connection.barred
        account, connection.token = await self.guest(connection.address)
        return account, connection.token

    async def _watch(self) -> None:
        """Close the connections whose sessions have ended meanwhile, and the tables that the host has closed."""
        never: asyncio.Queue[None] = asyncio.Queue()
        while True:
            await self.house.clock.receive(never, self.house.clock.now() + self.house.settings.sessions)
            connections = {found.token: found for found in self.connections.values() if found.token is not None}
            try:
                await self.tables.close_those_closed()
                for token, code in (await self.accounts.ended(tuple(connections))).items():
                    connections[token].end(code)
            except StoreFailed:
                pass
            except Exception:  # noqa: BLE001 it is looked again
                _log.exception("it was not found out which sessions have ended")


def too_fast() -> DizhuError:
    """Make the error of a client that sends too much."""
    return DizhuError("too_fast", "too many commands in a short time")


def _info(game: Variant) -> VariantInfo:
    return VariantInfo(
        name=game.name,
        seats=game.seats,
        decks=game.deck.decks,
        ranks=game.deck.ranks,
        cards_each=game.deal,
        bottom=game.bottom,
        options=tuple(map(_option, game.options)),
        bots=offered(game),
    )


def _option(option: Option) -> OptionInfo:
    """Tell of an option."""
    name, usual, values = option.name, option.default, option.values
    if isinstance(values, range) and len(values) > MOST_LISTED:
        return OptionInfo(name, (usual,), values[0], values[-1])
    return OptionInfo(name, (usual, *(value for value in values if value != usual)), None, None)
