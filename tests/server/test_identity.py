"""Who somebody is comes from his session alone: whatever else is tried is refused, and no table notices."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.harness import QUICK, Client, HandClock, Running, dealing, eventually, joined, serving, sit_together

NO_TOKENS = [
    "x",
    "x" * 43,
    "x" * 128,
    "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiIxIn0.",
    "1",
    "' OR 1=1 --",
    "null",
    "\u0000",
    "👻",
]
ORIGINS = [
    "http://elsewhere.example",
    "https://elsewhere.example",
    "null",
    "http://127.0.0.1",
    "file://",
    "",
    "http://",
]


def altered(token: str) -> list[str]:
    """Tokens that are nearly one."""
    other = "A" if token[-1] != "A" else "B"
    return [token[:-1], token + "A", token[:-1] + other, token.swapcase(), f" {token}", f"{token}\n", token[::-1]]


class Scene:
    """A hand that is being played, and everything about it that nobody else may change."""

    def __init__(self, server: Running, clients: list[Client]) -> None:
        self.server = server
        self.clients = clients
        (actor,) = server.lobby.tables
        self.table = actor.table

    def snapshot(self) -> list[Any]:
        assert self.table.hand is not None
        assert all(self.table.places[seat].account for seat in self.table.turns.asked), "a bot would disturb, too"
        game, lobby = self.table.hand.game, self.server.lobby
        places = [(place.account, place.connection, place.auto, place.ready) for place in self.table.places]
        kept = dict(lobby.connections), len(lobby.tables), lobby.tables.people, self.table.teller.seq
        return [game.state, game.actions, dict(self.table.turns.asked), self.table.turns.until, places, kept]


async def refused(server: Running, token: str) -> str:
    async with connect(server.url, compression=None) as socket:
        return (await Client(socket).answer("hello", protocol=1, token=token))["code"]


def test_what_is_no_session_opens_nothing():
    async def run():
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(QUICK, clock=HandClock(), dealer=dealer) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await one.act("bid 3")
                await two.settle()
                await three.settle()
                scene = Scene(server, [one, two, three])
                before = scene.snapshot()
                for token in [*NO_TOKENS, *altered(one.token)]:
                    assert await refused(server, token) == "unknown_token", token
                for wrong in (1, "", "x" * 129, [one.token], {"token": one.token}):
                    assert await refused(server, wrong) == "bad_message"  # type: ignore[arg-type]
                # Another's number, in whichever message, is no part of any of them.
                for field in ("account", "seat", "player", "token"):
                    command = {"type": "act", "id": 900, "seq": two.seq, "action": "play 3", field: 0}
                    await two.socket.send(json.dumps(command))
                    assert (await two.receive())["code"] == "bad_message"
                assert (await two.answer("act", seq=two.seq, action="play 3"))["code"] == "not_your_turn"
                assert scene.snapshot() == before
                assert (await one.act("play 34567"))["type"] == "done"

    asyncio.run(run())


def test_no_page_from_elsewhere_opens_a_socket_with_the_session_of_a_player():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server:
            origin = {"origin": f"http://{server.address}"}
            async with connect(server.url, compression=None, additional_headers=origin) as socket:
                assert socket.response is not None
                cookie = socket.response.headers["set-cookie"].partition(";")[0]
                client = Client(socket)
                await client.hello()
                await client.sit("classic")
                await client.turn()
                scene = Scene(server, [client])
                before = scene.snapshot()
                for wrong in ORIGINS:
                    headers = {"origin": wrong, "cookie": cookie}
                    with pytest.raises(InvalidStatus) as caught:
                        async with connect(server.url, compression=None, additional_headers=headers):
                            pass
                    assert caught.value.response.status_code == 403
                await client.settle()
                assert scene.snapshot() == before

    asyncio.run(run())


def test_after_the_secrets_are_rotated_old_tokens_are_nobodys_and_the_hand_goes_on():
    async def run():
        clock = HandClock()
        settings = replace(QUICK, sessions=5, question=15)
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(settings, clock=clock, dealer=dealer) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                scene = Scene(server, [one, two, three])
                before = scene.snapshot()
                await server.lobby.accounts.rotate_secrets()
                for client in scene.clients:
                    assert await refused(server, client.token) == "unknown_token"
                assert scene.snapshot() == before
                clock.advance(5)
                for client in scene.clients:
                    with pytest.raises(ConnectionClosed):
                        await client.until(lambda: False)
                    assert client.closed == ["logged_out"]
                await eventually(lambda: not server.lobby.connections)
                assert scene.snapshot()[:4] == before[:4]
                clock.advance(10)
                await eventually(lambda: scene.snapshot()[1] == ((0, "no"),))
                async with joined(server) as stranger:
                    assert not stranger.welcome["seated"]
                    assert stranger.welcome["account"] not in [client.welcome["account"] for client in scene.clients]

    asyncio.run(run())
