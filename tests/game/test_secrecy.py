"""Nobody sees what he may not know: two worlds alike to a seat give it equal views, in every phase of every game.

What a seat may know is told here again by the rule book, not taken from the library.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from dizhu import Game, View, position, shuffled, variant, variants
from dizhu.testing.worlds import Known, hidden_places, other_world
from game.table import SMALL, fork, run, start, views

BOTTOM_IS_SHOWN = {"landlord_war", "classic", "happy", "two_player"}
EAGER = ("call", "rob", "open", "declare", "double", "bid 2")


def may_know(hand: Game, observer: int | None) -> Known:
    """The rule book's opinion (§3): own cards, open hands, a shown bottom, and between known landlords each other's."""
    opened = {answer.seat for answer in hand.state.answers if answer.action == "open"}
    seats = opened | ({observer} if observer is not None else set())
    taken = hand.phase not in ("bid", "call", "rob") and hand.view(None).moment not in ("before", "early", "late")
    taken = taken and hand.phase != "redeal"
    shown = taken and hand.variant.name in BOTTOM_IS_SHOWN
    if hand.variant.marked:
        landlord = hand.deal.first
        twin = [seat for seat, cards in enumerate(hand.deal.hands) if hand.deal.marked in cards and seat != landlord]
        declared = any(answer.action == "declare" for answer in hand.state.answers)
        played = [move.seat for move in hand.state.history for card in move.cards if card == hand.deal.marked]
        known = declared or any(seat in twin for seat in played) or len(played) == 2
        if known and observer in {landlord, *twin}:
            seats |= {landlord, *twin}
        return Known(frozenset(seats), bottom=observer == landlord)
    taker = {"auction": hand.view(None).landlords[:1]}.get(hand.variant.name, ())
    return Known(frozenset(seats), bottom=shown or (taken and observer in taker))


def played_on(name: str, seed: int, eagerness: float) -> Game:
    """A full hand with some number of answers given, the earlier phases more often than the later."""
    generator = Random(seed)
    game = variant(name)
    hand = Game(game, shuffled(game, generator.randbytes(32)))
    for _ in range(int(generator.random() ** 2 * 60)):
        if not hand.turn:
            break
        seat = generator.choice(hand.turn)
        legal = hand.legal(seat)
        wanted = [action for action in legal if action in EAGER]
        hand.act(seat, wanted[0] if wanted and generator.random() < eagerness else generator.choice(legal))
    return hand


@pytest.mark.parametrize("name", variants())
def test_two_worlds_alike_to_a_seat_give_it_equal_views(name: str):
    reached: Counter[str] = Counter()
    exchanged = 0
    for seed in range(150):
        hand = played_on(name, seed, (seed % 5) / 4)
        if hand.result:
            continue
        observers = (*range(hand.variant.seats), None)
        for observer in observers:
            known = may_know(hand, observer)
            world = other_world(hand, observer, Random(seed), known)
            assert world.view(observer) == hand.view(observer), (hand.phase, observer, known)
            exchanged += world.deal != hand.deal
        reached[f"{hand.phase} {hand.view(None).moment or ''}".strip()] += 1
    assert "play" in reached
    assert exchanged > 300
    if name == "happy":
        assert {"open before", "open early", "open late", "open landlord", "call", "double"} <= set(reached)
    if name == "five_player":
        assert {"declare", "double"} <= set(reached)


def cards_in(value: Any) -> Counter[str]:
    """All physical cards anywhere in a view, as text; ranks in legal actions are no secret of others."""
    if isinstance(value, str):
        return Counter([value]) if value in CARDS else Counter()
    if isinstance(value, dict):
        return sum((cards_in(item) for key, item in value.items() if key not in NO_CARDS), Counter())
    if isinstance(value, (tuple, list)):
        return sum(map(cards_in, value), Counter())
    return Counter()


CARDS = set(variant("five_player").deck.cards)
NO_CARDS = {"legal", "table", "last", "rank", "marked"}
"""Fields that say again what others say, or that hold no cards."""


@pytest.mark.parametrize("name", variants())
def test_no_view_holds_a_card_that_lies_in_a_hidden_place(name: str):
    for seed in range(60):
        hand = played_on(name, seed, 0.5)
        if hand.result:
            continue
        groups = (*hand.deal.hands, hand.deal.bottom, hand.deal.aside)
        deck = Counter(hand.variant.deck.cards)
        for observer in (*range(hand.variant.seats), None):
            hidden = Counter(groups[group][number] for group, number in hidden_places(hand, may_know(hand, observer)))
            view = hand.view(observer)
            seen = cards_in(asdict(view)) - (cards_in(view.bottom or ()) if hand.state.taker is not None else Counter())
            assert seen <= deck - hidden, observer


@pytest.mark.parametrize("name", variants())
def test_a_spectator_sees_no_hand_before_the_end_but_open_ones(name: str):
    for seed in range(20):
        hand = played_on(name, seed, 0.0)
        if hand.result is None:
            opened = hand.view(None).opened
            assert all(cards is None or seat in opened for seat, cards in enumerate(hand.view(None).hands))
            assert hand.view(None).legal == ()
            assert not hand.view(None).may_leave


HELD = [
    ("landlord_war", ["0 call; 1 no; 2 no"], "double"),
    ("happy", [], "open"),
    ("happy", ["skip", "0 call; 1 no; 2 no; 0 no"], "double"),
    ("five_player", [], "declare"),
    ("five_player", [f"{seat} no" for seat in range(5)], "double"),
]


@pytest.mark.parametrize(("name", "script", "answer"), HELD)
def test_others_do_not_see_what_i_answered_until_all_have(name: str, script: list[str], answer: str):
    asked = start(name, None, script)
    assert asked.simultaneous
    for me in (seat for seat in asked.turn if answer in asked.legal(seat)):
        yes, no = fork(asked), fork(asked)
        events = (yes.act(me, answer), no.act(me, "no"))
        assert events[0] == events[1]
        for other in (*range(asked.variant.seats), None):
            assert yes.view(other) == no.view(other), "not even my own view says it before it is published"
        for other in yes.turn[:-1]:
            assert yes.act(other, "no") == no.act(other, "no")
            assert yes.view(None) == no.view(None)
        last = yes.turn[0]
        assert yes.act(last, "no") != no.act(last, "no")


@pytest.mark.parametrize("name", variants())
def test_what_a_hand_can_beat_shows_in_nobody_elses_view(name: str):
    """Whether the next seat has an answer is its secret: the others see the same question either way."""
    hands = list(SMALL[name])
    strong = [*hands]
    strong[1] = "8s B R"
    weak = [*hands]
    weak[1] = "8s 5h 5c" if name == "two_player" else "8s 4h 4c"
    game = variant(name)
    found: list[list[View]] = []
    for some in (strong, weak):
        hand = Game(game, position(game, some, "", 0, "7h" if game.marked else None))
        while hand.phase != "play":
            seat = hand.turn[0]
            hand.act(seat, next((answer for answer in hand.legal(seat) if answer in ("bid 3", "call")), "no"))
        run(hand, [f"0 play {'5' if name == 'two_player' else '3'}"])
        found.append([view for view in views(hand) if view.seat != 1])
    assert found[0] == found[1]


@pytest.mark.parametrize("name", variants())
def test_everything_is_shown_after_the_end(name: str):
    seed = 0
    while not (hand := played_to_the_end(name, seed)).result:
        seed += 1
    for view in views(hand):
        assert all(cards is not None for cards in view.hands)
        assert view.bottom is not None
        assert view.aside is not None
        assert len(view.aside) == hand.variant.aside
        assert view.revealed
        assert view.landlords == hand.result.landlords


def played_to_the_end(name: str, seed: int) -> Game:
    generator = Random(seed)
    hand = Game(variant(name), shuffled(variant(name), generator.randbytes(32)))
    while hand.turn:
        hand.act(hand.turn[0], generator.choice(hand.legal(hand.turn[0])))
    return hand
