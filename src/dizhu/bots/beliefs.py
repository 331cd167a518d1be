"""What the bot `rule` believes, as the C core reads it."""

from __future__ import annotations

from functools import lru_cache

from dizhu.bots.fitted import OUTLOOKS
from dizhu.bots.outlook import USUAL_SEATS
from dizhu.bots.weights import Weights
from dizhu.game.variant import Variant

_ROWS = 16


@lru_cache
def beliefs(game: Variant) -> tuple[float, ...]:
    """List what the bot `rule` believes in the order of `_core/planned.h`: first by row of the grammar, 16 of them."""
    weights = Weights()
    names = [shape.name for shape in game.grammar.shapes]
    rows: list[float] = []
    for kinds, other in (
        (weights.willing, weights.willing_other),
        (weights.follow, weights.follow_other),
        (weights.discard, 0.0),
        (weights.gift, 0.0),
    ):
        rows += [kinds.get(name, other) for name in names] + [0.0] * (_ROWS - len(names))
    models = OUTLOOKS[USUAL_SEATS] | OUTLOOKS.get(game.seats, {})
    none = (0.0,) * len(models["farmer, self"])
    return (
        *rows,
        weights.willing_dear,
        weights.willing_bomb,
        weights.bomb,
        weights.rocket,
        weights.retake,
        weights.retake_together,
        weights.spent,
        *(
            number
            for role in ("farmer", "landlord")
            for leader in ("self", "enemy", "partner")
            for number in models.get(f"{role}, {leader}", none)
        ),
    )
