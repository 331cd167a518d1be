"""Tables that anyone may look on at."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from dizhu.server.api.endpoint import Answer, Call, Endpoint, Request


class WhichTables(Request, frozen=True):
    """In which room, or in any; how many to list."""

    room: Annotated[str, Meta(max_length=40)] | None = None
    count: Annotated[int, Meta(ge=1, le=100)] = 50


class OpenTable(Struct, frozen=True):
    """A table of a room. `hand`: the number of the one that is being played; `watching`: how many look on."""

    table: str
    room: str
    variant: str
    names: tuple[str, ...]
    hand: int
    watching: int


class TableList(Answer, frozen=True):
    """Tables where people play, those with most spectators first."""

    tables: tuple[OpenTable, ...]


async def list_tables(call: Call[WhichTables]) -> TableList:
    """List tables to look on at: those of the rooms, where at least one person plays."""
    wanted = call.request.room
    found = [table for table in call.open_tables() if wanted is None or table.room == wanted]
    found.sort(key=lambda table: -table.watching)
    return TableList(tuple(found[: call.request.count]))


ENDPOINTS = (Endpoint("GET", "/api/tables", list_tables, WhichTables, TableList, who="anyone"),)
