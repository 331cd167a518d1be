"""A game without what comes before the play: for measuring and for learning the play alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dizhu.game.change import replace
from dizhu.game.phases.bottom import MarkedCard, TakeBottom
from dizhu.game.phases.phase import Phase, Step
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.state import State
from dizhu.game.variant import Variant


@dataclass(frozen=True)
class Appointed(Phase):
    """Stands for all questions before the play: the first seat is landlord, and the let cards are as given."""

    let: int = 0

    def begin(self, state: State) -> Step:
        """Name the landlords, the hidden one of `five_player` as well."""
        return MarkedCard().begin(replace(state, let=self.let))


@lru_cache
def play_only(game: Variant, let: int = 0) -> Variant:
    """Leave out of a game all that comes before the play but the bottom cards, and what a host may change there."""
    phases = tuple(phase for phase in game.phases if isinstance(phase, TakeBottom | Tricks | Settle))
    options = tuple(option for option in game.options if option.phase is None or option.phase < 0)
    return replace(game, phases=(Appointed(let), *phases), options=options)
