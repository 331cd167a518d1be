"""The compiled learner: its gradients, that it depends on its seed alone, and that it learns."""

from __future__ import annotations

import random
import struct
from array import array

import pytest

import dizhu
from dizhu.errors import DizhuError
from dizhu.training import learner

GAMES = ("classic", "auction", "two_player", "five_player")
"""One game for each family of combinations, and the two with networks of their own."""


def loss_at(made: object, role: int, facts: list[int], target: tuple[float, float]) -> tuple[float, array[float]]:
    loss, gradient = made.gradient(role, facts, *target)  # type: ignore[attr-defined]
    return loss, array("f", gradient)


@pytest.mark.parametrize("game", ["classic", "five_player"])
def test_gradients_are_those_of_finite_differences(game: str):
    made = learner(dizhu.variant(game), seed=1)
    draws = random.Random(2)
    facts, target = draws.sample(range(made.facts), 60), (1.0, -0.5)
    role = made.roles - 1
    _, gradient = loss_at(made, role, facts, target)
    size = len(gradient)
    state = made.state()
    begin = role * (3 * 4 * size + 8)
    large = [place for place in range(size) if abs(gradient[place]) > 1e-3]
    small = [place for place in range(size) if gradient[place] == 0]
    for place in draws.sample(large, 60) + draws.sample(small, 20):

        def moved(step: float, place: int = place) -> float:
            changed = bytearray(state)
            (weight,) = struct.unpack_from("f", changed, begin + 4 * place)
            struct.pack_into("f", changed, begin + 4 * place, weight + step)
            made.restore(bytes(changed))
            return loss_at(made, role, facts, target)[0]

        # Where a threshold lies within the step, the gradient is the slope of the other side.
        step, here = 2e-3, moved(0.0)
        slopes = (moved(step) - here) / step, (here - moved(-step)) / step
        assert any(slope == pytest.approx(gradient[place], rel=0.03, abs=0.005) for slope in slopes)


@pytest.mark.parametrize("game", GAMES)
def test_one_thread_depends_on_the_seed_alone(game: str):
    def trained(seed: int) -> bytes:
        made = learner(dizhu.variant(game), seed)
        made.run(20_000, 1e-3, 0.01, 0.5, 1.0, 0.0)
        return made.weights()

    first = trained(3)
    assert first == trained(3)
    assert first != trained(4)


def test_a_state_goes_on_as_if_nothing_had_been():
    made, other = (learner(dizhu.variant("classic"), seed) for seed in (1, 2))
    made.run(20_000, 1e-3, 0.01, 0.5, 1.0, 0.0)
    other.restore(made.state())
    assert other.weights() == made.weights()
    assert other.match(made.weights(), 200, 5, 0.5)[2] == 0, "equal networks take nothing from each other"


def test_nothing_but_a_state_of_the_game_is_taken():
    made = learner(dizhu.variant("classic"), 1)
    before = made.weights()
    for wrong in (b"", made.state()[:-1], learner(dizhu.variant("two_player"), 1).state()):
        with pytest.raises(ValueError, match="not the state"):
            made.restore(wrong)
    with pytest.raises(ValueError, match="not the weights"):
        made.match(b"abc", 1, 1, 0.5)
    for wrong in ([made.facts], [-1], [0] * 1000):
        with pytest.raises(ValueError, match="fact"):
            made.gradient(0, wrong, 1.0, 0.0)
    with pytest.raises(ValueError, match="no role"):
        made.gradient(3, [0], 1.0, 0.0)
    assert made.weights() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "decisions", "share"),
    [("classic", 1_000_000, 0.9), ("two_player", 600_000, 0.85), ("five_player", 400_000, 0.8)],
)
def test_it_learns_to_beat_random_play_from_nothing(game: str, decisions: int, share: float):
    """A minute on one processor at most; on one thread, so that the outcome is always the same."""
    made = learner(dizhu.variant(game), seed=1)
    untaught = made.match(None, 1_000, 7, 0.5)
    made.run(decisions, 1e-3, 0.01, 0.5, 1.0, 0.0)
    taught = made.match(None, 1_000, 7, 0.5)
    assert sum(untaught[:2]) < 1_500
    assert sum(taught[:2]) > 2_000 * share


def test_without_the_core_there_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIZHU_PURE", "1")
    with pytest.raises(DizhuError) as error:
        learner(dizhu.variant("classic"), 1)
    assert error.value.code == "no_core"
