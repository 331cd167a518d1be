"""What may be changed of each game is told with the greeting."""

from __future__ import annotations

import asyncio

import dizhu
from server.harness import QUICK, joined, serving


def test_all_options_of_all_games_are_told():
    async def run():
        async with serving(QUICK) as server, joined(server) as client:
            told = {game["name"]: game["options"] for game in client.welcome["variants"]}
            for name, options in told.items():
                variant = dizhu.variant(name)
                assert [option["name"] for option in options] == [option.name for option in variant.options]
                for option in options:
                    for value in (*option["values"], *(option[end] for end in ("least", "most") if option[end])):
                        variant.with_options({option["name"]: value})
            assert {"name": "cap", "values": [None], "least": 1, "most": 1_000_000} in told["five_player"]
            assert {"name": "nobody", "values": ["first", "redeal"], "least": None, "most": None} in told["two_player"]

    asyncio.run(run())
