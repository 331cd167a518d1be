"""The bot `rule` in many whole hands. `DIZHU_BOT_HANDS=1000 pytest tests/bots/test_hands.py` plays 1,000 of each game.

That takes some minutes, so a usual run plays fewer.
"""

from __future__ import annotations

import os
from hashlib import sha256

import pytest

import dizhu
from dizhu import bots

HANDS = int(os.environ.get("DIZHU_BOT_HANDS", "100"))
PARTS = 4


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", dizhu.variants())
def test_plays_whole_hands_legally(name: str, part: int):
    variant = dizhu.variant(name)
    bot = bots.create("rule", seed=part)
    played = 0
    for number in range(part, HANDS, PARTS):
        game = dizhu.Game(variant, dizhu.shuffled(variant, sha256(f"{name} {number}".encode()).digest()))
        while game.turn:
            view = game.view(game.turn[0])
            action = bot.act(view)
            assert action in view.legal
            game.act(game.turn[0], action)
        played += game.phase == "over"
    assert played > 0.5 * HANDS / PARTS
