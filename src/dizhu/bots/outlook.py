"""How likely our side wins, judged at the start of a trick from our plan, who leads, and the cards all have left."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from dizhu.bots.fitted import OUTLOOKS
from dizhu.bots.knowledge import Knowledge, Other
from dizhu.bots.plan import Plan

Features = tuple[float, ...]
"""What the judgement rests on, see `features`; the last three are zero when we lead ourselves."""

USUAL_SEATS = 3


def features(known: Knowledge, plan: Plan, needs: int, leader: Other | None, leader_needs: int) -> Features:
    """Describe the start of a trick: our plan and needed cards, then who leads (None: we) and the others' needs."""
    enemy = min((other.needs for other in known.enemies if other is not leader), default=99)
    partner = min((other.needs for other in known.partners if other is not leader), default=99)
    ours = (1.0, plan.cost, float(len(plan.groups)), needs / 20, 1 / needs, 1 / enemy, 1 / partner)
    if leader is None:
        return (*ours, float(enemy == 1), float(enemy == 2), 0.0)
    return (*ours, leader_needs / 20, 1 / leader_needs, float(leader_needs == 2))


def situation(known: Knowledge, leader: Other | None) -> str:
    """Name the model to use: our role, then who leads."""
    role = "landlord" if known.seat in known.view.landlords else "farmer"
    return f"{role}, {'self' if leader is None else 'enemy' if leader.enemy else 'partner'}"


class Outlook:
    """Judges situations of one decision by the fitted table."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._models = OUTLOOKS[USUAL_SEATS] | OUTLOOKS.get(known.game.seats, {})

    def win(self, plan: Plan, needs: int, leader: Other | None, leader_needs: int = 0) -> float:
        """How likely our side wins."""
        if needs <= 0:
            return 1.0
        if leader is not None and leader_needs <= 0:
            return 0.0 if leader.enemy else 1.0
        model = self._models[situation(self._known, leader)]
        return logistic(model, features(self._known, plan, needs, leader, leader_needs))


def logistic(model: Sequence[float], values: Features) -> float:
    """The logistic function of a weighted sum."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, sum(w * x for w, x in zip(model, values, strict=True))))))
