"""examples/rlcard_rule_bot.py plays as the rule model plays in RLCard itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dizhu import Game, View, variant
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


def play(table: Any, program: Program, model: Any, mover: Callable[[View], str] | None = None) -> int:
    """Play a hand in RLCard and here, the model on all seats but the landlord's if a `mover` plays that.

    Returns how often the model drew lots.
    """
    state, seat = table.reset()
    game = same_deal(table)
    drawn = 0
    while game.turn:
        assert (seat,) == game.turn
        view = game.view(seat)
        assert ranks(view).hand == state["raw_obs"]["current_hand"]
        if mover and seat == 0:
            action = mover(view)
        else:
            action = program.act(view, SEED)
            np.random.seed(SEED + len(view.history))
            assert action.removeprefix("play ") == model.step(state)
            after = np.random.random()
            np.random.seed(SEED + len(view.history))
            drawn += after != np.random.random()
        game.act(seat, action)
        state, seat = table.step(action.removeprefix("play "), raw_action=True)
    assert table.is_over()
    assert game.result
    assert list(table.get_payoffs()) == [int(seat in game.result.winners) for seat in range(3)]
    program.end_hand(game.result)
    return drawn


@pytest.mark.slow
def test_it_plays_as_in_rlcard(program: Program):
    from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

    table = rlcard.make("doudizhu", config={"seed": 5})
    assert sum(play(table, program, DouDizhuRuleAgentV1()) for _ in range(60)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", [48, 94])
def test_it_chooses_among_answers_in_the_order_of_rlcard(program: Program, seed: int):
    """In these hands the landlord leads what the model itself never does, and the order of the answers decides."""
    from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

    table = rlcard.make("doudizhu", config={"seed": seed})
    assert play(table, program, DouDizhuRuleAgentV1(), lambda view: max(view.legal, key=len)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "auction", "happy"])
def test_it_plays_whole_hands_of_games_that_rlcard_does_not_know(name: str):
    report = run(Match("rule", NAME, name), 2, processes=1)
    assert report.won.value > 0.5
    assert len(report.hands(landlord=True)) > 0
