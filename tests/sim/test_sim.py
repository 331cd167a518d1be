"""The simulator: the core and the plain layer play the same hands, and both play by the rules of `dizhu.Game`."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

import dizhu
from dizhu import _core, sim
from dizhu.rules import cards as c
from dizhu.sim import plain

NAMES = dizhu.variants()


def seen(table: Any) -> dict[str, Any]:
    fields = ("hands", "turn", "winner", "over", "key", "landlords", "doublings")
    return {name: getattr(table, name) for name in fields} | {"plays": tuple(table.plays), "moves": table.moves()}


@pytest.mark.skipif(_core.Rules is None, reason="the C core was not built, or DIZHU_PURE is set")
@pytest.mark.parametrize("name", NAMES)
def test_both_layers_play_the_same_hands_from_the_same_seeds(name: str):
    game = dizhu.variant(name)
    slow = plain.Rules(game)
    for seed in range(60):
        draws = random.Random(seed)
        ours, theirs = sim.deal(game, seed), slow.deal(seed)
        while not ours.over:
            assert seen(ours) == seen(theirs)
            moves = ours.moves()
            assert ours.count() == theirs.count() == len(moves)
            index = draws.randrange(len(moves))
            if draws.random() < 0.5:
                ours.play(moves[index])
                theirs.play_index(index)
            else:
                ours.play_index(index)
                theirs.play(moves[index])
        assert seen(ours) == seen(theirs)
    assert sim.play_random(game, 50, 7) == slow.play_random(50, 7)


@pytest.mark.parametrize("layer", ["sim", "plain"])
@pytest.mark.parametrize("name", NAMES)
def test_a_hand_is_the_play_of_a_game(name: str, layer: str):
    """Every position of a simulated hand has the moves, the turn and the end of the same hand in `dizhu.Game`."""
    game = dizhu.variant(name)
    draws = random.Random(5)
    for seed in range(8):
        hand = dizhu.Game(game, dizhu.shuffled(game, bytes([seed]) * 32))
        while hand.phase not in {"play", "redeal"}:
            seat = hand.turn[0]
            hand.act(seat, draws.choice(hand.legal(seat)))
        if hand.phase == "redeal":
            continue
        state = hand.state
        bits = sum(1 << seat for seat in state.all_landlords)
        table: Any = (
            sim.table(game, state.words, state.all_landlords, hand.turn[0], state.let)
            if layer == "sim"
            else plain.Rules(game).table(state.words, bits, hand.turn[0], state.let)
        )
        while hand.phase == "play":
            moves = table.moves()
            assert table.turn == hand.turn[0]
            texts = ["play " + c.format_cards(cards) if cards else "pass" for cards in moves]
            assert texts == hand.legal(table.turn)
            index = draws.randrange(len(moves))
            hand.act(table.turn, texts[index])
            table.play(moves[index])
        assert table.over
        assert table.winner == hand.state.out
        assert 2**table.doublings == hand.state.multiplier // before(hand)


def before(hand: dizhu.Game) -> int:
    """The part of the multiplier that does not come from combinations."""
    product = 1
    for factor in hand.state.factors:
        product *= factor.times if factor.name not in {"bomb", "rocket"} else 1
    return product


@pytest.mark.parametrize("name", NAMES)
def test_random_deals_hold_the_deck(name: str):
    game = dizhu.variant(name)
    for seed in range(200):
        table = sim.deal(game, seed)
        sizes = [c.size(hand) for hand in table.hands]
        assert sizes == [game.deal + game.bottom] + [game.deal] * (game.seats - 1)
        assert c.contains(game.deck.word, sum(table.hands))
        assert table.landlords & 1
        assert table.landlords.bit_count() <= (2 if game.marked else 1)


def test_the_hidden_landlord_is_where_the_twin_is_dealt():
    """The twin is one of the 107 other cards, and 84 of them go to the four others."""
    game = dizhu.variant("five_player")
    tables = 4000
    hidden = sum(sim.deal(game, seed).landlords.bit_count() - 1 for seed in range(tables))
    assert abs(hidden / tables - 84 / 107) < 0.03


@pytest.mark.parametrize("rules", [sim.rules(dizhu.variant("classic")), plain.Rules(dizhu.variant("classic"))])
def test_what_is_not_allowed_is_refused_and_changes_nothing(rules: Any):
    table = rules.table((c.parse("34"), c.parse("56"), c.parse("78")), 1, 0, 0)
    before_it = seen(table)
    for cards in (0, c.parse("5"), c.parse("34"), c.parse("33")):
        with pytest.raises(ValueError, match="may not play"):
            table.play(cards)
    for index in (2, 1000):
        with pytest.raises(ValueError, match="not that many"):
            table.play_index(index)
    assert seen(table) == before_it
    table.play(c.parse("4"))
    with pytest.raises(ValueError, match="may not play"):
        table.play(c.parse("56"))
    copy = table.copy()
    copy.play_random(1)
    assert copy.over
    assert copy.moves() == []
    assert not table.over
    with pytest.raises(ValueError, match="over"):
        copy.play(0)
    with pytest.raises(ValueError, match="over"):
        copy.play_index(0)


@pytest.mark.parametrize("rules", [sim.rules(dizhu.variant("classic")), plain.Rules(dizhu.variant("classic"))])
def test_a_list_of_moves_is_the_callers_own(rules: Any):
    table = rules.table((c.parse("3344"), c.parse("56"), c.parse("78")), 1, 0, 0)
    for cards in (c.parse("3"), 0):
        expected = table.moves()
        table.moves().clear()
        table.moves().append(c.parse("8"))
        assert table.moves() == expected
        with pytest.raises(ValueError, match="may not play"):
            table.play(c.parse("8"))
        table.play(cards)


@pytest.mark.parametrize("rules", [sim.rules(dizhu.variant("classic")), plain.Rules(dizhu.variant("classic"))])
def test_positions_that_cannot_be_are_refused(rules: Any):
    four = c.parse("3333")
    for hands in ((1, 1), (1, 1, 0), (four, four, 1)):
        with pytest.raises(ValueError, match=r"hands|deck"):
            rules.table(hands, 1, 0, 0)


def test_let_cards_end_the_hand_for_a_farmer_only():
    game = dizhu.variant("two_player")
    hands = [c.parse("59TT"), c.parse("67JJ")]
    table = sim.table(game, hands, landlords=(0,), let=3)
    table.play(c.parse("5"))
    assert not table.over
    table.play(c.parse("6"))
    assert SimpleNamespace(over=table.over, winner=table.winner) == SimpleNamespace(over=True, winner=1)
