"""The shipped networks: there for every game, legal in all they do, and the same with and without the core."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

import dizhu
from dizhu import _core, bots
from dizhu.bots.levels import LEVELS
from dizhu.bots.network import NetworkBot
from dizhu.bots.search import Depth, SearchBot
from dizhu.network import read, shipped
from dizhu.network.plain import PlainJudge
from dizhu.network.prospects import path_of
from dizhu.network.stored import role_size

GAMES = dizhu.variants()
DEALS = int(os.environ.get("DIZHU_NETWORK_DEALS", "1000"))
MOST_BYTES = 4 * 1024 * 1024
COMPARED = {"five_player": 0.002}
"""The share of decisions that are also made by NumPy; with two decks they have hundreds of answers each."""

needs_core = pytest.mark.skipif(_core.judge_type() is None, reason="the C core was not built, or DIZHU_PURE is set")


def play(name: str, number: int, bot: bots.Bot) -> list[str]:
    """Play a hand with one bot in all seats; the engine refuses what is illegal."""
    variant = dizhu.variant(name)
    game = dizhu.Game(variant, dizhu.shuffled(variant, random.Random(f"{name} {number}").randbytes(32)))
    while game.turn:
        game.act(game.turn[0], bot.act(game.view(game.turn[0])))
    return [action for _, action in game.actions]


@pytest.mark.parametrize("name", GAMES)
def test_networks_of_every_game_are_there_and_small(name: str):
    variant = dizhu.variant(name)
    stored = read(shipped(variant))
    assert role_size(stored.facts) <= MOST_BYTES
    assert path_of(variant).exists()


@needs_core
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_hands_are_legal_and_numpy_chooses_the_same(name: str):
    variant = dizhu.variant(name)
    plain = NetworkBot(0, judges=PlainJudge(variant, read(shipped(variant))))
    draws = random.Random(7)
    share = COMPARED.get(name, 0.05)
    compared = 0

    class Both(NetworkBot):
        def play(self, view: dizhu.View) -> str:
            nonlocal compared
            chosen = super().play(view)
            if draws.random() < share:
                compared += 1
                assert plain.play(view) == chosen
            return chosen

    bot = Both(0)
    for number in range(DEALS):
        play(name, number, bot)
    assert compared > DEALS / 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "two_player"])
def test_whole_hands_are_the_same_without_the_core(name: str):
    code = f"import sys; sys.path.insert(0, 'tests'); from bots.test_levels import *; print(hands({name!r}))"
    pure = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "DIZHU_PURE": "1"}, capture_output=True, text=True, check=False
    )
    assert pure.returncode == 0, pure.stderr
    assert pure.stdout.strip() == str(hands(name))


def hands(name: str) -> list[list[str]]:
    return [play(name, number, NetworkBot(0)) for number in range(3)]


@needs_core
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_and_depends_on_its_seed_and_the_view_alone(level: str):
    for name in ("landlord_war", "two_player"):
        first = play(name, 1, bots.create(level, 3))
        assert play(name, 1, bots.create(level, 3)) == first


@needs_core
def test_looking_ahead_finds_a_win_that_cannot_fail():
    """With the last trick before its eyes a bot must not give it away, whatever the networks say."""
    variant = dizhu.variant("landlord_war")
    for number in range(200):
        game = dizhu.Game(variant, dizhu.shuffled(variant, random.Random(number).randbytes(32)))
        bot = SearchBot(0, Depth(moves=8, worlds=10))
        player = bots.create("random", number)
        while game.turn:
            seat = game.turn[0]
            view = game.view(seat)
            last = [action for action in view.legal if len(action) - len("play ") == view.counts[seat]]
            if view.phase == "play" and last:
                assert bot.act(view) in last
                return
            game.act(seat, player.act(view))
    pytest.fail("no hand came to its last turn")


@needs_core
def test_careless_bots_err_and_careful_ones_do_not():
    view = _lead()
    careful = {NetworkBot(seed).act(view) for seed in range(20)}
    careless = {NetworkBot(seed, carelessness=2.0).act(view) for seed in range(20)}
    assert len(careful) == 1
    assert len(careless) > 3


def _lead() -> dizhu.View:
    variant = dizhu.variant("landlord_war")
    game = dizhu.Game(variant, dizhu.shuffled(variant, bytes(32)))
    while game.phase != "play":
        game.act(game.turn[0], "call" if game.phase == "call" else "no")
    return game.view(game.turn[0])
