"""A seventh game of less than 150 lines: the house holds for more than Dou Dizhu."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from dizhu import Game, IllegalAction, position
from dizhu.testing import check_variant
from variants import run_fast
from variants.run_fast import VARIANT


def test_it_is_one_short_file():
    assert len(Path(run_fast.__file__).read_text(encoding="utf-8").splitlines()) < 150


def test_deck_has_48_cards_without_jokers_three_twos_and_an_ace():
    cards = VARIANT.deck.cards
    assert len(cards) == len(set(cards)) == 48
    assert [card for card in cards if card[0] in "2BR"] == ["2h"]
    assert len([card for card in cards if card[0] == "A"]) == 3
    assert VARIANT.aside == 0


def test_combinations_are_the_recorded_ones():
    assert VARIANT.grammar.count() == run_fast.COUNTS


def test_trios_with_two_cards_each_counted_another_way():
    ranks = "3456789TJQKA2"
    deck = dict.fromkeys(ranks, 4) | {"A": 3, "2": 1}
    found = {1: 0, 2: 0, 3: 0}
    for length in found:
        cores = ["3456789TJQKA"[start : start + length] for start in range(13 - length)]
        for core in cores:
            others = [rank for rank in ranks if rank not in core]
            for kickers in combinations_with_replacement(others, 2 * length):
                counts = {rank: kickers.count(rank) for rank in kickers}
                found[length] += all(count <= min(2, deck[rank]) for rank, count in counts.items())
    assert found[1] == run_fast.COUNTS["trio_two"]
    assert found[2] + found[3] == run_fast.COUNTS["trio_two_chain"]


def test_it_conforms():
    check_variant(VARIANT, hands=60, seed=1)


def play(hands: list[str], *script: str, first: int = 0) -> Game:
    hand = Game(VARIANT, position(VARIANT, hands, first=first))
    for item in script:
        seat, _, action = item.partition(" ")
        hand.act(int(seat), action)
    return hand


def test_holder_of_the_three_of_spades_leads_anything():
    hand = play(["4s 5s", "3s 66", "77"], first=2)
    assert hand.turn == (1,)
    assert hand.view(0).first == 1
    assert hand.legal(1) == ["play 3", "play 6", "play 66"]


def test_who_can_beat_must():
    hand = play(["3s 4s", "66", "5 7 8"], "0 play 3")
    assert hand.legal(1) == ["play 6"]
    with pytest.raises(IllegalAction) as caught:
        hand.act(1, "pass")
    assert caught.value.code == "must_play"
    hand.act(1, "play 6")
    assert hand.legal(2) == ["play 7", "play 8"]
    hand.act(2, "play 8")
    assert hand.legal(0) == ["pass"]


def test_losers_pay_for_their_cards_and_twice_without_a_play():
    hand = play(["3s", "66", "5 7 8"], "0 play 3")
    assert hand.result
    assert (hand.result.winners, hand.result.points, hand.result.house) == ((0,), (10, -4, -6), 0)
    hand = play(
        ["3s 4s K", "6 T", "5 7 8"], "0 play 3", "1 play 6", "2 play 8", "0 play K", "1 pass", "2 pass", "0 play 4"
    )
    assert hand.phase == "over" or hand.turn
    assert hand.result
    assert hand.result.points == (3, -1, -2)
