"""Small games, whose every hand can be looked at: the phases of a game, and a few cards."""

from __future__ import annotations

from dataclasses import replace

import dizhu
from dizhu import Variant
from dizhu.game.phases.open_hand import OpenHand
from dizhu.game.physical import SUITS


def small(name: str, *, ranks: str, suits: int = 1, deal: int, bottom: int = 0) -> Variant:
    """A game with so many suits of these ranks; where hands may be opened early, after the first card."""
    game = dizhu.variant(name)
    without = tuple(rank + suit for rank in ranks if rank not in "BR" for suit in SUITS[suits:])
    phases = tuple(
        replace(phase, dealt=1) if isinstance(phase, OpenHand) and phase.dealt else phase for phase in game.phases
    )
    deck = replace(game.deck, ranks=ranks, without=without)
    return replace(game, name=f"small_{name}", deck=deck, deal=deal, bottom=bottom, phases=phases)
