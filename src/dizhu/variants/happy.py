"""Happy: hands may be opened at four moments, then call and rob, then doubling by pairs with a condition on beans."""

from dizhu.game.options import CAP, Option
from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.phases.call_rob import CallRob
from dizhu.game.phases.double import Double
from dizhu.game.phases.open_hand import OpenHand
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import ONE_DECK
from dizhu.game.variant import Variant
from dizhu.rules.shapes import STANDARD

VARIANT = Variant(
    name="happy",
    title="Happy",
    seats=3,
    deck=ONE_DECK,
    deal=17,
    bottom=3,
    shapes=STANDARD,
    phases=(
        OpenHand("before", times=5, dealt=0),
        OpenHand("early", times=4, dealt=12),
        OpenHand("late", times=3),
        CallRob(),
        TakeBottom(),
        OpenHand("landlord", times=2, who="landlord"),
        Double(for_beans=True),
        Tricks(),
        Settle(),
    ),
    options=(
        CAP,
        Option("open_cut", 12, range(1, 17), phase=1, field="dealt"),
        Option("nobody", "redeal", ("redeal", "first"), phase=3, field="nobody"),
        Option("spring", True, (True, False), phase=-1, field="spring"),
    ),
    source="rules.md §3.2–§3.4; the cut between ×4 and ×3 at 12 cards is a decision",
)
