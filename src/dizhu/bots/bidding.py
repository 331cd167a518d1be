"""How the bot `rule` answers before the play: by its chance of winning, against a limit for each question."""

from __future__ import annotations

from dizhu.bots.chances import Chances
from dizhu.bots.fitted import PROSPECTS
from dizhu.bots.knowledge import conclude
from dizhu.bots.outlook import USUAL_SEATS, Features, logistic
from dizhu.bots.plan import Planner
from dizhu.bots.weights import Weights
from dizhu.game.view import View

NO = "no"


def prospect(view: View, weights: Weights) -> float:
    """How likely this seat's side wins; before there is a landlord, if this seat becomes it."""
    models = PROSPECTS.get(len(view.counts), PROSPECTS[USUAL_SEATS])
    return logistic(models[role_of(view)], outset(view, weights))


def role_of(view: View) -> str:
    """Name the seat's role; a bidder is not landlord yet."""
    if not view.landlords:
        return "bidder"
    return "landlord" if view.seat in view.landlords else "farmer"


def outset(view: View, weights: Weights) -> Features:
    """Describe a hand before the play: its plan's cost and number of groups."""
    known = conclude(view)
    plan = Planner(known, Chances(known, weights), weights).best(known.hand)
    return (1.0, plan.cost, len(plan.groups))


def answer(view: View, weights: Weights) -> str:
    """Answer any question but the play."""
    question = view.phase
    if question == "open":
        # Part of a hand says little about the whole.
        if view.moment not in ("late", "landlord"):
            return NO
        question = f"open {view.moment}"
    chance = prospect(view, weights)
    if question == "bid":
        bids = [bid for bid in view.legal if bid != NO and chance >= weights.limits[bid]]
        return bids[-1] if bids else NO
    yes = next((action for action in view.legal if action != NO), NO)
    if question == "double" and view.seat not in view.landlords:
        question = "double as farmer"
    limit = weights.limits.get(f"{question}, {view.variant}", weights.limits[question])
    return yes if chance >= limit else NO
