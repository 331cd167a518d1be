"""What every variant must keep, whoever wrote it: `check_variant` plays random hands and looks at each step."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

from dizhu.errors import DizhuError, IllegalAction
from dizhu.game.deal import shuffled
from dizhu.game.engine import Game
from dizhu.game.physical import Card
from dizhu.game.replay import replay
from dizhu.game.shuffle import SEED_BYTES
from dizhu.game.state import Seat
from dizhu.game.variant import Variant
from dizhu.rules.cards import RANKS
from dizhu.testing.worlds import other_world

_WORDS = ("call", "rob", "open", "double", "declare", "no", "pass", *(f"bid {number}" for number in range(5)))
_LOOKED_AT = 0.05
"""How often, of all decisions, refusals and views are looked at too."""

_LONGEST = 2_000
"""Decisions after which a hand counts as one that does not end."""


def check_variant(variant: Variant, *, hands: int = 100, seed: int = 0) -> None:
    """Play random hands of a variant and raise AssertionError if it breaks what the engine promises.

    Legal is never empty before the end, what legal lacks is refused and changes nothing, cards are conserved,
    scores sum to zero, the record plays to the same hand, and two worlds alike to a seat give it equal views.
    """
    generator = Random(seed)
    for number in range(hands):
        where = f"in hand {number} of check_variant({variant.name}, hands={hands}, seed={seed})"
        try:
            _check_hand(variant, generator)
        except AssertionError as error:
            error.add_note(where)
            raise
        except DizhuError as error:
            message = f"what is legal, or recorded, was refused {where}: {error}"
            raise AssertionError(message) from error


def _check_hand(variant: Variant, generator: Random) -> None:
    hand = Game(variant, shuffled(variant, generator.randbytes(SEED_BYTES)))
    decisions = 0
    while hand.turn:
        assert decisions < _LONGEST, "the hand does not end"
        _check_questions(hand)
        if generator.random() < _LOOKED_AT:
            _check_refusals(hand, generator)
            _check_views(hand, generator)
        seat = generator.choice(hand.turn)
        hand.act(seat, generator.choice(hand.legal(seat)))
        _check_cards(hand)
        decisions += 1
    _check_end(hand)


def _check_questions(hand: Game) -> None:
    assert list(hand.turn) == sorted(set(hand.turn)), f"the seats to answer are {hand.turn}"
    assert hand.simultaneous or len(hand.turn) == 1, "several seats are asked one question"
    for seat in range(hand.variant.seats):
        legal = hand.legal(seat)
        assert bool(legal) == (seat in hand.turn), f"seat {seat} may answer {legal} when {hand.turn} are asked"
        assert len(set(legal)) == len(legal), f"an answer of seat {seat} is listed twice"
        assert not hand.simultaneous or seat not in hand.turn or "no" in legal, "a simultaneous question has no default"


def _check_refusals(hand: Game, generator: Random) -> None:
    before = (hand.state, hand.actions)
    for seat in range(hand.variant.seats):
        legal = set(hand.legal(seat))
        for action in (*_WORDS, *_random_plays(hand, seat, generator)):
            if action in legal:
                continue
            try:
                hand.act(seat, action)
            except IllegalAction:
                assert (hand.state, hand.actions) == before, f"{action!r} was refused and changed something"
            else:
                message = f"{action!r} is not among the legal answers of seat {seat}, and was accepted"
                raise AssertionError(message)


def _random_plays(hand: Game, seat: Seat, generator: Random) -> Iterator[str]:
    held = [card[0] for card in hand.state.hands[seat]]
    deck = [card[0] for card in hand.variant.deck.cards]
    for cards in (held, held, held, deck):
        chosen = generator.sample(cards, generator.randint(1, min(len(cards), 6)))
        yield "play " + "".join(sorted(chosen, key=RANKS.index))


def _check_cards(hand: Game) -> None:
    state, deal = hand.state, hand.deal
    played: list[Card] = [card for move in state.history for card in move.cards]
    bottom = deal.bottom if state.taker is None else ()
    everywhere = Counter(card for group in (*state.hands, played, bottom, deal.aside) for card in group)
    assert everywhere == Counter(hand.variant.deck.cards), "cards were lost or made"


def _check_views(hand: Game, generator: Random) -> None:
    for observer in generator.sample((*range(hand.variant.seats), None), 2):
        view = hand.view(observer)
        assert view == hand.view(observer), "looking changes what is seen"
        world = other_world(hand, observer, generator)
        assert world.view(observer) == view, f"{observer} sees what it may not know in phase {hand.phase}"


def _check_end(hand: Game) -> None:
    assert all(not hand.legal(seat) for seat in range(hand.variant.seats))
    if hand.result is None:
        assert hand.phase == "redeal"
    else:
        assert hand.phase == "over"
        assert sum(hand.result.points) + hand.result.house == 0, "the scores do not sum to zero"
    again = replay(json.loads(json.dumps(hand.record())), lambda _: hand.variant)
    assert (again.state, again.actions) == (hand.state, hand.actions), "the record does not play to the same hand"
