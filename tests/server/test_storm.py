"""A storm of messages that no honest client sends, from everybody, in every phase of every game.

`DIZHU_FRAMES=1000000` makes it longer.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import struct
import sys
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dizhu
from dizhu.protocol import REFUSAL_CODES
from dizhu.server.actor import Enter
from dizhu.server.places import Place
from dizhu.server.table import Table
from dizhu.server.terms import free_terms
from server.harness import QUICK, Running, eventually, serving
from server.hostile import Sender
from server.raw import CLOSE, CONTINUED, PING, TEXT, Raw, fragments, frame, knocking, opened, upgrade

FRAMES = int(os.environ.get("DIZHU_FRAMES", "100000"))
AT_ONCE = 40
"""Fewer than an outbox holds: each is answered before the next come."""
WARM = 20
"""Rounds after which everything that is kept is kept."""
BLOCKS, BLOCKS_A_FRAME = 3_000, 0.02
"""By how much memory may grow: once, as caches fill, and with each frame."""

PATIENT = replace(QUICK, play=3600, question=3600, offer=3600, hello=3600)
SECRET = re.compile(rb'"((?:[3-9TJQKA2][shcd])|B|R)"|[0-9a-f]{64}')

# --- the tables ------------------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """Tables of all games, full of people, with strangers around them."""

    server: Running
    tables: list[Table]
    senders: list[Sender]

    def players(self, table: Table) -> list[Sender]:
        return [sender for sender in self.senders if sender.table is table and sender.seat is not None]

    def snapshot(self) -> list[Any]:
        lobby = self.server.lobby
        counts = len(lobby.tables), lobby.tables.people, len(lobby.connections), dict(lobby.sockets)
        return [counts, *map(state_of, self.tables)]

    async def move_on(self, choices: Random) -> None:
        """Let those who are asked answer."""
        for table in self.tables:
            assert table.hand is not None
            number = table.hand.number
            if table.hand.game.phase == "over":
                for player in self.players(table):
                    player.raw.send(player.command("next"))
                    await done(player.raw)
                await eventually(lambda table=table, number=number: table.hand and table.hand.number > number)
            elif table.hand.game.turn:
                seat = choices.choice(table.hand.game.turn)
                action = choices.choice(table.hand.game.legal(seat))
                (player,) = (player for player in self.players(table) if player.seat == seat)
                player.raw.send(player.command("act", seq=table.teller.seq, action=action))
                await done(player.raw)
            await eventually(lambda table=table: table.hand and table.hand.game.phase != "redeal")


async def done(raw: Raw) -> None:
    (answer,) = await raw.answers(1)
    assert answer.startswith(b'{"type":"done"'), answer


def state_of(table: Table) -> list[Any]:
    """All that a refused command must not change."""
    hand, turns = table.hand, table.turns
    assert hand is not None
    kept = [field.name for field in fields(Place) if field.name not in ("talk", "deaf")]
    places = [{name: getattr(place, name) for name in kept} | {"deaf": set(place.deaf)} for place in table.places]
    numbers = table.teller.seq, table.journal._seq, table.next_seed, hand.number
    return [hand.game.state, hand.game.actions, dict(turns.asked), turns.until, places, numbers, dict(table.watchers)]


async def set_up(stack: AsyncExitStack, server: Running, choices: Random) -> Scene:
    scene = Scene(server, [], [])
    lobby = server.lobby

    async def greeted(local: str) -> tuple[Raw, Any]:
        raw = await stack.enter_async_context(opened(server.address, local))
        raw.send(frame(b'{"type":"hello","id":1,"protocol":1,"token":null}'))
        (welcome,) = await raw.answers(1)
        known = {account.id: account for account in lobby.connections}
        return raw, known[json.loads(welcome)["account"]]

    for name in dizhu.variants():
        game = dizhu.variant(name)
        people = [await greeted("127.0.0.1") for _ in range(game.seats)]
        actor = lobby.tables.open(free_terms(game, lobby.house.settings), [account for _, account in people], "random")
        scene.tables.append(actor.table)
        for seat, (raw, account) in enumerate(people):
            actor.put(Enter(account, lobby.connections[account]))
            scene.senders.append(Sender(raw, actor.table, seat, choices))
    for table in scene.tables[:2]:
        raw, _ = await greeted("127.0.0.9")
        raw.send(frame(json.dumps({"type": "watch", "id": 2, "table": table.id}).encode()))
        await done(raw)
        scene.senders.append(Sender(raw, table, None, choices, last_id=2))
    scene.senders += [Sender((await greeted("127.0.0.7"))[0], None, None, choices) for _ in range(2)]
    nobody = await stack.enter_async_context(opened(server.address))
    scene.senders.append(Sender(nobody, None, None, choices, greeted=False))
    await eventually(lambda: all(table.hand for table in scene.tables))
    return scene


async def storm(sender: Sender, codes: Counter[str]) -> None:
    """Send frames, each of which is refused, with a code that is in the list and without a word about the cards."""
    frames = sender.frames(AT_ONCE)
    sender.raw.send(b"".join(frames))
    for answer in await sender.raw.answers(len(frames)):
        message = json.loads(answer)
        assert message["type"] == "refused", (answer, frames)
        assert message["code"] in REFUSAL_CODES
        assert not SECRET.search(answer)
        codes[message["code"]] += 1


@pytest.mark.slow
def test_a_storm_changes_nothing(caplog: pytest.LogCaptureFixture):
    async def run():
        choices, codes = Random(2), Counter[str]()
        async with serving(PATIENT) as server, AsyncExitStack() as stack:
            scene = await set_up(stack, server, choices)
            phases: set[str] = set()
            sent = kept_before = sent_before = 0
            while sent < FRAMES:
                for _ in range(choices.randint(1, 3)):
                    await scene.move_on(choices)
                phases |= {table.hand.game.phase for table in scene.tables if table.hand}
                before = scene.snapshot()
                await asyncio.gather(*(storm(sender, codes) for sender in scene.senders))
                assert scene.snapshot() == before
                sent += AT_ONCE * len(scene.senders)
                if not kept_before and sent >= WARM * AT_ONCE * len(scene.senders):
                    kept_before, sent_before = kept(), sent
            assert phases == {"bid", "call", "rob", "open", "declare", "double", "play", "over"}
            if kept_before:
                assert kept() - kept_before < BLOCKS + BLOCKS_A_FRAME * (sent - sent_before), "what was refused is kept"
            assert len(codes) >= 20

    asyncio.run(run())
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


def kept() -> int:
    """Count the blocks of memory that are in use."""
    gc.collect()
    return sys.getallocatedblocks()


# --- the wire --------------------------------------------------------------------------------------------------------

HELLO = b'{"type":"hello","id":1,"protocol":2,"token":null}'
LONG = b"x" * 4097
TORN = "斗".encode()[:2]
BROKEN: dict[str, tuple[bytes, set[int | None]]] = {
    "too long": (frame(LONG), {1009}),
    "too long, and says so only": (frame(LONG)[:4], {1009, None}),
    "too long in pieces": (fragments(LONG, [1000, 2000, 3000]), {1009}),
    "of a length that there is not": (b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", {1002, 1009, None}),
    "no UTF-8": (frame(b"\xff\xfe"), {1007}),
    "no UTF-8, twice": (frame(b"\xff\xfe") * 2, {1007}),
    "no UTF-8, and a goodbye": (frame(b"\xff\xfe") + frame(struct.pack("!H", 1000), CLOSE), {1000}),
    "in empty pieces without end": (frame(b"", final=False) + frame(b"", CONTINUED, final=False) * 1_000, {1009}),
    "UTF-8 that is torn off": (frame(TORN), {1007}),
    "UTF-8 that goes wrong in a later piece": (fragments(b"ab" + TORN + b"c", [1, 3]), {1007}),
    "not masked": (frame(HELLO, masked=False), {1002}),
    "compressed": (frame(HELLO, reserved=4), {1002}),
    "of no kind": (frame(HELLO, 3), {1002}),
    "a long ping": (frame(b"x" * 126, PING), {1002}),
    "a ping in pieces": (frame(b"x", PING, final=False), {1002}),
    "the middle of nothing": (frame(HELLO, CONTINUED), {1002}),
    "a message in a message": (frame(b"{", TEXT, final=False) + frame(HELLO), {1002}),
    "a close without a code": (frame(b"\x03", CLOSE), {1002}),
    "a close with a wrong code": (frame(struct.pack("!H", 1005), CLOSE), {1002}),
    "a close with a wrong reason": (frame(struct.pack("!H", 1000) + b"\xff", CLOSE), {1002, 1007}),
    "a goodbye": (frame(struct.pack("!H", 1000), CLOSE) + frame(HELLO), {1000}),
}
NO_REQUESTS = [
    upgrade("dizhu.example", version=12),
    upgrade("dizhu.example", path="/api/ws"),
    upgrade("dizhu.example", method="POST"),
    upgrade("dizhu.example", "Origin: http://elsewhere.example"),
    upgrade("dizhu.example", "Origin: null"),
    upgrade("dizhu.example").replace(b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n", b""),
    upgrade("dizhu.example").replace(b"AAAAAAAAAAAAAAAAAAAAAA==", b"short"),
    b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
    b"GET /ws HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
]


@pytest.mark.slow
def test_a_wire_that_is_broken_ends_and_harms_nobody(caplog: pytest.LogCaptureFixture):
    async def run():
        choices = Random(3)
        async with serving(PATIENT) as server, AsyncExitStack() as stack:
            scene = await set_up(stack, server, choices)
            tasks, files = len(asyncio.all_tasks()), descriptors()
            before = scene.snapshot()
            for _ in range(10):
                await asyncio.gather(*(broken(server.address, name) for name in BROKEN))
                await asyncio.gather(*(turned_away(server.address, request) for request in NO_REQUESTS))
                await asyncio.gather(*(left_half(server.address, frame(HELLO), choices) for _ in range(10)))
            await eventually(lambda: scene.snapshot() == before)
            await eventually(lambda: len(asyncio.all_tasks()) <= tasks)
            await eventually(lambda: descriptors() <= files)
            await scene.move_on(choices)

    asyncio.run(run())
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


async def broken(address: str, name: str) -> None:
    data, codes = BROKEN[name]
    async with opened(address) as raw:
        raw.send(data)
        raw.writer.write_eof()
        assert await raw.end() in codes, name


async def turned_away(address: str, request: bytes) -> None:
    async with knocking(address, request) as raw:
        raw.writer.write_eof()
        with suppress(ConnectionError):
            assert b" 4" in await raw.reader.read(12), request[:200]


async def left_half(address: str, data: bytes, choices: Random) -> None:
    async with opened(address) as raw:
        raw.send(data[: choices.randrange(len(data))])


def descriptors() -> int:
    """Count what the process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))
