"""What each player at a table is told: numbered events, each with what it changed in the view of his seat."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields

from msgspec.structs import replace

from dizhu.game.view import Event, View
from dizhu.protocol import Clock, EventMessage, Seat, Settled, ViewChanges
from dizhu.protocol.messages import APPENDED

EVENTS_KEPT = 32
"""How many events a client may have missed before it gets the whole table: less than an outbox holds."""

_FIELDS = tuple(field.name for field in fields(View) if field.name not in APPENDED)


@dataclass(frozen=True, slots=True)
class News:
    """What changed beside the views; None where nothing did."""

    seats: tuple[Seat, ...] | None = None
    hand: int | None = None
    commitment: str | None = None
    seed: str | None = None
    next_commitment: str | None = None
    settled: Settled | None = None


def changes(before: View | None, after: View | None) -> ViewChanges:
    """Compare two views of one seat; before the first deal there is none."""
    if after is None:
        return ViewChanges()
    if before is None:
        return ViewChanges(**{name: getattr(after, name) for name in _FIELDS})
    return ViewChanges(**{name: value for name in _FIELDS if (value := getattr(after, name)) != getattr(before, name)})


class Feed:
    """The numbering of a table's events, and for each player's seat its last view and its last messages.

    Spectators share one feed, that of seat None.
    """

    def __init__(self) -> None:
        self.seq = 0
        self._views: dict[int | None, View | None] = {}
        self._sent: dict[int | None, deque[EventMessage]] = {}

    def show(self, seat: int | None, view: View | None) -> None:
        """Begin to follow the view of a seat: its player gets the whole table now."""
        self._views[seat] = view
        self._sent.setdefault(seat, deque(maxlen=EVENTS_KEPT))

    def drop(self, seat: int | None) -> None:
        """Follow a seat no more: no player sits there."""
        self._views.pop(seat, None)
        self._sent.pop(seat, None)

    def number(self, events: Sequence[Event]) -> int:
        """Give events the next numbers; returns the first."""
        first = self.seq + 1
        self.seq += len(events)
        return first

    def messages(
        self, seat: int | None, first: int, events: Sequence[Event], view: View | None, news: News, clock: Clock | None
    ) -> Iterator[EventMessage]:
        """Tell of events numbered from `first`; all that changed comes with the first, so nothing is half told."""
        nothing = ViewChanges()
        changed = changes(self._views.get(seat), view)
        self.show(seat, view)
        for index, event in enumerate(events):
            told = News() if index else news
            message = EventMessage(
                seq=first + index,
                event=event,
                changes=nothing if index else changed,
                seats=told.seats,
                clock=clock,
                hand=told.hand,
                commitment=told.commitment,
                seed=told.seed,
                next_commitment=told.next_commitment,
                settled=told.settled,
            )
            self._sent[seat].append(message)
            yield message

    def after(self, seat: int | None, seq: int, clock: Clock | None) -> Iterable[EventMessage] | None:
        """Tell a seat again what came after event `seq`, with the clock as it is now; None if that is not kept."""
        missing = [message for message in self._sent.get(seat, ()) if message.seq > seq]
        if seq > self.seq or len(missing) != self.seq - seq:
            return None
        return (replace(message, clock=clock) for message in missing)
