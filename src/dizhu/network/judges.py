"""The shipped networks of each game, loaded when they are first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, runtime_checkable

from dizhu import _core
from dizhu.errors import DizhuError
from dizhu.game.variant import Variant
from dizhu.network.facts import layout
from dizhu.network.stored import Stored, read
from dizhu.rules.cards import Cards
from dizhu.rules.native import FAMILIES

_SHARED = {"auction": "classic", "happy": "classic", "landlord_war": "classic"}
"""Games that are played with the networks of another: the same cards and seats, and combinations that hardly differ."""


class Judge(Protocol):
    """Networks of a game's roles."""

    def values(
        self,
        role: int,
        facts: Sequence[int],
        unseen: Cards,
        left: Sequence[int],
        hand: Cards,
        moves: Sequence[Cards],
        /,
    ) -> list[tuple[int, int]]:
        """Tell what each move of a hand (0: a pass) is worth: for winning, and in points; see `stored.VALUE`.

        unseen, left: all cards of the others together, and how many each holds, from the next seat round.
        """
        ...


@runtime_checkable
class Searcher(Judge, Protocol):
    """Networks that can look ahead, too: the C core's."""

    def look_ahead(self, spot: tuple[object, ...], how: tuple[object, ...], /) -> list[tuple[int, int]]:
        """Try moves (none: play on) in so many worlds. Returns of each worlds won, and points.

        how: moves, worlds, at how many cards one is solved, what points weigh in 256ths, a seed; and what the bot
        `rule` believes, if opponents may play like it.
        """
        ...

    def facts(self, spot: tuple[object, ...], /) -> list[int]:
        """List the facts of a spot as they are learnt from."""
        ...


def shipped(game: Variant) -> Path:
    """Name the file of a game's networks; it may not be there."""
    return Path(__file__).parent / f"{_SHARED.get(game.name, game.name)}.nets"


@lru_cache
def judge(game: Variant) -> Judge:
    """Load the networks of a game. Raises DizhuError `no_networks` where there are none, or nothing to compute them."""
    if not shipped(game).exists():
        raise DizhuError("no_networks", f"there are no networks for {game.name}")
    return judge_of(game, read(shipped(game)))


def judge_of(game: Variant, stored: Stored) -> Judge:
    """Set networks up. Raises DizhuError `no_networks` if they are another game's, or nothing can compute them."""
    if stored.facts != layout(game).size:
        raise DizhuError("no_networks", f"these are networks of {stored.game}, not of {game.name}")
    made = _core.judge_type()
    family = FAMILIES.get(game.shapes)
    if made is not None and family is not None:
        return made(family, game.seats, game.deal, game.bottom, game.deck.word, game.marked, stored.numbers)
    if find_spec("numpy") is None:
        raise DizhuError("no_networks", "networks need the C core, or NumPy: pip install numpy")
    from dizhu.network.plain import PlainJudge

    return PlainJudge(game, stored)
