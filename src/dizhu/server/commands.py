"""What a player may ask of his table. Each command is answered once, before the events that come of it are told."""

from __future__ import annotations

from collections.abc import Callable

from dizhu.errors import DizhuError, IllegalAction
from dizhu.game.engine import LEAVE
from dizhu.protocol import (
    ActCommand,
    AutoCommand,
    BlockCommand,
    ChatCommand,
    FillCommand,
    HintCommand,
    LeaveCommand,
    MuteCommand,
    NextCommand,
    ReportCommand,
    SayCommand,
    SyncCommand,
)
from dizhu.server.accounts import Account
from dizhu.server.players import check_bot
from dizhu.server.seating import fill, leave, stand_up
from dizhu.server.table import Table
from dizhu.server.talk import talk
from dizhu.server.turns import Asked

Done = Callable[[int], None]
"""Acknowledge the command; the number of the newest event goes with it."""


TableCommand = (
    ActCommand
    | NextCommand
    | AutoCommand
    | SyncCommand
    | LeaveCommand
    | FillCommand
    | SayCommand
    | ChatCommand
    | MuteCommand
    | BlockCommand
    | ReportCommand
)


async def execute(command: TableCommand, table: Table, seat: int, done: Done) -> None:
    """Carry out a command of the player on a seat. Raises DizhuError if it is refused, and then nothing has changed."""
    match command:
        case ActCommand():
            await _act(table, seat, done, command)
        case NextCommand():
            await _next(table, seat, done, command)
        case AutoCommand():
            _auto(table, seat, done, on=command.on)
        case SyncCommand():
            done(table.teller.seq)
            table.teller.since(seat, table.places[seat].connection, command.after)
        case LeaveCommand():
            await _leave(table, seat, done)
        case FillCommand():
            await _fill(table, seat, done, command)
        case SayCommand() | ChatCommand() | MuteCommand() | BlockCommand() | ReportCommand():
            await talk(command, table, seat, done)


def execute_watching(command: TableCommand | HintCommand, table: Table, account: Account, done: Done) -> None:
    """Carry out a command of a spectator."""
    match command:
        case SyncCommand():
            done(table.teller.seq)
            table.teller.since(None, table.watchers[account], command.after)
        case LeaveCommand():
            done(table.teller.seq)
            table.stop_watching(account, "left")
        case _:
            raise not_seated()


async def _act(table: Table, seat: int, done: Done, command: ActCommand) -> None:
    if command.action == LEAVE:
        raise IllegalAction("not_allowed", "leaving is a command of its own")
    if table.hand is None:
        raise IllegalAction("not_your_turn", "the first hand has not begun")
    asked_of(table, seat, command.seq)
    events = await table.carry_out(seat, command.action)
    table.answered(seat)
    done(table.teller.seq + len(events))
    table.tell_outcome(events)


def asked_of(table: Table, seat: int, seq: int) -> Asked | None:
    """Find the question that is put to a seat whose player has seen event `seq`; raises IllegalAction `stale`."""
    asked = table.turns.asked.get(seat)
    if asked is not None and not asked.seq <= seq <= table.teller.seq:
        raise IllegalAction("stale", "the command answers another question", asked=asked.seq)
    return asked


async def _next(table: Table, seat: int, done: Done, command: NextCommand) -> None:
    if table.running or (table.hand is not None and table.hand.game.phase != "over"):
        raise IllegalAction("not_over", "the hand is still being played")
    if table.house.stopping:
        raise DizhuError("stopping", "no new hand begins")
    place = table.places[seat]
    place.ready = True
    place.entropy = None if command.entropy is None else bytes.fromhex(command.entropy)
    done(table.teller.seq)
    table.teller.seats()
    await table.go_on()


async def _fill(table: Table, seat: int, done: Done, command: FillCommand) -> None:
    if table.code is None:
        raise DizhuError("not_private", "only private tables have empty seats")
    if seat != table.host:
        raise DizhuError("not_host", "the seats are the host's to fill", host=table.host)
    check_bot(command.bot, table.terms.variant)
    await fill(table, command.bot)
    done(table.teller.seq + table.teller.seats_changed())
    table.teller.seats()
    await table.go_on()


def _auto(table: Table, seat: int, done: Done, *, on: bool) -> None:
    place = table.places[seat]
    place.answered()
    if place.auto != on:
        place.auto = on
        table.reconsider(seat)
    done(table.teller.seq + table.teller.seats_changed())
    table.teller.seats()


async def _leave(table: Table, seat: int, done: Done) -> None:
    events = await leave(table, seat)
    done(table.teller.seq + len(events))
    if events:
        table.tell_outcome(events)
    stand_up(table, seat, "left")
    table.teller.seats()
    if any(table.players()):
        await table.go_on()
    elif not (table.running and table.terms.room):
        # Where hands count, the one that is being played is played to its end.
        await table.close("left")


def not_seated() -> IllegalAction:
    """Make the error of somebody who sits at no table."""
    return IllegalAction("not_seated", "the player does not sit at a table")
