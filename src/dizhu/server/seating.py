"""Who sits down at a table, and who gives up his seat. It is safe in the log before anyone is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dizhu.errors import DizhuError
from dizhu.game.engine import LEAVE
from dizhu.game.view import Event
from dizhu.protocol import ClosedMessage
from dizhu.server.accounts import Account
from dizhu.server.places import bot, person
from dizhu.server.store.log import Sitting

if TYPE_CHECKING:
    from dizhu.server.table import Table


async def sit_down(table: Table, account: Account) -> int:
    """Give somebody the first seat that is free, or else one of a bot. Raises DizhuError."""
    if table.running:
        raise DizhuError("hand_running", "a hand is being played")
    free = [seat for seat, place in enumerate(table.places) if place.empty]
    free += [seat for seat, place in enumerate(table.places) if place.bot is not None]
    if not free:
        raise DizhuError("table_full", "all seats are taken")
    await table.reseat({free[0]: person(account)})
    return free[0]


async def fill(table: Table, kind: str) -> None:
    """Give the empty seats to bots."""
    await table.reseat({seat: bot(seat, kind) for seat, place in enumerate(table.places) if place.empty})


async def leave(table: Table, seat: int) -> tuple[Event, ...]:
    """A player gives up his seat, and the hand if that has a price: safe on return, but nobody is told yet.

    `stand_up` has to follow. Raises DizhuError, and then nothing has changed.
    """
    if table.running and table.seat_view(seat).may_leave:
        return await table.carry_out(seat, LEAVE)
    await table.journal.write(table.seats_with({seat: successor(table, seat)}))
    return ()


async def unseat(table: Table, seat: int, code: str) -> None:
    """Take a player's seat away from him. Raises StoreFailed, and then nothing has changed."""
    await table.journal.write(table.seats_with({seat: successor(table, seat)}))
    stand_up(table, seat, code)


def successor(table: Table, seat: int) -> Sitting | None:
    """Who gets a player's seat: a bot, or nobody between the hands of a private table."""
    if table.code is not None and not table.running:
        return None
    return bot(seat, table.house.settings.stand_in, table.places[seat].score)


def stand_up(table: Table, seat: int, code: str) -> None:
    """A player has left his seat, and that is safe."""
    place = table.places[seat]
    account, connection = place.account, place.connection
    assert account is not None
    place.become(successor(table, seat), table.house.settings)
    table.teller.feed.drop(seat)
    table.turn_away(account)
    if connection is not None:
        connection.send(ClosedMessage(code))
    table.note_absence()
    table.reconsider(seat)
