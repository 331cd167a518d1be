"""What a seat knows, as the C core looks ahead from it: seats counted from the first landlord on (`_core/search.h`)."""

from __future__ import annotations

from dataclasses import dataclass

from dizhu.game.physical import rank_word
from dizhu.network.scenes import Scene, begun_with
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards
from dizhu.variants import variant

State = tuple[int, int, int, int, int, int, int, int]


@dataclass(frozen=True)
class Spot:
    """A position with unknown cards. By seat: known cards, played cards, the last turn, hidden cards, turns not passed.

    pool: the cards whose place is unknown. shown: see `facts`. state: who is in turn, who played last (who is in turn,
    on a lead), a bit for each known landlord, doublings, let cards, the rank of the marked card (-1: none), whether all
    landlords are known, and whether any unknown card of that rank may be the twin.
    begun: what was shown at the beginning. turns: the cards of every turn so far, from the first landlord's lead on.
    refused: of each seat the ranks of `scenes.Scene.refused`. beat: of each seat how often it beat which.
    """

    hands: tuple[Cards, ...]
    played: tuple[Cards, ...]
    last: tuple[Cards, ...]
    hidden: tuple[int, ...]
    plays: tuple[int, ...]
    pool: Cards
    shown: Cards
    state: State
    begun: Cards
    turns: tuple[Cards, ...]
    refused: tuple[int, ...]
    beat: tuple[int, ...]

    @property
    def fields(self) -> tuple[object, ...]:
        """The fields in the order in which the core reads them."""
        return (
            self.hands,
            self.played,
            self.last,
            self.hidden,
            self.plays,
            self.pool,
            self.shown,
            self.state,
            self.begun,
            self.turns,
            self.refused,
            self.beat,
        )


def spot(seen: Scene) -> Spot:
    """Gather what a seat knows, open hands and cards that a landlord took before all eyes included."""
    view = seen.view
    game = variant(view.variant)
    order = [(seen.landlord + step) % game.seats for step in range(game.seats)]
    known = [rank_word(hand) if hand is not None else 0 for hand in view.hands]
    if view.hands[seen.landlord] is None:
        known[seen.landlord] = seen.shown
    table = view.table
    marked = c.RANKS.index(view.marked[0]) if view.marked else -1
    certain = view.revealed or seen.alone or len(view.landlords) > 1
    return Spot(
        hands=tuple(known[seat] for seat in order),
        played=tuple(seen.played[seat] for seat in order),
        last=tuple(seen.last[seat] for seat in order),
        hidden=tuple(view.counts[seat] - c.size(known[seat]) for seat in order),
        plays=tuple(sum(move.seat == seat and bool(move.cards) for move in view.history) for seat in order),
        pool=game.deck.word - sum(known) - sum(seen.played),
        shown=seen.shown,
        state=(
            order.index(seen.seat),
            order.index(table.seat if table else seen.seat),
            sum(1 << order.index(seat) for seat in {*view.landlords, seen.landlord}),
            seen.doublings,
            view.let,
            marked,
            int(view.revealed and view.marked is not None),
            int(view.marked is not None and not certain),
        ),
        begun=begun_with(game, view, seen.landlord),
        turns=tuple(rank_word(move.cards) for move in view.history),
        refused=tuple(rank for seat in order for rank in seen.refused[seat]),
        beat=tuple(seen.beat[seat][victim] for seat in order for victim in order),
    )
