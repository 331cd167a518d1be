"""Hints over a real socket, and bots that ponder: nobody else waits for either."""

from __future__ import annotations

import asyncio
import threading

import pytest

import dizhu
from dizhu.bots.advice import advice
from dizhu.server import hints
from server.harness import PATIENCE, QUICK, HandClock, dealing, joined, serving, sit_together

POSITION = dealing("34567T", "BR89", "5566")
ASKED_OFTEN = 3


def test_advice_is_that_of_the_best_bot_on_what_the_seat_sees():
    async def run():
        async with serving(QUICK, clock=HandClock()) as server, joined(server) as one, joined(server) as two:
            table = await sit_together(server, [one, two], "classic")
            for client in (one, two):
                seat = client.table["seat"]
                if not client.asked():
                    refused = await client.answer("hint", seq=client.seq)
                    assert (refused["type"], refused["code"]) == ("refused", "not_your_turn")
                    continue
                told = await client.answer("hint", seq=client.seq)
                assert (told["type"], told["asked"]) == ("advice", table.turns.asked[seat].seq)
                assert tuple(told["actions"]) == advice(table.seat_view(seat))
                assert set(told["actions"]) <= set(client.view["legal"])
            assert any(client.asked() for client in (one, two))

    asyncio.run(run())


def test_a_hint_for_an_older_question_is_refused_and_a_spectator_gets_none():
    async def run():
        async with serving(QUICK, clock=HandClock(), dealer=POSITION) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                old = one.seq
                await one.act("bid 1")
                await two.turn()
                await two.act("no")
                await three.turn()
                await three.act("no")
                await one.turn()
                await one.settle()
                assert (await one.answer("hint", seq=old))["code"] == "stale"
                assert (await one.answer("hint", seq=one.seq))["type"] == "advice"
                assert (await two.answer("hint", seq=two.seq))["code"] == "not_your_turn"
            async with joined(server) as watcher:
                assert (await watcher.answer("hint", seq=0))["code"] == "not_seated"

    asyncio.run(run())


def test_it_is_worked_out_once_for_a_question_while_the_table_goes_on(monkeypatch: pytest.MonkeyPatch):
    go_on = threading.Event()
    views: list[dizhu.View] = []

    def slowly(view: dizhu.View) -> tuple[str, ...]:
        views.append(view)
        assert go_on.wait(PATIENCE)
        return advice(view)

    monkeypatch.setattr(hints, "advice", slowly)

    async def run():
        async with serving(QUICK, clock=HandClock(), dealer=POSITION) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                number = await one.send("hint", seq=one.seq)
                await two.answer("say", phrase=1)
                await two.settle()
                assert not one.heard("advice")
                go_on.set()
                await one.until(lambda: one.heard("advice"))
                assert one.heard("advice")[0]["id"] == number
                for _ in range(ASKED_OFTEN):
                    again = await one.answer("hint", seq=one.seq)
                    assert again["actions"] == one.heard("advice")[0]["actions"]
                assert len(views) == 1
                await one.act("bid 1")
                await two.turn()
                assert (await two.answer("hint", seq=two.seq))["type"] == "advice"
                assert [view.seat for view in views] == [0, 1]
                assert [hand is None for hand in views[1].hands] == [True, False, True]

    asyncio.run(run())


def test_where_no_advice_can_be_found_that_is_a_fault_of_the_server_and_the_hand_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken(_: dizhu.View) -> tuple[str, ...]:
        raise RuntimeError

    monkeypatch.setattr(hints, "advice", broken)

    async def run():
        async with serving(QUICK, clock=HandClock(), dealer=POSITION) as server, joined(server) as one:
            await sit_together(server, [one], "classic")
            assert (await one.answer("hint", seq=one.seq))["code"] == "internal"
            assert (await one.act("bid 1"))["type"] == "done"

    asyncio.run(run())
    assert "no advice was found" in caplog.text


class Ponderer:
    """Thinks until it is told to answer; then it passes, or fails."""

    ponders = True

    def __init__(self, *, fails: bool) -> None:
        self.asked, self.go_on = threading.Event(), threading.Event()
        self.threads: list[threading.Thread] = []
        self._fails = fails

    def act(self, view: dizhu.View) -> str:
        self.threads.append(threading.current_thread())
        self.asked.set()
        assert self.go_on.wait(PATIENCE)
        if self._fails:
            raise RuntimeError
        return "bid 2" if "bid 2" in view.legal else view.legal[0]


@pytest.mark.parametrize("fails", [False, True])
def test_while_a_bot_ponders_the_server_goes_on_and_its_table_waits(fails: bool, caplog: pytest.LogCaptureFixture):
    async def run():
        async with serving(QUICK, clock=HandClock(), dealer=POSITION) as server:
            async with joined(server) as one, joined(server) as two:
                table = await sit_together(server, [one], "classic")
                bot = Ponderer(fails=fails)
                table.places[1].player = bot
                await one.act("bid 1")
                await asyncio.to_thread(bot.asked.wait, PATIENCE)
                late = await one.send("say", phrase=1)
                assert (await two.sit("classic"))["type"] == "done"
                assert not [message for message in one.heard("done") if message["id"] == late]
                bot.go_on.set()
                await one.until(lambda: [message for message in one.heard("done") if message["id"] == late])
                said = [event["event"] for event in one.events if event["event"]["seat"] == 1]
                assert said[0]["value"] == (None if fails else 2)
                assert threading.main_thread() not in bot.threads

    asyncio.run(run())
    assert ("failed" in caplog.text) == fails
