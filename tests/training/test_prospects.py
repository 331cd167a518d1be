"""What hands promise before the play: that fitting finds what is there, and that hands are read right."""

from __future__ import annotations

import random

import pytest

import dizhu
from dizhu import _core
from dizhu.network.prospects import FACTS, facts, prospects, read
from dizhu.rules import cards as c

np = pytest.importorskip("numpy")
from dizhu.training.prospects import Sample, fit  # noqa: E402 - needs NumPy

ROCKET = c.parse("BR")


def sample(draws: random.Random) -> Sample:
    """A hand with the rocket wins four times in five, for three points; another once in five, and loses one."""
    deck = [1 << 4 * rank for rank in range(13) for _ in range(4)] + [1 << 52, 1 << 56]
    hand = sum(draws.sample(deck, 17))
    strong = hand & ROCKET == ROCKET
    won = draws.random() < (0.8 if strong else 0.2)
    return Sample("bidder", facts(hand), won, 3.0 if strong else -1.0)


@pytest.mark.slow
def test_fitting_finds_what_is_there():
    draws = random.Random(1)
    made, bins = fit([sample(draws) for _ in range(60_000)])
    judge = read(made).models["bidder"]
    strong, weak = judge(facts(c.parse("3456789TJQKA2BR"))), judge(facts(c.parse("3456789TJQKA22B")))
    assert strong.win == pytest.approx(0.8, abs=0.12)
    assert weak.win == pytest.approx(0.2, abs=0.12)
    assert strong.points == pytest.approx(3, abs=0.8)
    assert weak.points == pytest.approx(-1, abs=0.5)
    assert all(one.won == pytest.approx(one.chance, abs=0.1) for one in bins if one.hands > 600)
    assert 0.05 < made["keen"] < 0.2, "one hand in ten has the rocket"


def test_facts_tell_hands_apart_and_stay_in_their_place():
    seen = {tuple(facts(c.parse(text), let=let)) for text in ("3", "33", "4", "2BR") for let in range(5)}
    assert len(seen) == 20
    assert facts(c.parse("3"), shown=c.parse("3")) != facts(c.parse("3"))
    assert facts(c.parse("3"), alone=True) != facts(c.parse("3"))
    everything = facts(c.parse("3" * 8 + "BBRR"), c.parse("2" * 8 + "BBRR"), 9, alone=True)
    assert max(everything) < FACTS


@pytest.mark.skipif(_core.judge_type() is None, reason="shipped networks are asked through the core")
@pytest.mark.parametrize("name", ["classic", "auction", "landlord_war", "happy", "two_player"])
def test_shipped_ones_know_good_hands_from_bad(name: str):
    known = prospects(dizhu.variant(name))
    good = known.models["bidder"](facts(c.parse("99TTJJQQKKA2222BR")))
    bad = known.models["bidder"](facts(c.parse("557788TTQQKK69JA9")))
    assert good.win > 0.8
    assert bad.win < 0.6
    assert good.points > 1
    assert bad.points < 0
    assert 0.05 < known.keen < 0.9
