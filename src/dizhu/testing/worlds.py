"""Other worlds: hands that a seat cannot tell from the one it sits at, because only what is hidden from it differs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random

from dizhu.errors import IllegalAction
from dizhu.game.deal import Deal
from dizhu.game.engine import Game
from dizhu.game.physical import Card
from dizhu.game.state import Seat

Place = tuple[int, int]
"""Where a card was dealt to: its number in a seat's hand, in the bottom (after the last seat) or aside (the next)."""


_TRIES = 20


@dataclass(frozen=True)
class Known:
    """What one observer may know of the cards: whose hands, as far as they are dealt, and whether the bottom."""

    seats: frozenset[Seat]
    bottom: bool


def known_to(hand: Game, observer: Seat | None) -> Known:
    """Say what the rules let an observer (None: a spectator) know; told from the state, not from its view."""
    state = hand.state
    seats = set(state.opened)
    if observer is not None:
        seats.add(observer)
        if state.revealed and observer in state.all_landlords:
            seats.update(state.all_landlords)
    took = observer is not None and observer == state.taker
    return Known(frozenset(seats), state.bottom_known == "everybody" or (state.bottom_known == "landlord" and took))


def other_world(hand: Game, observer: Seat | None, generator: Random, known: Known | None = None) -> Game:
    """Play a hand again with the cards that an observer cannot know exchanged, and with other held-back answers.

    The public course is the same, so the observer's view must be equal. Only for a hand without a result: with it, all
    is known. `known` is `known_to(hand, observer)` if it is not given.
    """
    assert hand.result is None, "after the end nothing is hidden"
    hidden = hidden_places(hand, known or known_to(hand, observer))
    pairs = (generator.sample(hidden, 2) for _ in range(_TRIES if len(hidden) > 1 else 0))
    # Where passing tells something (who can must beat), not every exchange is possible: then smaller ones are tried.
    for places in (hidden, *pairs, []):
        world = _played_alike(hand, _exchanged(hand.deal, places, generator))
        if world:
            break
    else:
        raise AssertionError("the hand cannot be played again as it was")
    for seat, action in hand.actions[_public(hand) :]:
        world.act(seat, action if seat == observer else generator.choice(world.legal(seat)))
    return world


def _public(hand: Game) -> int:
    """Count the actions whose content everybody knows; what follows is held back."""
    return len(hand.state.answers) + len(hand.state.history)


def _played_alike(hand: Game, deal: Deal) -> Game | None:
    """Play the public actions of a hand with other cards; None if the rules would have it take another course."""
    world = Game(hand.variant, deal, hand.state.stakes)
    for seat, action in _with_suits(hand, _public(hand)):
        try:
            world.act(seat, action)
        except IllegalAction:
            return None
    # Who leads may hang on a hidden card, and is known all the same. Whom a simultaneous question is put to must not.
    return world if world.simultaneous or world.turn == hand.turn else None


def hidden_places(hand: Game, known: Known) -> list[Place]:
    """List the places whose cards such an observer does not know."""
    state, seats = hand.state, hand.variant.seats
    shown = {seat: _shown(hand, seat) for seat in range(seats)}
    hidden: list[Place] = []
    for group, cards in enumerate((*hand.deal.hands, hand.deal.bottom, hand.deal.aside)):
        owner = group if group < seats else state.taker if group == seats else None
        for number, card in enumerate(cards):
            dealt = group >= seats or state.dealt is None or number < state.dealt
            if owner is not None and shown[owner][card] > 0:
                shown[owner][card] -= 1
            elif not (dealt and owner in known.seats) and not (group == seats and known.bottom):
                hidden.append((group, number))
    return hidden


def _shown(hand: Game, seat: Seat) -> Counter[Card]:
    """Count the cards that everybody knows a seat to have, or to have had."""
    state, marked = hand.state, hand.deal.marked
    shown = Counter(card for move in state.history if move.seat == seat for card in move.cards)
    if marked:
        # Who was dealt the marked card is known, and who has its twin once the landlords are.
        held = hand.deal.hands[seat].count(marked) + (hand.deal.bottom.count(marked) if seat == state.taker else 0)
        shown[marked] = max(shown[marked], held if state.revealed else int(seat == hand.deal.first))
    return shown


def _exchanged(deal: Deal, places: list[Place], generator: Random) -> Deal:
    """Exchange the cards of some places; such a deal comes from no seed."""
    groups = [list(group) for group in (*deal.hands, deal.bottom, deal.aside)]
    cards = [groups[group][number] for group, number in places]
    generator.shuffle(cards)
    for (group, number), card in zip(places, cards, strict=True):
        groups[group][number] = card
    *hands, bottom, aside = map(tuple, groups)
    return replace(deal, hands=tuple(hands), bottom=bottom, aside=aside, seed=None, entropy=())


def _with_suits(hand: Game, count: int) -> list[tuple[Seat, str]]:
    """List the first actions, plays with their physical cards: a rank may stand for another card in another hand."""
    moves = iter(hand.state.history)
    spelt: list[tuple[Seat, str]] = []
    for seat, action in hand.actions[:count]:
        if action == "pass" or action.startswith("play "):
            cards = next(moves).cards
            spelt.append((seat, "play " + " ".join(cards) if cards else action))
        else:
            spelt.append((seat, action))
    return spelt
