"""What the people at a table are told: each player his seat's view, spectators what is public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dizhu.game.view import Event
from dizhu.protocol import PurseMessage, SaidMessage, Seat, ServerMessage, TableMessage
from dizhu.server.connection import Connection
from dizhu.server.feed import Feed, News

if TYPE_CHECKING:
    from dizhu.server.table import Table


class Teller:
    """Numbers the events of a table and sends them; `seq` is the number of the newest."""

    def __init__(self, table: Table) -> None:
        self.feed = Feed()
        self._table = table
        self._shown: tuple[Seat, ...] = ()

    @property
    def seq(self) -> int:
        """The number of the newest event."""
        return self.feed.seq

    def _listeners(self) -> Iterator[tuple[int | None, Sequence[Connection]]]:
        """List whose views are followed, and who is there to be told."""
        for seat, place in self._table.players():
            yield seat, () if place.connection is None else (place.connection,)
        if self._table.watchers:
            yield None, tuple(self._table.watchers.values())

    def whole(self, seat: int | None, connection: Connection | None) -> None:
        """Give somebody the whole table, and follow his view from here."""
        table = self._table
        view = table.view(seat)
        self.feed.show(seat, view)
        if connection is None:
            return
        hand = table.hand
        connection.send(
            TableMessage(
                seq=self.feed.seq,
                table=table.id,
                code=table.code,
                setting=table.terms.setting(),
                seat=seat,
                host=table.host,
                hand=0 if hand is None else hand.number,
                view=view,
                seats=self._seats(),
                clock=table.turns.clock(table.now),
                commitment=None if hand is None else hand.commitment,
                seed=None if hand is None else hand.shown_seed,
                next_commitment=table.next_commitment,
                settled=table.settled,
            )
        )

    def whole_to_all(self) -> None:
        """Give everybody the whole table anew: it is not what they were told."""
        for seat, connections in self._listeners():
            self.whole(seat, None)
            for connection in connections:
                self.whole(seat, connection)
        self._shown = self._seats()

    def since(self, seat: int | None, connection: Connection | None, seq: int) -> None:
        """Give somebody again what came after an event, or the whole table if that is not kept any more."""
        missing = self.feed.after(seat, seq, self._table.turns.clock(self._table.now))
        if missing is None:
            self.whole(seat, connection)
        elif connection is not None:
            for message in missing:
                connection.send(message)

    def seats(self, besides: int | None = None) -> None:
        """Tell of a change of the seats, if there is one and somebody to tell it to."""
        if self.seats_changed() and any(seat is None or seat != besides for seat, _ in self._listeners()):
            events = (Event("seats"),)
            self.send(self.feed.number(events), events, News(), besides)
        self._shown = self._seats()

    def seats_changed(self) -> bool:
        """Tell whether the seats are not as they were last told."""
        return self._seats() != self._shown

    def said(self, speaker: int, phrase: int | None, text: str | None) -> None:
        """Pass on what a player says, but not to those who do not want to hear him."""
        account = self._table.places[speaker].account
        message = SaidMessage(speaker, phrase, text)
        for _, place in self._table.players():
            if place.connection is not None and (account is None or account.id not in place.deaf):
                place.connection.send(message)
        for connection in self._table.watchers.values():
            connection.send(message)

    def purse(self, seat: int, purse: PurseMessage) -> None:
        """Tell a player what he owns."""
        self._to(seat, purse)

    def _to(self, seat: int, message: ServerMessage) -> None:
        connection = self._table.places[seat].connection
        if connection is not None:
            connection.send(message)

    def _seats(self) -> tuple[Seat, ...]:
        return tuple(place.shown() for place in self._table.places)

    def send(self, first: int, events: Sequence[Event], news: News, besides: int | None = None) -> None:
        """Tell everybody of numbered events, with all that they changed."""
        if self.seats_changed():
            self._shown = self._seats()
            news = replace(news, seats=self._shown)
        clock = self._table.turns.clock(self._table.now)
        for seat, connections in self._listeners():
            for message in self.feed.messages(seat, first, events, self._table.view(seat), news, clock):
                for connection in connections:
                    if seat is None or seat != besides:
                        connection.send(message)
