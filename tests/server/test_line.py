"""Those who want one of a few places are served in order, however many they are, unless nothing moves."""

from __future__ import annotations

import asyncio

import pytest

from dizhu.server.store.line import Line

PATIENCE = 0.1


def test_a_line_that_moves_is_served_to_its_end_and_in_order():
    served: list[int] = []

    async def visit(line: Line, number: int) -> None:
        async with line.place():
            await asyncio.sleep(PATIENCE / 10)
            served.append(number)

    async def run() -> None:
        line = Line(2, PATIENCE)
        # All together they take many times as long as anybody waits for nothing.
        await asyncio.gather(*(visit(line, number) for number in range(100)))

    asyncio.run(run())
    assert served == list(range(100))


def test_a_line_that_does_not_move_is_given_up():
    async def run() -> None:
        line = Line(1, PATIENCE)
        async with line.place():
            waiting = [asyncio.create_task(line.place().__aenter__()) for _ in range(3)]
            done = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(error) for error in done] == [TimeoutError] * 3
        async with line.place():
            pass

    asyncio.run(run())


@pytest.mark.parametrize("turns", range(3))
def test_who_goes_away_while_he_waits_takes_nobody_a_place(turns: int):
    async def run() -> None:
        line = Line(1, PATIENCE)
        async with line.place():
            gone = asyncio.create_task(line.place().__aenter__())
            next_one = asyncio.create_task(line.place().__aenter__())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        # He may go before he hears that it is his turn, or just then.
        for _ in range(turns):
            await asyncio.sleep(0)
        assert gone.cancel()
        await asyncio.wait({gone})
        await asyncio.wait_for(next_one, 5)

    asyncio.run(run())
