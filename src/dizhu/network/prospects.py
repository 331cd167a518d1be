"""What a hand promises before the play: how likely its side wins, and what it takes, by a small network for each role.

Roles are `bidder` (it becomes landlord), `other` (somebody else does), and once there is a landlord `landlord` and the
seats after it: `next` and `last` with three, `farmer` with two; with a marked card `landlord`, `hidden` and `farmer`.
The file is made by `python -m dizhu.training.prospects` from hands that the shipped networks play to their end. It is
one JSON object; numbers in it are thousandths.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import Any

from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.network.facts import MOST_LET
from dizhu.rules import cards as c
from dizhu.rules.cards import Cards

_SHARED = {"happy": "classic", "landlord_war": "classic"}
"""Games whose hands promise what those of another do: the same play, and a bottom that all see."""

SCALE = 1000
_RANKS = len(c.RANKS)
_COPIES = 8


@dataclass(frozen=True)
class Prospect:
    """win: how likely the hand's side wins. points: what each opponent pays it a unit of the base, on average."""

    win: float
    points: float


@dataclass(frozen=True)
class Model:
    """One role's network: facts of the hand, a layer with a threshold at zero, two sums."""

    rows: Sequence[Sequence[float]]
    bias: Sequence[float]
    heads: Sequence[Sequence[float]]
    heads_bias: Sequence[float]

    def __call__(self, facts: Sequence[int]) -> Prospect:
        """Judge a hand by its facts."""
        sums = [sum(column) for column in zip(self.bias, *(self.rows[fact] for fact in facts), strict=True)]
        active = [max(0.0, value) for value in sums]
        win, points = (
            bias + sum(weight * value for weight, value in zip(head, active, strict=True))
            for head, bias in zip(self.heads, self.heads_bias, strict=True)
        )
        return Prospect(1 / (1 + exp(-max(-30.0, min(30.0, win)))), points)


@dataclass(frozen=True)
class Prospects:
    """The networks of a game. `keen`: how many of all hands would rather be landlord's than not."""

    models: dict[str, Model]
    keen: float


FACTS = 2 * _RANKS * _COPIES + MOST_LET + 1 + 1
"""How many facts there are: so many cards of a rank in the hand, or shown; let cards; alone."""


def facts(hand: Cards, shown: Cards = 0, let: int = 0, *, alone: bool = False) -> list[int]:
    """List the facts of a hand. shown: what all saw the landlord take. alone: it has the marked card's twin, too."""
    found: list[int] = []
    for start, cards in ((0, hand), (_RANKS * _COPIES, shown)):
        counts = ((rank, cards >> 4 * rank & 15) for rank in range(_RANKS))
        found += [start + rank * _COPIES + count - 1 for rank, count in counts if count]
    at = 2 * _RANKS * _COPIES
    found.append(at + min(let, MOST_LET))
    return [*found, at + MOST_LET + 1] if alone else found


def path_of(game: Variant) -> Path:
    """Name the file of a game's prospects; it may not be there."""
    return Path(__file__).parent / f"{_SHARED.get(game.name, game.name)}.prospects"


@lru_cache
def prospects(game: Variant) -> Prospects:
    """Load the networks of a game. Raises DizhuError `no_networks` where there are none."""
    path = path_of(game)
    if not path.exists():
        raise DizhuError("no_networks", f"there are no networks that judge hands of {game.name} before the play")
    return read(json.loads(path.read_text(encoding="utf-8")))


def read(made: dict[str, Any]) -> Prospects:
    """Read what the file holds."""
    models = {
        role: Model(
            rows=[_scaled(row) for row in fields["rows"]],
            bias=_scaled(fields["bias"]),
            heads=[_scaled(head) for head in fields["heads"]],
            heads_bias=_scaled(fields["heads_bias"]),
        )
        for role, fields in made["roles"].items()
    }
    return Prospects(models, made["keen"])


def _scaled(values: list[int]) -> list[float]:
    return [value / SCALE for value in values]
