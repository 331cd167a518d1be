"""Five players, two decks: a marked card makes an open landlord, its twin a hidden one."""

from dizhu.game.options import CAP
from dizhu.game.phases.bottom import MarkedCard, TakeBottom
from dizhu.game.phases.declare import Declare
from dizhu.game.phases.double import Double
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import TWO_DECKS
from dizhu.game.variant import Variant
from dizhu.rules.shapes import PAIRS_ONLY

VARIANT = Variant(
    name="five_player",
    title="Five Players",
    seats=5,
    deck=TWO_DECKS,
    deal=21,
    bottom=3,
    shapes=PAIRS_ONLY,
    phases=(
        MarkedCard(),
        TakeBottom(show=False),
        Declare(),
        Double(pairwise=False),
        Tricks(),
        Settle(anti_spring=False),
    ),
    base=2,
    marked=True,
    ladder="five_player",
    options=(CAP,),
    source="rules.md §3.6; the place of the joker pair, base 2 and one-time declaration are decisions",
)
