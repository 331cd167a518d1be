"""What a player may ask of his table. Each command is answered once, before the events that come of it are told."""

from __future__ import annotations

from collections.abc import Callable

from dizhu.errors import IllegalAction
from dizhu.game.engine import LEAVE
from dizhu.game.view import Event
from dizhu.protocol import ActCommand, AutoCommand, LeaveCommand, NextCommand, SyncCommand
from dizhu.server.table import Table

Done = Callable[[int], None]
"""Acknowledge the command; the number of the newest event goes with it."""


TableCommand = ActCommand | NextCommand | AutoCommand | SyncCommand | LeaveCommand


async def execute(command: TableCommand, table: Table, seat: int, done: Done) -> None:
    """Carry out a command of the player on a seat. Raises DizhuError if it is refused, and then nothing has changed."""
    match command:
        case ActCommand():
            await _act(table, seat, done, command)
        case NextCommand():
            await _next(table, seat, done)
        case AutoCommand():
            _auto(table, seat, done, on=command.on)
        case SyncCommand():
            done(table.feed.seq)
            table.send_since(seat, command.after)
        case LeaveCommand():
            await _leave(table, seat, done)


async def _act(table: Table, seat: int, done: Done, command: ActCommand) -> None:
    if command.action == LEAVE:
        raise IllegalAction("not_allowed", "leaving is a command of its own")
    asked = table.turns.asked.get(seat)
    if asked is not None and not asked.seq <= command.seq <= table.feed.seq:
        raise IllegalAction("stale", "the command answers another question", asked=asked.seq)
    events = await table.carry_out(seat, command.action)
    table.places[seat].answered()
    done(table.feed.seq + len(events))
    table.tell_outcome(events)


async def _next(table: Table, seat: int, done: Done) -> None:
    if table.hand.game.phase != "over":
        raise IllegalAction("not_over", "the hand is still being played")
    table.places[seat].ready = True
    done(table.feed.seq)
    await table.go_on()


def _auto(table: Table, seat: int, done: Done, *, on: bool) -> None:
    place = table.places[seat]
    place.answered()
    if place.auto != on:
        place.auto = on
        table.reconsider(seat)
    done(table.feed.seq + table.seats_changed())
    table.tell_seats()


async def _leave(table: Table, seat: int, done: Done) -> None:
    events: tuple[Event, ...] = ()
    if table.view(seat).may_leave:
        events = await table.carry_out(seat, LEAVE)
    done(table.feed.seq + len(events))
    if events:
        table.tell_outcome(events)
    table.unseat(seat, "left")
    if any(table.players()):
        table.reconsider(seat)
        table.tell_seats()
        await table.go_on()
    else:
        table.close("left")
