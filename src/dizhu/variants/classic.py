"""Classic: each player bids once; leaving on purpose ends the hand and has a price."""

from dizhu.game.options import CAP, Option
from dizhu.game.phases.bid import Bid
from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import ONE_DECK
from dizhu.game.variant import Variant
from dizhu.rules.shapes import STANDARD

VARIANT = Variant(
    name="classic",
    title="Classic",
    seats=3,
    deck=ONE_DECK,
    deal=17,
    bottom=3,
    shapes=STANDARD,
    phases=(Bid(rounds=1), TakeBottom(), Tricks(), Settle(escape=3)),
    options=(CAP, Option("nobody", "redeal", ("redeal", "first"), phase=0, field="nobody")),
    first="rotates",
    source="rules.md §3.1, §4.1",
)
