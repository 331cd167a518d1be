"""The module that fits the models of the bot `rule`."""

from __future__ import annotations

from math import exp
from random import Random

import pytest

import dizhu
from dizhu.bots import fit as fitting
from dizhu.bots.fit import fit
from dizhu.bots.fitted import OUTLOOKS, PROSPECTS


def test_finds_the_model_that_made_the_samples():
    random = Random(1)
    model = (0.5, -1.0, 2.0)
    samples: list[tuple[tuple[float, ...], bool]] = []
    for _ in range(6000):
        values = (1.0, random.uniform(-2, 2), random.uniform(-1, 1))
        chance = 1 / (1 + exp(-sum(weight * value for weight, value in zip(model, values, strict=True))))
        samples.append((values, random.random() < chance))
    assert fit(samples) == pytest.approx(model, abs=0.15)


@pytest.mark.parametrize("name", fitting.HANDS)
def test_samples_are_described_as_the_models_expect(name: str):
    samples = fitting._play_hand(name, 3)
    assert samples == fitting._play_hand(name, 3)
    seats = dizhu.variant(name).seats
    outlooks = OUTLOOKS[3] | OUTLOOKS[seats]
    for key, values, _ in samples:
        model = outlooks[key] if "," in key else PROSPECTS[seats][key]
        assert len(model) == len(values)
    assert {won for _, _, won in samples} == {True, False}


def test_an_excursion_leaves_the_game_where_it_was():
    variant = dizhu.variant("classic")
    game = dizhu.Game(variant, dizhu.shuffled(variant, bytes(32), first=0))
    game.act(0, "bid 3")
    before = game.state, game.actions
    samples = fitting._excursion(game, fitting.RuleBot(0), leader=2)
    assert (game.state, game.actions) == before
    assert [key for key, _, _ in samples] == ["landlord, enemy", "farmer, partner", "farmer, self"]


def test_every_situation_has_a_model():
    for seats in (2, 3, 5):
        models = OUTLOOKS[3] | OUTLOOKS.get(seats, {})
        assert {"landlord, self", "landlord, enemy", "farmer, self", "farmer, enemy", "farmer, partner"} <= set(models)
    assert "landlord, partner" in OUTLOOKS[5]
