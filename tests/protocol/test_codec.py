"""Commands are read strictly, messages written plainly."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dizhu
from dizhu.errors import DizhuError
from dizhu.game.view import View
from dizhu.protocol import (
    REFUSAL_CODES,
    ActCommand,
    BadMessage,
    Clock,
    ClosedMessage,
    EventMessage,
    HelloCommand,
    PurseMessage,
    QueueMessage,
    SaidMessage,
    Seat,
    Setting,
    Settled,
    SitCommand,
    TableMessage,
    ViewChanges,
    decode_command,
    decode_message,
    encode,
)

CLASSIC = dizhu.variant("classic")


@pytest.mark.parametrize(
    "command",
    [
        HelloCommand(id=1, protocol=1, token=None),
        SitCommand(id=2, variant="classic", bot="rule"),
        ActCommand(id=2**53 - 1, seq=17, action="play 3h 3s"),
    ],
)
def test_commands_come_back_as_they_were_written(command: ActCommand):
    assert decode_command(encode(command)) == command
    assert decode_command(encode(command).decode()) == command


@given(st.one_of(st.text(), st.binary(), st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps)))
def test_whatever_comes_is_read_or_refused(text: str | bytes):
    with pytest.raises(BadMessage):
        decode_command(text)


@pytest.mark.parametrize("text", ["\ud800", '{"type":"next","id":' + "9" * 4000 + "}", "[" * 4000, '{"a":' * 800])
def test_what_breaks_careless_parsers_is_refused(text: str):
    with pytest.raises(BadMessage) as error:
        decode_command(text)
    assert error.value.code == "bad_message"


def test_a_refusal_names_the_command_where_it_can():
    for text, number in (
        ('{"type":"fly","id":7}', 7),
        ('{"type":"next","id":7,"x":1}', 7),
        ('{"id":-1}', None),
        ("{", None),
    ):
        with pytest.raises(BadMessage) as error:
            decode_command(text)
        assert error.value.id == number


def test_messages_come_back_as_they_were_written():
    game = dizhu.Game(CLASSIC, dizhu.shuffled(CLASSIC, bytes(32)))
    seats = (Seat("Guest 1", 1, bot=False, connected=True, auto=False, ready=False, score=0, title=3),)
    setting = Setting("classic-points", "classic", {"cap": 16, "nobody": "first"}, 0, 0)
    settled = Settled("share", (1, 1, -2), None)
    table = TableMessage(
        seq=1,
        table="t",
        code=None,
        setting=setting,
        seat=0,
        host=None,
        hand=1,
        view=game.view(0),
        seats=seats,
        clock=Clock(15_000, 14_999),
        commitment="ab",
        seed=None,
        next_commitment="cd",
        settled=settled,
    )
    event = EventMessage(2, dizhu.Event("bid", 0, 3), ViewChanges(), None, None, None, None, None, None, None)
    others = (
        QueueMessage("r", 1, 3, 8000),
        SaidMessage(0, 3, None),
        PurseMessage(1, -2, 3),
        ClosedMessage("shutdown", 5),
    )
    for message in (table, event, *others):
        assert decode_message(encode(message)) == message
    assert json.loads(encode(event))["event"] == {"kind": "bid", "seat": 0, "value": 3, "cards": []}
    assert json.loads(encode(event))["changes"] == {}


def test_changes_have_the_fields_of_a_view_but_its_history():
    names = {field.name for field in fields(View)}
    assert set(ViewChanges.__struct_fields__) == names - {"history"}


def test_every_code_of_the_rules_is_a_code_of_the_protocol():
    game = dizhu.Game(CLASSIC, dizhu.position(CLASSIC, hands=["334", "58", "49"]))

    def codes(*attempts: tuple[int, str]) -> set[str]:
        found: set[str] = set()
        for seat, action in attempts:
            with pytest.raises(DizhuError) as error:
                game.act(seat, action)
            found.add(error.value.code)
        return found

    seen = codes((1, "no"), (0, "rob"), (0, "fly"))
    game.act(0, "bid 3")
    seen |= codes((0, "play x"), (0, "play 7"), (0, "play 34"), (0, "pass"))
    game.act(0, "play 4")
    game.act(1, "play 5")
    seen |= codes((2, "play 4"))
    game.act(2, "leave")
    seen |= codes((0, "pass"))
    with pytest.raises(DizhuError) as unknown:
        dizhu.variant("whist")
    seen.add(unknown.value.code)
    assert len(seen) == 10
    assert seen <= set(REFUSAL_CODES)
