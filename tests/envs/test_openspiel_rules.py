"""How OpenSpiel's own game differs from `classic`: in what docs/coming-from.md says, and in nothing else."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import dizhu

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `bench`)")

CLASSIC = dizhu.variant("classic")
RANKS = "3456789TJQKA2BR"
DECK = Counter("3456789TJQKA2" * 4 + "BR")
BEFORE_THE_PLAY = 4
"""The actions with which it passes and bids; the first of them is also the pass of the play."""


def read(name: str) -> str:
    """A combination, or the card that is dealt, as sorted ranks: `333-4` is 3334, `Deal H7` is 7."""
    cards = name.rpartition(" ")[2].replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", "")
    return "".join(sorted(cards[-1:] if name.startswith("Deal") else cards, key=RANKS.index))


@pytest.fixture(scope="module")
def theirs() -> Any:
    return pyspiel.load_game("dou_dizhu")


@pytest.fixture(scope="module")
def names(theirs: Any) -> list[str]:
    """Its actions of the play, by id, as ranks; nothing for a pass and for bids."""
    state, draws = theirs.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(draws.choice(state.legal_actions()))
    every = range(BEFORE_THE_PLAY, theirs.num_distinct_actions())
    return [""] * BEFORE_THE_PLAY + [read(state.action_to_string(0, number)) for number in every]


def test_its_actions_are_ours_without_four_and_two_and_with_more_kickers(names: list[str]):
    ids = Counter(names[BEFORE_THE_PLAY:])
    ours = {combo.text: combo.kind for combo in CLASSIC.grammar.moves(CLASSIC.grammar.deck)}
    missing = Counter(kind for text, kind in ours.items() if text not in ids)
    assert missing == {"four_two_solo": 1_326, "four_two_pair": 858}
    assert len(ids.keys() - ours.keys()) == 374
    assert sum(count > 1 for count in ids.values()) == 383


def positions(game: Any, names: list[str], hands: int) -> Iterator[tuple[str, str, set[str]]]:
    """Hands played at random: for each decision the own hand, what is to be beaten, and what OpenSpiel lists."""
    draws = random.Random(2)
    for _ in range(hands):
        state = game.new_initial_state()
        dealt: list[str] = []
        while state.is_chance_node():
            drawn = draws.choice(state.legal_actions())
            dealt.append(state.action_to_string(drawn))
            state.apply_action(drawn)
        state.apply_action(state.legal_actions()[-1])  # whoever is asked first bids 3 and is landlord
        cards = [read(name) for name in dealt[1:]]
        held = [Counter(cards[seat::3]) for seat in range(3)]
        held[state.current_player()] += DECK - Counter(cards)
        course: list[str] = []
        while not state.is_terminal():
            seat, legal = state.current_player(), state.legal_actions()
            hand = "".join(sorted(held[seat].elements(), key=RANKS.index))
            against = next(filter(None, course[:-3:-1]), "")
            yield hand, against, {names[number] for number in legal} - {""}
            chosen = draws.choice(legal)
            course.append(names[chosen])
            held[seat] -= Counter(names[chosen])
            state.apply_action(chosen)


def test_its_legal_moves_differ_in_nothing_else(theirs: Any, names: list[str]):
    seen: Counter[str] = Counter()
    for hand, against, listed in positions(theirs, names, 150):
        ours = {text: CLASSIC.classify(text) for text in CLASSIC.moves(hand, against)}
        seen["decisions"] += 1
        for text, combo in ours.items():
            assert combo
            plain_chain = combo.kind in {"solo_chain", "pair_chain", "trio_chain"}
            if combo.kind.startswith("four_two"):
                assert text not in listed
                seen["four and two"] += 1
            elif plain_chain and not against and hand.count(text[0]) == 4:
                assert text not in listed
                seen["chains of a bomb"] += 1
            else:
                assert text in listed, (hand, against, text)
        for text in listed - ours.keys():
            assert against == "BR"
            assert len(text) == hand.count(text[0]) == 4
            seen["bombs on the rocket"] += 1
    assert all(seen.values())
    assert set(seen) == {"decisions", "four and two", "chains of a bomb", "bombs on the rocket"}, seen
