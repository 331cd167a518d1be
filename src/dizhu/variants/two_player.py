"""Two players: no 3s and 4s, nine cards unseen; every rob doubles and lets the farmer keep one card more."""

from dizhu.game.options import CAP, Option
from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.phases.call_rob import CallRob
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import NO_THREES_AND_FOURS
from dizhu.game.variant import Variant
from dizhu.rules.shapes import DISTINCT

VARIANT = Variant(
    name="two_player",
    title="Two Players",
    seats=2,
    deck=NO_THREES_AND_FOURS,
    deal=17,
    bottom=3,
    shapes=DISTINCT,
    phases=(CallRob(chances=None, max_robs=4, let=True, nobody="first"), TakeBottom(), Tricks(), Settle()),
    options=(
        CAP,
        Option("max_robs", 4, range(11), phase=0, field="max_robs"),
        Option("nobody", "first", ("redeal", "first"), phase=0, field="nobody"),
        Option("spring", True, (True, False), phase=-1, field="spring"),
    ),
    source="rules.md §3.5; four robs at most, and the first player as landlord of last resort, are decisions",
)
