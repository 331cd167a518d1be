"""Who is connected and who sits where: opens tables, and hands each command to the right one."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from dizhu import bots
from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.protocol import (
    PROTOCOL,
    BadMessage,
    Command,
    HelloCommand,
    SitCommand,
    VariantInfo,
    WelcomeMessage,
    decode_command,
)
from dizhu.server.accounts import Account, Accounts
from dizhu.server.actor import Actor, Do, Enter, Gone, Reply, not_seated, refusal
from dizhu.server.connection import Connection
from dizhu.server.limits import Addresses
from dizhu.server.places import Place, bot_name
from dizhu.server.players import new_bot
from dizhu.server.table import House, Table
from dizhu.variants import variant, variants


class Lobby:
    """All that a server holds beside its sockets.

    sockets: open sockets by address. connections: the one connection of each account.
    seats: the table at which an account sits.
    """

    def __init__(self, house: House, accounts: Accounts) -> None:
        self.house = house
        self.accounts = accounts
        self.sockets: Counter[str] = Counter()
        self.connections: dict[Account, Connection] = {}
        self.seats: dict[Account, Actor] = {}
        self.tables: set[Actor] = set()
        self.addresses = Addresses(house.settings.address_commands)
        self.callers = Addresses(house.settings.address_connects)
        self._variants = tuple(_info(variant(name)) for name in variants())

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
            except DizhuError as error:
                reply.refused(error)
            connection.remember(await reply.answer)

    def gone(self, connection: Connection) -> None:
        """A connection is closed; its player may be connected again already."""
        account = connection.account
        if account is None:
            return
        if self.connections.get(account) is connection:
            del self.connections[account]
        if account in self.seats:
            self.seats[account].put(Gone(account, connection))

    async def close(self) -> None:
        """End all tables and connections."""
        for connection in self.connections.values():
            connection.end("shutdown")
        await asyncio.gather(*(table.stop("shutdown") for table in self.tables))

    async def _dispatch(self, connection: Connection, command: Command, reply: Reply) -> None:
        account = connection.account
        if isinstance(command, HelloCommand):
            if account is not None:
                raise DizhuError("already_greeted", "this connection has said hello before")
            await self._greet(connection, command, reply)
        elif account is None:
            raise DizhuError("hello_first", "the first command has to be hello")
        elif isinstance(command, SitCommand):
            self._sit(account, connection, command, reply)
        elif account in self.seats:
            self.seats[account].put(Do(account, command, reply))
        else:
            raise not_seated()

    # --- sessions ---------------------------------------------------------------------------------------------------

    async def _greet(self, connection: Connection, command: HelloCommand, reply: Reply) -> None:
        if command.protocol != PROTOCOL:
            raise DizhuError("wrong_protocol", f"this server speaks protocol {PROTOCOL}", protocol=PROTOCOL)
        account, token = await self._account(connection, command.token)
        connection.account = account
        before = self.connections.get(account)
        if before is not None:
            before.end("replaced")
        self.connections[account] = connection
        seated = account in self.seats
        reply.give(
            WelcomeMessage(command.id, PROTOCOL, account.name, token, seated, self._variants, tuple(bots.names()))
        )
        if seated:
            self.seats[account].put(Enter(account, connection))

    async def _account(self, connection: Connection, token: str | None) -> tuple[Account, str | None]:
        """Find who it is, by a token or else by the cookie of the connection; a new guest is told his token."""
        if token is not None:
            account = await self.accounts.find(token)
            if account is None:
                raise DizhuError("unknown_token", "no session has this token")
            return account, None
        if connection.session is not None:
            return connection.session, None
        return await self.accounts.guest()

    # --- tables -----------------------------------------------------------------------------------------------------

    def _sit(self, account: Account, connection: Connection, command: SitCommand, reply: Reply) -> None:
        if account in self.seats:
            raise DizhuError("already_seated", "the player sits at a table")
        actor = self.open_table(variant(command.variant), command.bot, [account])
        actor.put(Enter(account, connection, reply))

    def open_table(self, game: Variant, bot: str, people: list[Account]) -> Actor:
        """Open a table with people on the first seats and bots of one kind on the others.

        Raises UnknownName `unknown_bot`, or DizhuError `server_full`.
        """
        fill = [new_bot(bot) for _ in range(game.seats - len(people))]
        if len(self.tables) >= self.house.settings.tables:
            raise DizhuError("server_full", "no more tables can be opened now")
        places = [Place(person.name, new_bot(self.house.settings.stand_in), person) for person in people]
        places += [Place(bot_name(seat), player) for seat, player in enumerate(fill, start=len(people))]
        actor = Actor(Table(secrets.token_hex(8), game, places, self.house, self._unseated))
        self.tables.add(actor)
        actor.when_done(lambda: self.tables.discard(actor))
        for person in people:
            self.seats[person] = actor
        return actor

    def _unseated(self, account: Account) -> None:
        self.seats.pop(account, None)


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
    )
