"""examples/rlcard_rule_bot.py plays as the rule model plays in RLCard itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dizhu import Game, variant
from dizhu.bots.arena import Match, run
from dizhu.bots.program import Program, ranks
from dizhu.game.deal import position
from dizhu.game.play_only import play_only

rlcard = pytest.importorskip("rlcard")

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "rlcard_rule_bot.py"
NAME = f"program:{sys.executable} {SCRIPT}"
SEED = 123


@pytest.fixture
def program() -> Iterator[Program]:
    """The example, running."""
    running = Program(NAME, 30)
    running.greet()
    yield running
    running.stop()


def same_deal(table: Any) -> Game:
    """Begin the hand that RLCard has dealt."""
    hands = [player.initial_hand for player in table.game.players]
    return Game(play_only(variant("landlord_war")), position(variant("landlord_war"), hands))


@pytest.mark.slow
def test_it_plays_as_in_rlcard(program: Program):
    from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

    agent = DouDizhuRuleAgentV1()
    table = rlcard.make("doudizhu", config={"seed": 5})
    drawn = 0
    for _ in range(60):
        state, seat = table.reset()
        game = same_deal(table)
        while game.turn:
            assert (seat,) == game.turn
            view = game.view(seat)
            assert ranks(view).hand == state["raw_obs"]["current_hand"]
            before = SEED + len(view.history)
            np.random.seed(before)
            answer = agent.step(state)
            after = np.random.random()
            np.random.seed(before)
            drawn += after != np.random.random()
            action = program.act(view, SEED)
            assert action.removeprefix("play ") == answer
            game.act(seat, action)
            state, seat = table.step(answer, raw_action=True)
        assert table.is_over()
        assert game.result
        assert list(table.get_payoffs()) == [int(seat in game.result.winners) for seat in range(3)]
        program.end_hand(game.result)
    assert drawn > 20  # lots were drawn too, and the same


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "auction", "happy"])
def test_it_plays_whole_hands_of_games_that_rlcard_does_not_know(name: str):
    report = run(Match("rule", NAME, name), 2, processes=1)
    assert report.won.value > 0.5
    assert len(report.hands(landlord=True)) > 0
