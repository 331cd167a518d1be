"""What a seat can conclude from its view: which cards are where, and who plays with whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from dizhu.game.physical import rank_word
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.network.scenes import first_landlord
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.variants import variant


@dataclass(frozen=True)
class Other:
    """Another player: what is known of his hand, and how likely he is an enemy (1: certain, 0: a partner).

    needs: cards he has to get rid of to win. known: cards that he certainly holds. hidden: number of his other cards.
    share: of all cards whose place is unknown, the part that he holds.
    """

    seat: int
    needs: int
    count: int
    known: Cards
    hidden: int
    share: float
    enmity: float

    @property
    def enemy(self) -> bool:
        """Whether to play against him."""
        return self.enmity > 0.5


@dataclass(frozen=True)
class Knowledge:
    """A seat's view, worked out. `pool`: cards whose place is unknown. `others`: in the order of their turns."""

    view: View
    game: Variant
    seat: int
    hand: Cards
    let: int
    pool: Cards
    others: tuple[Other, ...]

    @cached_property
    def enemies(self) -> tuple[Other, ...]:
        """Those to play against."""
        return tuple(other for other in self.others if other.enemy)

    @cached_property
    def partners(self) -> tuple[Other, ...]:
        """Those to play with."""
        return tuple(other for other in self.others if not other.enemy)

    def to_act(self, until: int) -> tuple[Other, ...]:
        """List those who may still beat the table if we pass: the seats after ours, up to the one that played it."""
        seats = [other.seat for other in self.others]
        return self.others[: seats.index(until)]


def conclude(view: View) -> Knowledge:
    """Work out a view of a seat (not a spectator's)."""
    assert view.seat is not None
    game = variant(view.variant)
    hands = [rank_word(hand) if hand is not None else None for hand in view.hands]
    hand = hands[view.seat] or 0
    known = [word if word is not None else rank_word(_surely_held(view, seat)) for seat, word in enumerate(hands)]
    played = sum(rank_word(move.cards) for move in view.history)
    pool = game.deck.word - played - sum(known)
    unknown = max(c.size(pool), 1)
    others: list[Other] = []
    for step in range(1, game.seats):
        seat = (view.seat + step) % game.seats
        count = view.counts[seat]
        hidden = count - c.size(known[seat])
        needs = count - (0 if seat in view.landlords else view.let)
        share = round(hidden / unknown, 2)
        others.append(Other(seat, max(needs, 1), count, known[seat], hidden, share, _enmity(view, seat)))
    let = 0 if view.seat in view.landlords else view.let
    return Knowledge(view, game, view.seat, hand, let, pool, tuple(others))


def _surely_held(view: View, seat: int) -> list[str]:
    """Name the bottom cards, and the marked card, that a landlord took before our eyes and has not played."""
    # With a marked card, who was dealt it took the bottom; a hidden landlord may have a lower seat.
    if not view.landlords or seat != first_landlord(view):
        return []
    held = Counter(view.bottom or ())
    if view.marked:
        held[view.marked] += 1
    for move in view.history:
        if move.seat == seat:
            held.subtract(move.cards)
    return [card for card, count in held.items() for _ in range(count)]


def _enmity(view: View, seat: int) -> float:
    """Tell how likely another seat is on the other side."""
    if not view.landlords:
        return 1.0
    own = view.seat in view.landlords
    if view.revealed or seat in view.landlords:
        return float((seat in view.landlords) != own)
    # Only `five_player` comes here: the hidden landlord may be this seat, or not be known to it.
    if not own:
        return _IS_HIDDEN
    return 1.0 if len(view.landlords) > 1 or _holds_twin(view) else 1 - _IS_HIDDEN


def _holds_twin(view: View) -> bool:
    assert view.seat is not None
    played = (card for move in view.history if move.seat == view.seat for card in move.cards)
    own = [*(view.hands[view.seat] or ()), *played]
    return own.count(view.marked or "") > 1


_IS_HIDDEN = 0.25
"""How likely it is that any one of the other players holds the twin of the marked card."""
