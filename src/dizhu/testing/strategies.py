"""Hypothesis strategies for hands, deals and whole games; needs `hypothesis`, which the rest of dizhu does not."""

from __future__ import annotations

from hypothesis import strategies as st

from dizhu.game.deal import Deal, shuffled
from dizhu.game.engine import Game
from dizhu.game.shuffle import SEED_BYTES
from dizhu.game.variant import Variant
from dizhu.rules.cards import RANKS, UNIT
from dizhu.variants import variant, variants


def games() -> st.SearchStrategy[Variant]:
    """Any of the games that this package knows."""
    return st.sampled_from(variants()).map(variant)


@st.composite
def hands(draw: st.DrawFn, game: Variant, smallest: int = 1, largest: int | None = None) -> str:
    """Draw a hand of `smallest` to `largest` cards of the deck, as ranks; full ranks and neighbours are frequent.

    A fair shuffle hardly ever deals trios, bombs or two jokers side by side, and these are where rules go wrong.
    """
    deck = {rank: game.deck.word // UNIT[rank] & 0xF for rank in RANKS}
    wanted = draw(st.integers(smallest, game.deal + game.bottom if largest is None else largest))
    held = dict.fromkeys(RANKS, 0)
    at = draw(st.integers(0, len(RANKS) - 1))
    while (missing := wanted - sum(held.values())) > 0:
        free = [rank for rank in RANKS if held[rank] < deck[rank]]
        at = (at + draw(st.sampled_from((0, 0, 0, 1, 4)))) % len(free)
        rank = free[at]
        count = draw(st.sampled_from((1, 1, 2, 3, 3, 4, deck[rank])))
        held[rank] += min(count, deck[rank] - held[rank], missing)
    return "".join(rank * held[rank] for rank in RANKS)


@st.composite
def deals(draw: st.DrawFn, game: Variant) -> Deal:
    """Draw a full deal of a game, with any seat first."""
    seed = draw(st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES))
    return shuffled(game, seed, draw(st.integers(0, game.seats - 1)))


@st.composite
def hands_in_play(draw: st.DrawFn, game: Variant, most: int = 200) -> Game:
    """Draw a hand after some legal actions (0 to `most`, fewer if it ends before)."""
    hand = Game(game, draw(deals(game)))
    choice = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, most))):
        if not hand.turn:
            break
        seat = choice.choice(hand.turn)
        hand.act(seat, choice.choice(hand.legal(seat)))
    return hand
