"""The server's clock: what happens to those who do not answer, and what its times tell."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from server.harness import QUICK, Client, HandClock, dealing, joined, serving, sit_together

LIMITS = replace(QUICK, play=20, question=15, offer=10)
PAUSES = replace(LIMITS, bot_pause=(1.0, 2.0))


def played(client: Client, seat: int) -> list[dict[str, Any]]:
    kinds = ("play", "pass", "no", "bid")
    return [m for m in client.events if m["event"]["kind"] in kinds and m["event"]["seat"] == seat]


async def play_phase(client: Client) -> None:
    """Become the landlord of a hand of `classic` in which seat 0 speaks first."""
    assert (await client.act("bid 3"))["type"] == "done"
    assert client.view["phase"] == "play"


def test_out_of_time_the_lowest_lead_is_played():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("334K", "5566", "7788")) as server:
            async with joined(server) as client:
                await client.sit("classic")
                await play_phase(client)
                assert client.table["clock"] == {"limit_ms": 20_000, "left_ms": 20_000}
                clock.advance(19.9)
                await client.settle()
                assert played(client, 0)[-1]["event"]["kind"] == "bid"
                clock.advance(0.2)
                await client.until(lambda: client.seq > 4)
                assert played(client, 0)[-1]["event"]["cards"] == ["3s"]

    asyncio.run(run())


def test_out_of_time_a_question_is_declined():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("334K", "5566", "7788")) as server:
            async with joined(server) as client:
                await client.sit("classic")
                assert client.table["clock"]["limit_ms"] == 15_000
                clock.advance(15)
                await client.until(lambda: played(client, 0))
                assert played(client, 0)[0]["event"]["kind"] == "no"

    asyncio.run(run())


def test_twice_out_of_time_the_seat_is_automatic_until_it_is_taken_back():
    async def run():
        clock = HandClock()
        dealer = dealing("33344456789", "5", "7", first=0)
        async with serving(PAUSES, clock=clock, dealer=dealer) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await play_phase(one)
                clock.advance(20)
                await one.until(lambda: played(one, 0)[-1]["event"]["kind"] == "play")
                assert not one.table["seats"][0]["auto"]
                for client in (two, three):
                    await client.until(client.asked)
                    await client.act("pass")
                await one.until(one.asked)
                clock.advance(20)
                await one.until(lambda: one.table["seats"][0]["auto"])
                for client in (two, three):
                    await client.until(client.asked)
                    await client.act("pass")
                await one.until(one.asked)
                assert (await one.answer("auto", on=False))["type"] == "done"
                await one.until(lambda: not one.table["seats"][0]["auto"])
                clock.advance(5)
                await one.settle()
                assert one.asked(), "the automatic answer is called off"
                await one.act("play 3")
                for client in (two, three):
                    await client.until(client.asked)
                    await client.act("pass")
                await one.until(one.asked)
                assert one.table["clock"] == {"limit_ms": 20_000, "left_ms": 20_000}

    asyncio.run(run())


def test_one_answer_in_time_and_the_count_starts_again():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("3579JK", "44556666", "778899TT")) as server:
            async with joined(server) as client:
                await client.sit("classic")
                await play_phase(client)
                for answers in (False, True, False):
                    await client.until(client.asked)
                    if answers:
                        await client.act(client.view["legal"][-1])
                    else:
                        before = client.seq
                        clock.advance(20)
                        await client.until(lambda before=before: client.seq > before)
                    assert not client.table["seats"][0]["auto"]

    asyncio.run(run())


def test_a_play_just_in_time_is_the_only_one():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("334K", "5566", "7788")) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await play_phase(one)
                clock.advance(19.99)
                await one.act("play K")
                clock.advance(0.02)
                await two.until(two.asked)
                await two.settle()
                assert [m["event"]["cards"] for m in played(two, 0) if m["event"]["kind"] == "play"] == [["Ks"]]
                assert two.table["clock"]["left_ms"] >= 19_980
                clock.advance(19.9)
                await two.settle()
                assert two.asked(), "the next seat has its whole time"

    asyncio.run(run())


def test_a_play_that_comes_too_late_is_refused():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("334K", "5566", "7788")) as server:
            async with joined(server) as client:
                await client.sit("classic")
                await play_phase(client)
                clock.advance(20)
                await client.until(lambda: not client.asked())
                answer = await client.answer("act", seq=4, action="play K")
                assert answer["type"] == "refused"
                assert answer["code"] in ("not_your_turn", "stale")

    asyncio.run(run())


def test_clocks_of_those_who_are_away_run_on():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("33445566", "77889", "TTJJQ")) as server:
            async with joined(server) as one:
                async with joined(server) as two, joined(server) as three:
                    await sit_together(server, [one, two, three], "classic")
                    await play_phase(one)
                    await one.act("play 3")
                    away = three.token
                await one.until(lambda: [s["connected"] for s in one.table["seats"]] == [True, False, False])
                clock.advance(15)
                async with joined(server, away) as back:
                    assert back.table["clock"] == {"limit_ms": 20_000, "left_ms": 5_000}
                    clock.advance(5)
                    await back.until(back.asked)
                    assert back.view["history"][-1] == {"seat": 1, "cards": []}
                    assert back.table["seats"][1]["auto"], "away and out of time: automatic at once"
                    assert not back.table["seats"][2]["auto"]

    asyncio.run(run())


def test_who_comes_back_too_late_finds_the_default_answer_given():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock, dealer=dealing("33445566", "77889", "TTJJQ")) as server:
            async with joined(server) as one, joined(server) as two:
                async with joined(server) as three:
                    await sit_together(server, [three, one, two], "classic")
                    token = three.token
                await one.until(lambda: not one.table["seats"][0]["connected"])
                clock.advance(15)
                async with joined(server, token) as back:
                    await back.until(lambda: not back.asked())
                    assert back.view["answers"] == [{"phase": "bid", "seat": 0, "action": "no"}]

    asyncio.run(run())


def test_no_automatic_answer_comes_at_once():
    async def run():
        clock = HandClock()
        async with serving(PAUSES, clock=clock, dealer=dealing("3579", "4", "6")) as server:
            async with joined(server) as client:
                await client.sit("classic")
                await play_phase(client)
                await client.act("play 3")
                clock.advance(0.99)
                await client.settle()
                assert client.view["turn"] == [1]
                assert client.table["clock"]["limit_ms"] == 20_000, "a bot's clock looks like a person's"
                clock.advance(1.02)
                await client.until(lambda: client.view["turn"] == [2] or client.view["result"])

    asyncio.run(run())


def test_a_seat_made_automatic_answers_after_a_pause():
    async def run():
        clock = HandClock()
        async with serving(PAUSES, clock=clock, dealer=dealing("3579", "4", "6")) as server:
            async with joined(server) as client:
                await client.sit("classic")
                await client.answer("auto", on=True)
                await client.until(lambda: client.table["seats"][0]["auto"])
                clock.advance(0.99)
                await client.settle()
                assert not client.view["answers"]
                clock.advance(1.02)
                await client.until(lambda: client.view["answers"])
                assert client.table["seats"][0]["auto"]

    asyncio.run(run())


def test_not_answering_a_question_to_all_means_no_and_nothing_more():
    async def run():
        clock = HandClock()
        async with serving(LIMITS, clock=clock) as server, joined(server) as client:
            await client.sit("happy")
            for moment in ("before", "early", "late"):
                await client.until(lambda moment=moment: client.view["moment"] == moment)
                assert client.table["clock"]["limit_ms"] == 10_000
                clock.advance(10)
            await client.until(lambda: client.view["phase"] != "open")
            assert client.view["answers"].count({"phase": "open", "seat": 0, "action": "no"}) == 3
            assert not client.table["seats"][0]["auto"]

    asyncio.run(run())


def test_what_comes_late_is_heard_within_a_quota():
    """The way of a message takes time; a player is heard after the end of his time, but not again and again."""
    settings = replace(LIMITS, grace=1.5, grace_back=0.25)

    async def run():
        clock = HandClock()
        dealer = dealing("3344556677", "8899TTJJQQ", "KKAA22BR")
        async with serving(settings, clock=clock, dealer=dealer) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                await play_phase(one)
                clock.advance(21)
                await one.settle()
                assert (await one.act("play 33"))["type"] == "done", "1 second late, of 1.5"
                for other in (two, three):
                    await other.turn()
                    await other.act("pass")
                await one.turn()
                clock.advance(20.5)
                await one.settle()
                assert (await one.act("play 44"))["type"] == "done", "0.5 late, of 0.75"
                for other in (two, three):
                    await other.turn()
                    await other.act("pass")
                await one.turn()
                clock.advance(20.6)
                await one.until(lambda: played(one, 0)[-1]["event"]["cards"] == ["5s"])
                assert (await one.act("play 66"))["code"] == "not_your_turn"

    asyncio.run(run())
