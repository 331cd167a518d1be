"""Answers before the play by what each is worth: points expected from the prospects of the hand, multipliers included.

All worths are in units of the base at multiplier 1. A landlord takes from, or pays, each opponent; how likely another
seat speaks up is the share of all hands that would rather be the landlord's (`Prospects.keen`).
"""

from __future__ import annotations

from collections.abc import Callable

from dizhu.game.physical import rank_word
from dizhu.game.view import View
from dizhu.network.prospects import Prospect, Prospects, facts, prospects
from dizhu.network.scenes import first_landlord, shown_at_first
from dizhu.rules.cards import Cards
from dizhu.variants import variant

NO = "no"
HIGHEST_BID = 3
_SURE = 0.85
"""How likely a hand must win to be opened: what the others learn from it is not in its prospects."""


def answer(view: View) -> str:
    """Answer any question but the play with what is worth most; what is worth as much as another is the lower one."""
    found = worths(view)
    return max(sorted(found, key=lambda action: action != NO), key=lambda action: found[action])


def worths(view: View) -> dict[str, float]:
    """Tell what each answer is worth."""
    return _QUESTIONS[view.phase](view)


# --- who is landlord -------------------------------------------------------------------------------------------------


def _bid(view: View) -> dict[str, float]:
    """Bid: the base if nobody goes higher; else the others' highest."""
    known, as_landlord, as_farmer = _before(view)
    raised = _anybody(known, _still_to_speak(view))
    highest = max((int(said.action[-1]) for said in view.answers if said.action != NO), default=0)
    kept = highest * (1 - raised) + HIGHEST_BID * raised
    found = {NO: as_farmer * kept}
    for bid in range(highest + 1, HIGHEST_BID + 1):
        above = raised if bid < HIGHEST_BID else 0.0
        found[f"bid {bid}"] = (1 - above) * bid * as_landlord + above * HIGHEST_BID * as_farmer
    return found


def _call(view: View) -> dict[str, float]:
    """Call: landlord, unless it is robbed; then whether to rob back is a question of its own."""
    known, as_landlord, as_farmer = _before(view)
    raised = _anybody(known, _still_to_speak(view))
    robbed = max(2 * as_farmer, 4 * as_landlord)
    # With three seats the cards are dealt again when all decline, with two the first is landlord.
    nobody = 0.0 if len(view.counts) > 2 else as_landlord if view.seat == view.first else as_farmer
    no = raised * as_farmer + (1 - raised) * nobody
    return {NO: no, "call": (1 - raised) * as_landlord + raised * robbed}


def _rob(view: View) -> dict[str, float]:
    """Rob: landlord at twice the multiplier, and in `two_player` with a let card more."""
    known, _, as_farmer = _before(view)
    _, as_landlord, robbed = _before(view, robs=1)
    raised = _anybody(known, _still_to_speak(view))
    now = view.multiplier
    return {NO: now * as_farmer, "rob": 2 * now * ((1 - raised) * as_landlord + 2 * raised * robbed)}


def _before(view: View, robs: int = 0) -> tuple[Prospects, float, float]:
    """Judge the hand as a landlord's (of all opponents) and as a farmer's, after so many robs more."""
    game = variant(view.variant)
    known = prospects(game)
    let = view.let + robs if game.seats == 2 else 0
    seen = facts(_hand(view), let=let)
    as_landlord = known.models["bidder"](seen).points * (game.seats - 1)
    return known, as_landlord, known.models["other"](seen).points


def _still_to_speak(view: View) -> int:
    """Count the other seats that may still become landlord."""
    game = variant(view.variant)
    declined = {said.seat for said in view.answers if said.action == NO and said.phase in ("bid", "call", "rob")}
    spoken = {said.seat for said in view.answers if said.phase == view.phase and said.phase != "rob"}
    once = view.variant == "classic" or view.phase == "call"
    others = set(range(game.seats)) - {view.seat} - declined
    return len(others - spoken if once else others)


def _anybody(known: Prospects, seats: int) -> float:
    return 1 - (1 - known.keen) ** seats


# --- once there is a landlord ----------------------------------------------------------------------------------------


def _twice(view: View) -> dict[str, float]:
    """Double, or declare: what is expected comes once more."""
    return {**dict.fromkeys(view.legal, _after(view).points), NO: 0.0}


def _open(view: View) -> dict[str, float]:
    """Open the hand only when all of it is known, and it can hardly lose."""
    if view.moment not in ("late", "landlord"):
        return {NO: 0.0}
    judged = _after(view) if view.landlords else prospects(variant(view.variant)).models["bidder"](facts(_hand(view)))
    return {NO: 0.0, "open": judged.points if judged.win >= _SURE else -1.0}


def _after(view: View) -> Prospect:
    """Judge the hand once it is known who is landlord."""
    game = variant(view.variant)
    assert view.seat is not None
    after = (view.seat - first_landlord(view)) % game.seats
    if game.marked:
        role = "landlord" if after == 0 else "hidden" if view.seat in view.landlords else "farmer"
    else:
        role = "landlord" if after == 0 else "farmer" if game.seats == 2 else ("next", "last")[after - 1]
    own = view.hands[view.seat] or ()
    alone = view.marked is not None and after == 0 and own.count(view.marked) > 1
    return prospects(game).models[role](facts(rank_word(own), shown_at_first(game, view), view.let, alone=alone))


def _hand(view: View) -> Cards:
    assert view.seat is not None
    return rank_word(view.hands[view.seat] or ())


_QUESTIONS: dict[str, Callable[[View], dict[str, float]]] = {
    "bid": _bid,
    "call": _call,
    "rob": _rob,
    "double": _twice,
    "declare": _twice,
    "open": _open,
}
