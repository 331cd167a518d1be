"""The bot of the page and of examples/ plays whole hands on a real server."""

from __future__ import annotations

import asyncio
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dizhu.server.rooms import read_rooms
from server.harness import serving

PROJECT = Path(__file__).resolve().parents[2]
ROOMS = {name: replace(room, fill=0, bot="random") for name, room in read_rooms().items()}


def run(main: Any) -> Any:
    """Call something with the address of a server."""

    async def story():
        async with serving(rooms=ROOMS) as server, asyncio.timeout(60):
            return await main(f"http://{server.address}")

    return asyncio.run(story())


def test_the_bot_of_the_page_plays(capsys: pytest.CaptureFixture[str]):
    (code,) = (PROJECT / "docs" / "bots.md").read_text(encoding="utf-8").split("```python\n")[1:]
    lines = code.split("```")[0].splitlines()
    assert lines[-1] == 'asyncio.run(main("http://127.0.0.1:8000"))'
    names: dict[str, Any] = {}
    exec("\n".join(lines[:-1]), names)
    run(names["main"])
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_the_bot_of_the_examples_plays_and_comes_back_with_its_token(capsys: pytest.CaptureFixture[str]):
    script = runpy.run_path(str(PROJECT / "examples" / "bot.py"))

    async def twice(address: str) -> list[int]:
        points = await script["play"](address, "two-player-points", 2)
        token = capsys.readouterr().out.split()[0]
        return points + await script["play"](address, "classic-points", 1, token)

    points = run(twice)
    assert len(points) == 3
    assert all(points)
