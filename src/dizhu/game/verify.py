"""Checking a finished hand from its record alone: were the cards fixed before it, and did it go by the rules?"""

from __future__ import annotations

from collections.abc import Callable

from dizhu.game.engine import Game
from dizhu.game.record import Record, bad_record
from dizhu.game.replay import replay
from dizhu.game.variant import Variant


def verify(record: Record, find: Callable[[str], Variant]) -> Game:
    """Deal the cards again from the seed and what players added, and play all actions; `find` looks a variant up.

    So the record's cards, commitment, actions and result are those that the seed and the rules give. Whoever noted the
    commitment before the hand compares it himself, as what he added to the shuffle; names and beans at stake are what
    the server says.
    Raises ParseError `bad_record`, InvalidDeal or UnknownName, which say what is wrong.
    """
    if record.get("seed") is None:
        raise bad_record("it names no seed, so nobody can tell where the cards came from")
    hand = replay(record, find)
    if hand.turn:
        raise bad_record("the hand is not over")
    return hand
