"""A player's client: commands as methods, and the table as this player sees it, kept up to date by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from dizhu.protocol import (
    ActCommand,
    AdviceMessage,
    AutoCommand,
    BlockCommand,
    CancelCommand,
    ChatCommand,
    ClosedMessage,
    Command,
    DoneMessage,
    EventMessage,
    FillCommand,
    HintCommand,
    JoinCommand,
    LeaveCommand,
    MuteCommand,
    NextCommand,
    OpenCommand,
    PurseMessage,
    QueueMessage,
    QuickCommand,
    ReportCommand,
    SayCommand,
    Seat,
    ServerMessage,
    SitCommand,
    SyncCommand,
    TableMessage,
    WatchCommand,
    WelcomeMessage,
)
from dizhu.sdk import http
from dizhu.sdk.changes import Changes
from dizhu.sdk.errors import Ended, Lost, Refused
from dizhu.sdk.hands import Hand
from dizhu.sdk.link import Link
from dizhu.sdk.state import advance

_OWN_WISH = "left"
_TABLE_ENDS = (_OWN_WISH, "idle", "failed", "poor")


@asynccontextmanager
async def connect(
    address: str,
    *,
    token: str | None = None,
    name: str | None = None,
    password: str | None = None,
    patience: float = 120,
) -> AsyncGenerator[Client]:
    """Connect to a server, as `http://127.0.0.1:8000`: with a token, with name and password, or as a new guest.

    A guest's `client.token` is the only way back to his account. A connection that is lost is made anew by itself;
    patience: for how many seconds this is tried.
    Raises ParseError `bad_address`, Unreachable, Refused (`unknown_token`, `wrong_login`, …).
    """
    server = http.base(address)
    if name is not None and token is None:
        token = await http.log_in(server, name, password or "")
    client = Client(server, token, patience)
    try:
        await client.open()
        yield client
    finally:
        await client.close()


class Client:
    """A connection of one player; `connect` makes it.

    Commands return when the server has carried them out. They raise Refused, and then nothing has changed; Lost if the
    connection broke before the answer; Ended or Unreachable if there is no connection any more.

    welcome: who one is, and the games and bots of the server. table: the table at which one sits or looks on, as its
    seat sees it, else None. purse, queue: what was last told of beans and points, and of the search for a table.
    """

    def __init__(self, server: str, token: str | None, patience: float) -> None:
        self.welcome: WelcomeMessage | None = None
        self.table: TableMessage | None = None
        self.purse: PurseMessage | None = None
        self.queue: QueueMessage | None = None
        self._server = server
        self._changes = Changes()
        self._link = Link(server, token, self._receive, self._changes, patience)
        self._readers: set[asyncio.Queue[ServerMessage | None]] = set()
        self._syncing: asyncio.Task[None] | None = None
        self._clock_at = 0.0
        self._left_with: str | None = None

    async def open(self) -> None:
        """Connect; `connect` has done it."""
        await self._link.open()

    async def close(self) -> None:
        """End the connection. A seat at a table is kept for a while, as after any loss of the connection."""
        if self._syncing is not None:
            self._syncing.cancel()
        await self._link.close()
        for reader in self._readers:
            reader.put_nowait(None)

    # --- what is known ----------------------------------------------------------------------------------------------

    @property
    def token(self) -> str | None:
        """The token of the session, with which one can connect again."""
        return self._link.token

    @property
    def seat(self) -> Seat | None:
        """The own seat; None without a table, and for a spectator."""
        table = self.table
        return None if table is None or table.seat is None else table.seats[table.seat]

    @property
    def asked(self) -> bool:
        """Whether the own seat is asked something now."""
        table = self.table
        return table is not None and table.view is not None and table.seat in table.view.turn and table.view.legal != ()

    @property
    def seconds_left(self) -> float:
        """What is left of the time for the open question; 0 if there is none."""
        if self.table is None or self.table.clock is None:
            return 0.0
        return max(0.0, self.table.clock.left_ms / 1000 - (asyncio.get_running_loop().time() - self._clock_at))

    async def messages(self) -> AsyncGenerator[ServerMessage]:
        """Hear all that the server says from now on; `table` and the others have taken it in already.

        Also what is said at the table (`said`) comes here. Ends when the client is closed; raises what ended the
        connection otherwise.
        """
        reader: asyncio.Queue[ServerMessage | None] = asyncio.Queue()
        self._readers.add(reader)
        try:
            while (message := await reader.get()) is not None:
                yield message
        finally:
            self._readers.discard(reader)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition on what is known holds. Raises Ended or Unreachable if it never will."""
        await self._changes.until(lambda: condition() or self._raise_ended())

    # --- coming to a table ------------------------------------------------------------------------------------------

    async def sit(self, variant: str, bot: str = "rule") -> None:
        """Open a table for practice with bots of one kind. Also refused: unknown_variant, unknown_bot."""
        await self._to_table(lambda id: SitCommand(id, variant, bot))

    async def quick(self, room: str) -> None:
        """Look for a table in a room, and return when one is found; `cancel` ends the search.

        Also refused: unknown_room, too_poor; `not_waiting` if the search was cancelled.
        """
        await self._request(lambda id: QuickCommand(id, room))
        while not await self._found():
            # The connection was lost, and the place in the queue with it.
            with suppress(Lost):
                await self._request(lambda id: QuickCommand(id, room))

    async def cancel(self) -> None:
        """Look for a table no more."""
        await self._request(CancelCommand)
        self.queue = None
        self._changes.happened()

    async def open_private(self, variant: str, options: dict[str, bool | int | str] | None = None) -> str:
        """Open a private table; returns the code by which others join it.

        options: those of the game that are not to be the usual ones. Also refused: unknown_option, bad_option.
        """
        await self._to_table(lambda id: OpenCommand(id, variant, options or {}))
        assert self.table is not None
        return self.table.code or ""

    async def join(self, code: str) -> None:
        """Sit down at a private table. Also refused: unknown_table, table_full, hand_running."""
        await self._to_table(lambda id: JoinCommand(id, code))

    async def watch(self, table: str) -> None:
        """Look on at a table, named by its id or code. Also refused: unknown_table, may_not_watch."""
        await self._to_table(lambda id: WatchCommand(id, table))

    async def fill(self, bot: str = "rule") -> None:
        """Give the empty seats of one's own private table to bots."""
        await self._request(lambda id: FillCommand(id, bot))

    async def leave(self) -> None:
        """Stand up, or look on no more."""
        await self._request(LeaveCommand)
        await self.until(lambda: self.table is None)

    # --- playing ----------------------------------------------------------------------------------------------------

    async def hands(self, count: int | None = None) -> AsyncGenerator[Hand]:
        """Play hands, the one that is running first: asks for the next one after each, up to `count` of them.

        Raises Refused `not_seated` without a seat, and Ended if one loses it: `poor`, `idle`, `failed`.
        """
        played = 0
        while count is None or played < count:
            view = self.seated().view
            if view is None or view.phase == "over":
                await self._next_hand()
            hand = Hand(self)
            yield hand
            await hand.finish()
            played += 1

    async def act(self, action: str, seq: int | None = None) -> None:
        """Answer the open question. seq: the event up to which one knew the table (default: the newest).

        Also refused: stale, not_your_turn, and what the rules say.
        """
        number = self.seated().seq if seq is None else seq
        done = await self._request(lambda id: ActCommand(id, number, action))
        await self.reached(done)

    async def hint(self) -> tuple[str, ...]:
        """Ask what the best bot would answer to the open question: legal actions, the best first.

        Also refused: stale, not_your_turn.
        """
        number = self.seated().seq
        advice = await self._link.request(lambda id: HintCommand(id, number))
        assert isinstance(advice, AdviceMessage)
        return advice.actions

    async def next(self, entropy: bytes | None = None) -> None:
        """Be ready for the next hand. entropy: 1 to 32 bytes for its shuffle."""
        added = None if entropy is None else entropy.hex()
        number, times = self.seated().hand, self._link.times
        await self._request(lambda id: NextCommand(id, added))
        await self.until(lambda: self._ready_or_dealt(number) or self._link.times != times)

    async def auto(self, *, on: bool) -> None:
        """Let the server play for one's seat, or take it back."""
        await self.reached(await self._request(lambda id: AutoCommand(id, on)))

    # --- talking ----------------------------------------------------------------------------------------------------

    async def say(self, phrase: int) -> None:
        """Say a quick phrase, by its number. Also refused: too_much_talk."""
        await self._request(lambda id: SayCommand(id, phrase))

    async def chat(self, text: str) -> None:
        """Say something in one's own words, at a private table. Also refused: not_private, too_much_talk."""
        await self._request(lambda id: ChatCommand(id, text))

    async def mute(self, seat: int, *, on: bool = True) -> None:
        """Hear the player of a seat no more while at this table, or again."""
        await self._request(lambda id: MuteCommand(id, seat, on))

    async def block(self, seat: int, *, on: bool = True) -> None:
        """Never again hear the player of a seat, nor meet him by `quick`; or take that back."""
        await self._request(lambda id: BlockCommand(id, seat, on))

    async def report(self, seat: int, reason: str, words: str | None = None) -> None:
        """Tell the host of the server what the player of a seat does."""
        await self._request(lambda id: ReportCommand(id, seat, reason, words))

    # --- over HTTP --------------------------------------------------------------------------------------------------

    async def replay(self, share: str) -> dict[str, Any]:
        """Fetch the record of a finished hand; `table.settled.share` is its name. Raises Refused, Unreachable."""
        return await http.replay(self._server, share)

    async def api(self, method: str, path: str, **fields: object) -> dict[str, Any]:
        """Ask the HTTP API, as its description at `/api/openapi.json` says. Raises Refused, Unreachable."""
        return await http.call(self._server, method, path, fields, self.token)

    # --- for `hands.py` ---------------------------------------------------------------------------------------------

    def seated(self) -> TableMessage:
        """Give the table at which one sits; raises Refused `not_seated`, or Ended if the seat was lost."""
        table = self.table
        if table is not None and table.seat is not None:
            return table
        self._raise_ended()
        if table is None and self._left_with not in (None, _OWN_WISH):
            raise Ended.because(self._left_with)
        raise Refused.because("not_seated", {})

    @property
    def times(self) -> int:
        """How often the connection was made."""
        return self._link.times

    async def reached(self, done: DoneMessage) -> None:
        """Wait until the table is as it was when a command was answered; after a loss it comes as a whole."""
        times = self._link.times
        await self.until(lambda: self.table is None or self.table.seq >= done.seq or self._link.times != times)

    # --- inside -----------------------------------------------------------------------------------------------------

    async def _request(self, make: Callable[[int], Command]) -> DoneMessage:
        done = await self._link.request(make)
        assert isinstance(done, DoneMessage)
        return done

    async def _to_table(self, make: Callable[[int], Command]) -> None:
        await self._request(make)
        await self.until(lambda: self.table is not None)

    async def _found(self) -> bool:
        """Wait for a table that was looked for; False if the connection was lost meanwhile."""
        times = self._link.times
        await self.until(lambda: self.table or self.queue is None or self._link.times != times)
        if self.table is None and self._link.times == times:
            raise Refused.because("not_waiting", {})
        return self.table is not None

    async def _next_hand(self) -> None:
        number = self.seated().hand
        while self.seated().hand == number:
            times = self._link.times
            try:
                if not self._ready_or_dealt(number):
                    await self.next()
            except Lost:
                continue
            except Refused as error:
                if error.code != "stopping":
                    raise
                await self.until(lambda times=times: self._link.times != times)
            await self.until(lambda: self.seated().hand != number or not self._ready_or_dealt(number))

    def _ready_or_dealt(self, number: int) -> bool:
        seat = self.seat
        return seat is None or seat.ready or self.seated().hand != number

    def _raise_ended(self) -> None:
        if self._link.ended is not None:
            raise self._link.ended

    def _receive(self, message: ServerMessage) -> None:
        match message:
            case WelcomeMessage():
                self._welcomed(message)
            case TableMessage():
                self._see(message)
                self.queue = None
            case EventMessage():
                self._event(message)
            case QueueMessage():
                self.queue = message
            case PurseMessage():
                self.purse = message
            case ClosedMessage(code):
                if code in _TABLE_ENDS:
                    self.table, self._left_with = None, code
            case _:
                pass
        for reader in self._readers:
            reader.put_nowait(message)

    def _welcomed(self, message: WelcomeMessage) -> None:
        self.welcome = message
        self.queue = None
        if not message.seated:
            self._left_with = "idle" if self.table is not None else self._left_with
            self.table = None

    def _see(self, table: TableMessage | None) -> None:
        self.table = table
        self._clock_at = asyncio.get_running_loop().time()
        self._left_with = None

    def _event(self, message: EventMessage) -> None:
        if self.table is None:
            return
        after = advance(self.table, message)
        if after is None:
            self._sync()
        elif after is not self.table:
            self._see(after)

    def _sync(self) -> None:
        """Ask for the events that are missing, unless they have been asked for already."""
        if self._syncing is None or self._syncing.done():
            self._syncing = asyncio.create_task(self._catch_up(), name="dizhu sync")

    async def _catch_up(self) -> None:
        table = self.table
        if table is not None:
            try:
                await self._request(lambda id: SyncCommand(id, table.seq))
            except (Lost, Refused, Ended):
                # After a loss the table comes as a whole; where there is none any more, nothing is missing.
                return
