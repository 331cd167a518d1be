"""What holds for every bot."""

from __future__ import annotations

import pytest

import dizhu
from dizhu import bots


def hand(name: str, number: int) -> dizhu.Game:
    game = dizhu.variant(name)
    return dizhu.Game(game, dizhu.shuffled(game, number.to_bytes(32, "big")))


def ponders(bot: str) -> bool:
    """Whether a bot thinks for so long that a few questions have to do."""
    return getattr(bots.create(bot, seed=0), "ponders", False)


def play(game: dizhu.Game, bot: bots.Bot) -> None:
    while game.turn:
        seat = game.turn[-1]
        view = game.view(seat)
        action = bot.act(view)
        assert action in view.legal, (action, view)
        game.act(seat, action)


@pytest.mark.parametrize("name", dizhu.variants())
@pytest.mark.parametrize("bot", bots.names())
def test_answers_every_question_legally(name: str, bot: str):
    for number in range(12):
        game = hand(name, number)
        play(game, bots.create(bot, seed=number))
        assert game.phase in {"over", "redeal"}
        if ponders(bot) and game.phase == "over":
            break


@pytest.mark.parametrize("name", dizhu.variants())
@pytest.mark.parametrize("bot", bots.names())
def test_is_a_function_of_seed_and_view(name: str, bot: str):
    game = hand(name, 5)
    veteran = bots.create(bot, seed=7)
    step = 5 if ponders(bot) else 1
    while game.turn:
        seat = game.turn[0]
        view = game.view(seat)
        action = veteran.act(view)
        if len(view.history) % step == 0:
            assert action == veteran.act(view) == bots.create(bot, seed=7).act(view)
        game.act(seat, action)


def test_seeds_make_random_bots_differ():
    game = hand("classic", 1)
    while game.phase == "bid":
        game.act(game.turn[0], game.legal(game.turn[0])[-1])
    view = game.view(game.turn[0])
    assert len({bots.create("random", seed).act(view) for seed in range(40)}) > 20


def test_unknown_bot_is_refused():
    with pytest.raises(dizhu.UnknownName, match="no bot 'deep'") as error:
        bots.create("deep", seed=1)
    assert error.value.code == "unknown_bot"
