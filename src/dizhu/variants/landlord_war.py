"""Landlord War: call, then rob; each pair of opponents may double what it plays for."""

from dizhu.game.options import CAP, Option
from dizhu.game.phases.bottom import TakeBottom
from dizhu.game.phases.call_rob import CallRob
from dizhu.game.phases.double import Double
from dizhu.game.phases.settle import Settle
from dizhu.game.phases.tricks import Tricks
from dizhu.game.physical import ONE_DECK
from dizhu.game.variant import Variant
from dizhu.rules.shapes import STANDARD

VARIANT = Variant(
    name="landlord_war",
    title="Landlord War",
    seats=3,
    deck=ONE_DECK,
    deal=17,
    bottom=3,
    shapes=STANDARD,
    phases=(CallRob(), TakeBottom(), Double(), Tricks(), Settle()),
    options=(
        CAP,
        Option("nobody", "redeal", ("redeal", "first"), phase=0, field="nobody"),
        Option("spring", True, (True, False), phase=-1, field="spring"),
    ),
    source="rules.md §3.2, §3.4; bombs, rocket and spring by the common rule",
)
