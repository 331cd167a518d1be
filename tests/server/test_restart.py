"""A server that stops and is started again on the same database: every table goes on where it was."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import dizhu
from server.harness import QUICK, HandClock, dealing, joined, serving, sit_together


@pytest.mark.slow
@pytest.mark.parametrize("variant", dizhu.variants())
def test_every_phase_goes_on_after_a_restart(variant: str, tmp_path: Path):
    """The server is stopped before each answer of a whole hand."""
    database = f"sqlite:///{tmp_path}/dizhu.sqlite3"

    async def run():
        token, phases, results = None, set[str](), None
        while results is None:
            async with serving(QUICK, database=database) as server, joined(server, token) as client:
                if token is None:
                    await client.sit(variant)
                    token = client.token
                else:
                    assert client.welcome["seated"]
                await client.turn()
                phases.add(client.view["phase"])
                before = client.view
                if client.view["phase"] == "over":
                    results = client.view["result"]
                    break
            async with serving(QUICK, database=database) as server, joined(server, token) as client:
                # Bots may have answered a question that is put to all.
                loose = {"turn", "answers"} if len(before["turn"]) > 1 or len(client.view["turn"]) > 1 else set()
                assert {**client.view, **dict.fromkeys(loose)} == {**before, **dict.fromkeys(loose)}
                answer = await client.act(client.view["legal"][-1])
                assert answer["type"] == "done"
        assert "play" in phases
        assert sum(results["points"]) + results["house"] == 0

    asyncio.run(run())


def test_the_clock_is_given_back_five_seconds_at_least(tmp_path: Path):
    async def run():
        database, clock = f"sqlite:///{tmp_path}/dizhu.sqlite3", HandClock()
        dealer = dealing("34567T", "BR89", "5566")
        async with serving(QUICK, database=database, clock=clock, dealer=dealer) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "classic")
                tokens = [one.token, two.token, three.token]
                clock.advance(3)
        clock.advance(4)
        async with serving(QUICK, database=database, clock=clock, dealer=dealer) as server:
            async with joined(server, tokens[0]) as one:
                assert one.table["clock"] == {"limit_ms": 15_000, "left_ms": 8_000}
        clock.advance(1_000)
        async with serving(QUICK, database=database, clock=clock, dealer=dealer) as server:
            async with joined(server, tokens[0]) as one:
                assert one.table["clock"] == {"limit_ms": 15_000, "left_ms": 5_000}
                clock.advance(5.1)
                await one.until(lambda: one.view["turn"] == [1])

    asyncio.run(run())


def test_the_clock_given_back_is_that_of_the_question(tmp_path: Path):
    """Not of what was written down last: that others have answered already, or that somebody has left."""

    async def run():
        database, clock = f"sqlite:///{tmp_path}/dizhu.sqlite3", HandClock()
        async with serving(QUICK, database=database, clock=clock) as server:
            async with joined(server) as one, joined(server) as two, joined(server) as three:
                await sit_together(server, [one, two, three], "happy")
                token = one.token
                clock.advance(4)
                await two.act("no")
                await three.answer("leave")
                await one.until(lambda: one.table["seats"][2]["bot"])
        async with serving(QUICK, database=database, clock=clock) as server, joined(server, token) as one:
            assert one.asked()
            assert one.table["clock"] == {"limit_ms": 10_000, "left_ms": 6_000}

    asyncio.run(run())
