"""What a seat sees in the play, as sets of cards and a few numbers by seat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.physical import rank_word
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.rules.combos import row_of
from dizhu.variants import variant


@dataclass(frozen=True)
class Scene:
    """A view of the play, as sets of cards by seat. `last`: each seat's last turn; `shown`: see `facts`.

    role: whose network plays the seat: by its distance from the landlord; with a marked card the open landlord's, the
    hidden one's, the farmers'. alone: whether the seat knows itself as the only landlord of two. refused: by seat, the
    ranks of the lowest single card and pair of the landlord that it passed on (of the landlord: anybody's); 15: none.
    beat: by seat, how often it beat a combination of which.
    """

    view: View
    seat: int
    hand: Cards
    played: tuple[Cards, ...]
    last: tuple[Cards, ...]
    shown: Cards
    doublings: int
    alone: bool
    role: int
    refused: tuple[tuple[int, int], ...]
    beat: tuple[tuple[int, ...], ...]

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards each other seat holds, from the next one round."""
        counts = self.view.counts
        return (*counts[self.seat + 1 :], *counts[: self.seat])

    @property
    def unseen(self) -> Cards:
        """The cards that the seat neither sees nor has seen played; open hands count as unseen."""
        return variant(self.view.variant).deck.word - self.hand - self.ally - sum(self.played)

    @property
    def ally(self) -> Cards:
        """With a marked card: the cards of the other landlord, which a landlord sees once both are known."""
        view = self.view
        if not (view.marked and view.revealed and self.seat in view.landlords):
            return 0
        return sum(rank_word(view.hands[seat] or ()) for seat in view.landlords if seat != self.seat)

    @property
    def landlord(self) -> int:
        """The seat of the first landlord."""
        return first_landlord(self.view)


def first_landlord(view: View) -> int:
    """Tell the seat of the landlord that all know: with a marked card, who was dealt it."""
    return view.first if view.marked else view.landlords[0]


def scene(view: View) -> Scene:
    """Work out a view of a seat that is asked for a move."""
    assert view.seat is not None
    seat = view.seat
    game = variant(view.variant)
    played, last = [0] * game.seats, [0] * game.seats
    doublings = 0
    for move in view.history:
        last[move.seat] = word = rank_word(move.cards)
        played[move.seat] += word
        combo = game.grammar.classify(word) if word else None
        doublings += combo is not None and game.grammar.times(combo) > 1
    landlord = first_landlord(view)
    own = [*(view.hands[seat] or ()), *(card for move in view.history if move.seat == seat for card in move.cards)]
    alone = view.marked is not None and seat == landlord and own.count(view.marked) > 1
    role = (seat - landlord) % game.seats
    if view.marked and role:
        role = 1 if seat in view.landlords else 2
    refused, beat = _met(game, view, landlord)
    return Scene(
        view=view,
        seat=seat,
        hand=rank_word(view.hands[seat] or ()),
        played=tuple(played),
        last=tuple(last),
        shown=_left_of(begun_with(game, view, landlord), played[landlord]),
        doublings=doublings,
        alone=alone,
        role=role,
        refused=refused,
        beat=beat,
    )


def _met(game: Variant, view: View, landlord: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, ...], ...]]:
    """Look for what each seat passed on and whom it beat, see `Scene`."""
    lowest = [[len(c.RANKS)] * 2 for _ in range(game.seats)]
    beat = [[0] * game.seats for _ in range(game.seats)]
    leader, key = landlord, 0
    for move in view.history:
        combo = game.grammar.classify(rank_word(move.cards)) if move.cards else None
        if combo is not None:
            # Nobody beats himself: who plays twice in a row leads again.
            beat[move.seat][leader] += move.seat != leader
            leader, key = move.seat, combo.key
        elif (row := row_of(key)) < 2 and (move.seat == landlord) != (leader == landlord):
            lowest[move.seat][row] = min(lowest[move.seat][row], key & 15)
    return tuple((solo, pair) for solo, pair in lowest), tuple(map(tuple, beat))


def begun_with(game: Variant, view: View, landlord: int) -> Cards:
    """What all know that the first landlord held when he led: all of an open hand, else what he was seen to get."""
    hand = view.hands[landlord]
    if landlord not in view.opened or hand is None:
        return shown_at_first(game, view)
    return rank_word((*hand, *(card for move in view.history if move.seat == landlord for card in move.cards)))


def shown_at_first(game: Variant, view: View) -> Cards:
    """What all saw the first landlord get."""
    if view.marked:
        return rank_word((view.marked,))
    return rank_word(view.bottom or ()) if shows_bottom(game) else 0


def _left_of(cards: Cards, played: Cards) -> Cards:
    """Of known cards, those left when as many as can be were among the played ones."""
    left = 0
    for shift in range(0, 4 * len(c.RANKS), 4):
        left |= max(0, (cards >> shift & 15) - (played >> shift & 15)) << shift
    return left


@lru_cache
def shows_bottom(game: Variant) -> bool:
    """Tell whether all see the cards that the landlord takes."""
    return any(isinstance(phase, TakeBottom) and phase.show for phase in game.phases)
