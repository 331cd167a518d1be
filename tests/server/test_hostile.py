"""Input that no honest client sends: each is refused with a code, and nothing changes."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from dizhu.server.settings import Rate
from server.harness import QUICK, Client, dealing, joined, serving

ACT = '{"type":"act","id":77,"seq":1,"action":%s}'

NOT_MESSAGES = [
    "",
    "{",
    "null",
    "[]",
    "[" * 2_000,
    '{"a":' * 700,
    '{"type":"fly","id":1}',
    '{"id":1}',
    '{"type":"next"}',
    '{"type":"next","id":-1}',
    '{"type":"next","id":9007199254740992}',
    '{"type":"next","id":true}',
    '{"type":"next","id":"1"}',
    '{"type":"next","id":NaN}',
    '{"type":"next","id":1e999}',
    '{"type":"next","id":1,"account":2}',
    '{"type":"auto","id":1,"on":1}',
    '{"type":"sync","id":1,"after":null}',
    '{"type":"sit","id":1,"variant":"classic","bot":"random","seat":2}',
    ACT % "true",
    ACT % "2",
    ACT % "null",
    ACT % '["3h"]',
    ACT % '""',
    ACT % '"\\ud800"',
    ACT % f'"play {"3" * 200}"',
]

NOT_ACTIONS = [
    ("rob 2", "malformed_action"),
    ("rob", "not_allowed"),
    ("bid 4", "not_allowed"),
    ("bid ²", "malformed_action"),
    ("bid -1", "malformed_action"),
    ("play 3", "not_allowed"),
    ("pass", "not_allowed"),
    ("leave", "not_allowed"),
    ("play", "malformed_action"),
    (" no", "malformed_action"),
    ("no\u0000", "malformed_action"),
]

NOT_PLAYS = [
    ("play 0", "malformed_cards"),
    ("play 55x", "malformed_cards"),
    ("play 斗", "malformed_cards"),
    ("play 3h 3h", "cards_not_held"),
    ("play R", "cards_not_held"),
    ("play 33", "cards_not_held"),
    ("play 34", "not_a_combination"),
    ("pass", "must_play"),
    ("bid 3", "not_allowed"),
]


async def unchanged(client: Client, text: str | bytes) -> dict[str, object]:
    """Send something, expect a refusal, and see that the table is as it was."""
    before = await client.fresh_table()
    await client.socket.send(text)
    refused = await client.receive()
    assert refused["type"] == "refused"
    after = await client.fresh_table()
    assert {**after, "clock": None} == {**before, "clock": None}
    return refused


def test_what_is_no_message_is_refused():
    async def run():
        async with serving(QUICK, dealer=dealing("34567T", "BR89", "5566")) as server, joined(server) as client:
            await client.sit("classic")
            for text in NOT_MESSAGES:
                assert (await unchanged(client, text))["code"] == "bad_message", text
            assert (await unchanged(client, b'{"type":"next","id":1}'))["code"] == "bad_message", "not text"

    asyncio.run(run())


def test_what_is_no_answer_is_refused():
    async def run():
        async with serving(QUICK, dealer=dealing("34567T", "BR89", "5566")) as server, joined(server) as client:
            await client.sit("classic")
            for phase in (NOT_ACTIONS, NOT_PLAYS):
                for action, code in phase:
                    command = {"type": "act", "id": next(client.ids), "seq": client.seq, "action": action}
                    assert (await unchanged(client, json.dumps(command)))["code"] == code, action
                await client.act("bid 3")

    asyncio.run(run())


@pytest.mark.parametrize("message", ["x" * 5_000_000, b"\xff\xfe"], ids=["5 MB", "not UTF-8"])
def test_a_connection_that_breaks_the_wire_is_closed(message: str | bytes, caplog: pytest.LogCaptureFixture):
    async def run():
        async with serving() as server, joined(server) as other:
            await other.sit("classic")
            async with connect(server.url, compression=None) as broken:
                with suppress(ConnectionClosed):  # the server may close it while it is still being written to
                    await broken.send(message, text=True)
                with pytest.raises(ConnectionClosed) as closed:
                    await broken.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code in (1007, 1009)
            await other.settle()

    asyncio.run(run())
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_nothing_goes_before_hello():
    async def run():
        async with serving() as server, connect(server.url, compression=None) as connection:
            client = Client(connection)
            for type_, fields in (("sit", {"variant": "classic", "bot": "random"}), ("next", {}), ("leave", {})):
                assert (await client.answer(type_, **fields))["code"] == "hello_first"
            assert (await client.answer("hello", protocol=2, token=None))["code"] == "wrong_protocol"
            assert (await client.answer("hello", protocol=1, token="x" * 43))["code"] == "unknown_token"
            assert (await client.answer("hello", protocol=1, token=None))["type"] == "welcome"
            assert (await client.answer("hello", protocol=1, token=None))["code"] == "already_greeted"

    asyncio.run(run())


def test_commands_that_do_not_fit_are_refused():
    async def run():
        async with serving() as server, joined(server) as client:
            for type_, fields in (
                ("act", {"seq": 0, "action": "no"}),
                ("next", {}),
                ("auto", {"on": True}),
                ("leave", {}),
            ):
                assert (await client.answer(type_, **fields))["code"] == "not_seated"
            assert (await client.sit("424242"))["code"] == "unknown_variant"
            assert (await client.sit("classic", "nobody"))["code"] == "unknown_bot"
            assert not server.lobby.tables
            await client.sit("classic")
            assert (await client.sit("classic"))["code"] == "already_seated"
            assert (await client.answer("next"))["code"] == "not_over"

    asyncio.run(run())


def test_a_repeated_command_gets_its_first_answer_and_does_nothing():
    async def run():
        async with serving(QUICK, dealer=dealing("34567T", "BR89", "5566")) as server, joined(server) as client:
            await client.sit("classic")
            await client.act("bid 3")
            seq = client.seq
            first = await client.answer("act", id=500, seq=seq, action="play 34567")
            again = await client.answer("act", id=500, seq=seq, action="play 34567")
            assert first == again
            assert first["type"] == "done"
            other = await client.answer("act", id=501, seq=seq, action="play 34567")
            assert other["code"] in ("not_your_turn", "stale")
            await client.settle()
            assert [m["event"]["kind"] for m in client.events].count("play") >= 1
            assert len(client.view["hands"][0]) == 1

    asyncio.run(run())


def test_an_answer_to_an_old_question_is_stale():
    async def run():
        async with serving(QUICK, dealer=dealing("34567T", "5566", "7788")) as server, joined(server) as client:
            await client.sit("classic")
            old = client.seq
            await client.act("bid 3")
            assert (await client.answer("act", seq=old, action="play 3"))["code"] == "stale"
            assert (await client.answer("act", seq=client.seq + 100, action="play 3"))["code"] == "stale"
            assert (await client.act("play 3"))["type"] == "done"

    asyncio.run(run())


def test_too_many_messages_are_refused_and_may_come_again():
    async def run():
        settings = replace(QUICK, commands=Rate(burst=3, per_second=20))
        async with serving(settings) as server, joined(server) as client:
            answers = [await client.answer("sit", id=100 + i, variant="none", bot="random") for i in range(6)]
            codes = [answer["code"] for answer in answers]
            assert codes[0] == "unknown_variant"
            assert codes[-1] == "too_fast"
            await asyncio.sleep(0.1)
            assert (await client.answer("sit", id=105, variant="none", bot="random"))["code"] == "unknown_variant"

    asyncio.run(run())


def test_who_says_nothing_is_closed():
    async def run():
        async with serving(replace(QUICK, hello=0.05)) as server, connect(server.url, compression=None) as connection:
            with pytest.raises(ConnectionClosed):
                await asyncio.wait_for(connection.recv(), 5)

    asyncio.run(run())
