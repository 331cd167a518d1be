"""What players say to each other, and how one need not hear it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from sqlalchemy import select

from dizhu.server.settings import Rate
from dizhu.server.store import schema
from dizhu.server.store.database import opened
from dizhu.server.talk import clean
from server.harness import NO_LIMIT, QUICK, Client, HandClock, Running, joined, serving, sit_together

TALKATIVE = replace(QUICK, talk=NO_LIMIT)


@asynccontextmanager
async def private_table(server: Running) -> AsyncGenerator[tuple[Client, Client]]:
    async with joined(server) as one, joined(server) as two:
        await one.answer("open", variant="two_player")
        await one.until(lambda: one.table)
        await two.answer("join", code=one.table["code"])
        await two.until(lambda: two.table)
        yield one, two


def test_quick_phrases_go_by_number():
    async def run():
        async with serving(TALKATIVE, clock=HandClock()) as server, joined(server) as one, joined(server) as two:
            await sit_together(server, [one, two], "classic")
            assert (await one.answer("say", phrase=3))["type"] == "done"
            await two.until(lambda: two.heard("said"))
            assert two.heard("said") == [{"type": "said", "seat": 0, "phrase": 3, "text": None}]
            assert (await one.answer("say", phrase=24))["code"] == "bad_message"
            assert (await one.answer("chat", text="hello"))["code"] == "not_private"

    asyncio.run(run())


def test_own_words_are_for_private_tables():
    async def run():
        async with serving(TALKATIVE, clock=HandClock()) as server, private_table(server) as (one, two):
            assert (await one.answer("chat", text="  你好\u202e\n <b>x</b> "))["type"] == "done"
            await two.until(lambda: two.heard("said"))
            assert two.heard("said")[0]["text"] == "你好 <b>x</b>"
            assert (await one.answer("chat", text="\u200b \n"))["code"] == "bad_message"
            assert (await one.answer("chat", text="x" * 201))["code"] == "bad_message"

    asyncio.run(run())


def test_nobody_talks_without_end():
    async def run():
        clock = HandClock()
        settings = replace(QUICK, talk=Rate(burst=2, per_second=1))
        async with serving(settings, clock=clock) as server, private_table(server) as (one, _):
            answers = [await one.answer("say", phrase=1) for _ in range(3)]
            assert [answer.get("code") for answer in answers] == [None, None, "too_much_talk"]
            clock.advance(1)
            assert (await one.answer("say", phrase=1))["type"] == "done"

    asyncio.run(run())


@pytest.mark.parametrize("command", ["mute", "block"])
def test_who_is_muted_or_blocked_is_not_heard(command: str):
    async def run():
        async with serving(TALKATIVE, clock=HandClock()) as server, private_table(server) as (one, two):
            await two.answer(command, seat=0, on=True)
            await one.answer("say", phrase=1)
            await two.answer(command, seat=0, on=False)
            await one.answer("say", phrase=2)
            await two.until(lambda: two.heard("said"))
            assert [said["phrase"] for said in two.heard("said")] == [2]
            for seat in (1, 4):
                assert (await two.answer(command, seat=seat, on=True))["code"] == "unknown_seat"

    asyncio.run(run())


def test_who_was_blocked_stays_so_at_the_next_table():
    async def run():
        async with serving(TALKATIVE, clock=HandClock()) as server:
            async with private_table(server) as (one, two):
                await two.answer("block", seat=0, on=True)
                tokens = one.token, two.token
            async with joined(server, tokens[0]) as one, joined(server, tokens[1]) as two:
                await two.answer("leave")
                await two.until(lambda: two.closed)
                await two.answer("join", code=one.table["code"])
                await one.answer("say", phrase=1)
                await two.settle()
                assert not two.heard("said")

    asyncio.run(run())


def test_a_report_is_kept():
    async def run():
        async with serving(TALKATIVE, clock=HandClock()) as server, private_table(server) as (one, two):
            assert (await one.answer("report", seat=1, reason="abuse", words="he\u0000 shouts"))["type"] == "done"
            async with opened(server.database) as database, database.reading() as connection:
                (row,) = (await connection.execute(select(schema.report))).all()
            assert (row.account_id, row.other_id) == (one.welcome["account"], two.welcome["account"])
            assert (row.reason, row.words, row.table_id) == ("abuse", "he shouts", one.table["table"])

    asyncio.run(run())


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [(" a  b ", "a b"), ("a\u0000b", "a b"), ("\u202eabc", "abc"), ("e\u0301", "é"), ("\ud800", "")],
)
def test_what_cannot_be_seen_is_taken_out(text: str, cleaned: str):
    assert clean(text) == cleaned
