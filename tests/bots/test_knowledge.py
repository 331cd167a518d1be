"""What a bot concludes about the cards of others, from its view alone."""

from __future__ import annotations

import dizhu
from dizhu.bots.knowledge import conclude
from dizhu.rules import cards as c


def test_the_marked_card_is_with_the_open_landlord_whose_seat_may_be_the_higher():
    """Seat 2 was dealt the marked 7; seat 0, the hidden landlord, must not take himself for the open one."""
    variant = dizhu.variant("five_player")
    hands = ["7h 3s", "8s 9s", "7h Ts", "Js Qs", "Ks As"]
    game = dizhu.Game(variant, dizhu.position(variant, hands=hands, first=2, marked="7h"))
    for seat in range(5):
        game.act(seat, "no")
    assert game.view(0).landlords == (0, 2)
    known = {other.seat: other.known for other in conclude(game.view(0)).others}
    assert known[2] == c.parse("7")
    assert known[1] == 0
