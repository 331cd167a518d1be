"""What always holds in a server that runs, and that a client knows what the server would tell it."""

from __future__ import annotations

from typing import Any

from dizhu.protocol import TableMessage, encode
from dizhu.server.accounts import Account
from dizhu.server.actor import Actor
from dizhu.server.lobby import Lobby
from dizhu.server.table import Table
from server.simulation.loop import VirtualClock
from server.simulation.visit import Visit, decode

_ROUNDING = 1.0
_ON_THE_WAY = 300.0
"""Milliseconds that a message takes at most."""


def check_tables(lobby: Lobby) -> None:
    """Nobody is at two tables, or at one and in a queue; no clock gives more than the limit and the grace."""
    everybody: list[Account] = []
    for actor in lobby.tables:
        table = actor.table
        here = [place.account for place in table.places if place.account is not None] + list(table.watchers)
        everybody += here
        if is_idle(actor):
            assert not table.open or all(lobby.tables.at(account) is actor for account in here)
            _check_clock(table)
    assert len(everybody) == len(set(everybody)), "somebody is at two tables"
    waiting = [account for account in everybody if lobby.seeking.waits(account)]
    assert not waiting, f"{waiting} sit at a table and wait for another"
    for account, connection in lobby.connections.items():
        assert connection.account == account


def is_idle(actor: Actor) -> bool:
    """Whether a table has nothing to do, as to save what was done."""
    clock = actor.table.house.clock
    assert isinstance(clock, VirtualClock)
    return clock.waits(actor._inbox) and actor._inbox.empty()


def _check_clock(table: Table) -> None:
    turns, settings, terms = table.turns, table.house.settings, table.terms
    for seat, asked in turns.asked.items():
        assert table.hand is not None
        assert seat in table.hand.game.turn, "a seat is asked that does not have to answer"
        assert asked.due <= turns.until + settings.grace, "a seat has more time than there is"
        assert turns.until <= table.now + max(terms.play, terms.question, terms.offer)
        assert table.places[seat].grace <= settings.grace


def check_rest(lobby: Lobby) -> None:
    """When nothing is on its way, everybody is at the table that the lobby names, by the connection that he has."""
    for actor in lobby.tables:
        table = actor.table
        if not is_idle(actor):
            continue
        for _, place in table.players():
            assert place.account is not None
            assert place.connection is lobby.connections.get(place.account), "a player is cut off from his table"
        for account, connection in table.watchers.items():
            assert connection is lobby.connections.get(account), "a spectator is cut off from his table"
    tables = [actor.table for actor in lobby.tables]
    if all(is_idle(actor) for actor in lobby.tables):
        seated = sum(len(list(table.players())) + len(table.watchers) for table in tables)
        assert lobby.tables.people == seated, "somebody is kept at a table that he is not at"


def check_client(lobby: Lobby, visit: Visit, now: float) -> None:
    """The table that a client has put together from frames is the one that the server would send it."""
    assert visit.welcome is not None
    account = next((known for known in lobby.connections if known.id == visit.welcome["account"]), None)
    if account is None or lobby.connections[account].ended.done():
        return
    actor = lobby.tables.at(account)
    if actor is None:
        assert visit.table is None, "a client shows a table that he has left"
        return
    if not actor.table.open or not is_idle(actor):
        return
    table = actor.table
    seat = table.seat_of(account)
    if visit.table is None or (seat is None and account not in table.watchers):
        return  # he is about to sit down
    expected = _whole(table, seat)
    told = dict(visit.table)
    if told["seq"] != expected["seq"]:
        return  # something was done a moment ago
    told["host"] = _host(told)
    clock, told_clock = expected.pop("clock"), told.pop("clock")
    differing = {name: (told[name], value) for name, value in expected.items() if told[name] != value}
    assert not differing, f"a client of seat {seat} knows something else: {differing}"
    assert visit.wire is not None
    assert (clock is None) == (told_clock is None), "a clock that one side does not know of"
    if clock is not None and visit.clock_at > visit.wire.read_at:
        _check_time(clock, told_clock, (now - visit.clock_at) * 1000)


def _host(table: dict[str, Any]) -> int | None:
    people = (seat for seat, shown in enumerate(table["seats"]) if shown["account"] is not None)
    return None if table["code"] is None else next(people, None)


def _check_time(clock: dict[str, Any], told: dict[str, Any], passed: float) -> None:
    assert clock["limit_ms"] == told["limit_ms"]
    latest = max(0.0, told["left_ms"] - passed)
    assert latest - _ON_THE_WAY - _ROUNDING <= clock["left_ms"] <= latest + _ROUNDING, (
        f"{clock} is not {told} {passed} ms later"
    )


def _whole(table: Table, seat: int | None) -> dict[str, Any]:
    hand = table.hand
    message = TableMessage(
        seq=table.teller.seq,
        table=table.id,
        code=table.code,
        setting=table.terms.setting(),
        seat=seat,
        host=table.host,
        hand=0 if hand is None else hand.number,
        view=table.view(seat),
        seats=tuple(place.shown() for place in table.places),
        clock=table.turns.clock(table.now),
        commitment=None if hand is None else hand.commitment,
        seed=None if hand is None else hand.shown_seed,
        next_commitment=table.next_commitment,
        settled=table.settled,
    )
    return decode(encode(message))
