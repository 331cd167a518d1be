"""People who play through sockets, and remember all that the server has told them, over all its lives."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.harness import Client

Hand = tuple[str, int]
"""A hand: its table and its number there."""


@dataclass
class Facts:
    """What was told to anybody.

    events: by table and number. done: actions that were acknowledged, as (table, seat, action, number of their last
    event). left: seats that were given up, as (table, account, number of the newest event). settled: by hand.
    """

    events: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    done: list[tuple[str, int, str, int]] = field(default_factory=list)
    left: list[tuple[str, int, int]] = field(default_factory=list)
    settled: dict[Hand, dict[str, Any]] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    farewells: list[dict[str, Any]] = field(default_factory=list)

    def event(self, table: str, message: dict[str, Any]) -> None:
        known = self.events.setdefault((table, message["seq"]), message["event"])
        assert known == message["event"], "one number, two events"

    def outcome(self, table: dict[str, Any]) -> None:
        """What a hand brought is the same whenever it is told."""
        if table["view"] and table["view"]["phase"] == "over":
            assert table["settled"] is not None
            known = self.settled.setdefault((table["table"], table["hand"]), table["settled"])
            assert known == table["settled"]


@dataclass
class Witness(Client):
    """A connection that takes note of what it is told."""

    facts: Facts = field(default_factory=Facts)

    async def receive(self) -> dict[str, Any]:
        message = await super().receive()
        self.frames.clear()
        match message["type"]:
            case "table":
                self.facts.outcome(message)
            case "event":
                self.facts.event(self.table["table"], message)
                self.facts.outcome(self.table)
            case "closed" if message["code"] == "shutdown":
                self.facts.farewells.append(message)
            case "refused":
                self.facts.refused[message["code"]] += 1
            case _:
                pass
        return message


@dataclass
class Person:
    """Somebody who wants to play: in a room, or at a private table of two with a friend.

    address: where he connects from; players for beans may not share one. leaves: how often, of a thousand turns.
    """

    facts: Facts
    room: str | None
    address: str
    chance: random.Random
    leaves: int = 0
    host: Person | None = None
    token: str | None = None
    account: int | None = None
    code: str | None = None
    table: dict[str, Any] | None = None
    purse: dict[str, Any] | None = None

    async def play(self, url: str) -> None:
        """Play until the server goes."""
        with suppress(ConnectionClosed, InvalidHandshake, OSError, EOFError):
            async with connect(url, compression=None, local_addr=(self.address, 0), ping_interval=None) as socket:
                client = Witness(socket, facts=self.facts)
                try:
                    await self._play(client)
                except ConnectionClosed:
                    # What came before that may not have been read yet.
                    while True:
                        await client.receive()
                finally:
                    if client.table:
                        self.table = client.table

    async def _play(self, client: Witness) -> None:
        before = self.table
        assert (await client.hello(self.token))["type"] == "welcome"
        self.token, self.account = client.token, client.welcome["account"]
        if client.table:
            self._compare(before, client.table)
            self.code = client.table["code"] if self.host is None else None
        while True:
            if client.closed or not client.table:
                client.closed.clear()
                client.table = {}
                await self._find_table(client)
            elif not client.view or client.view["phase"] == "redeal":
                await client.receive()
            elif client.view["phase"] == "over" and not client.table["seats"][client.table["seat"]]["ready"]:
                hand = client.table["hand"]
                if (await client.answer("next"))["type"] == "done":
                    await client.until(lambda hand=hand: client.table["hand"] > hand or client.closed)
            elif client.asked():
                await self._act(client)
            else:
                await client.receive()

    def _compare(self, before: dict[str, Any] | None, now: dict[str, Any]) -> None:
        """What was seen of a hand is still so."""
        if before is None or not before["view"] or before["table"] != now["table"]:
            return
        assert now["hand"] >= before["hand"]
        assert now["seq"] > before["seq"]
        if now["hand"] == before["hand"]:
            for name in ("history", "answers"):
                assert now["view"][name][: len(before["view"][name])] == before["view"][name]
            assert now["commitment"] == before["commitment"]
            assert now["next_commitment"] == before["next_commitment"]
        elif now["hand"] == before["hand"] + 1:
            assert now["commitment"] == before["next_commitment"]

    async def _find_table(self, client: Witness) -> None:
        if self.room is not None:
            answer = await client.answer("quick", room=self.room)
        elif self.host is None:
            answer = await client.answer("open", variant="two_player", options={})
        else:
            answer = await client.answer("join", code=self.host.code or "nowhere")
        if answer["type"] == "done" or answer["code"] in ("already_seated", "already_waiting"):
            await client.until(lambda: client.table)
            self.code = client.table["code"] if self.host is None else None
        else:
            await asyncio.sleep(0.05)

    async def _act(self, client: Witness) -> None:
        if self.chance.randrange(1000) < self.leaves:
            table, account = client.table["table"], self.account
            answer = await client.answer("leave")
            if answer["type"] == "done":
                assert account is not None
                self.facts.left.append((table, account, answer["seq"]))
                await client.until(lambda: client.closed)
            return
        legal = client.view["legal"]
        action = legal[-1] if self.chance.random() < 0.7 else self.chance.choice(legal)
        table, seat = client.table["table"], client.table["seat"]
        answer = await client.answer("act", seq=client.seq, action=action)
        if answer["type"] == "done":
            self.facts.done.append((table, seat, action, answer["seq"]))
            await client.until(lambda: client.seq >= answer["seq"] or client.closed)
        elif answer["code"] == "store_failed":
            await asyncio.sleep(0.05)
            # Maybe it is done all the same.
            await client.fresh_table()
        else:
            # Somebody else was faster with a question that is put to all, or the clock was.
            assert answer["code"] in ("stale", "not_your_turn", "not_allowed", "not_seated", "stopping"), answer
            await client.receive()
