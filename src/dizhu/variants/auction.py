"""Auction: the bidding goes round until two pass in a row; attached solo cards all differ; the bottom stays hidden."""

from dizhu.game.options import CAP, Option
from dizhu.game.phases.bid import Bid
from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import ONE_DECK
from dizhu.game.variant import Variant
from dizhu.rules.shapes import DISTINCT

VARIANT = Variant(
    name="auction",
    title="Auction",
    seats=3,
    deck=ONE_DECK,
    deal=17,
    bottom=3,
    shapes=DISTINCT,
    phases=(Bid(), TakeBottom(show=False), Tricks(), Settle()),
    options=(
        CAP,
        Option("nobody", "redeal", ("redeal", "first"), phase=0, field="nobody"),
        Option("bid_again", True, (True, False), phase=0, field="again"),
        Option("show_bottom", False, (True, False), phase=1, field="show"),
    ),
    first="rotates",
    source="rules.md §3.1; that the bottom is hidden and that who passed may bid again are decisions",
)
