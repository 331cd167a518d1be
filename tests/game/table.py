"""Short ways to set up a hand and play it, as the game tests need them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from dizhu import Game, IllegalAction, Stakes, View, position, variant

SMALL = {
    "landlord_war": ["35", "66", "77"],
    "auction": ["35", "66", "77"],
    "classic": ["35", "66", "77"],
    "happy": ["35", "66", "77"],
    "two_player": ["57", "66"],
    "five_player": ["7h 3s 3d", "8s 8h", "9s 9h", "7h Ts", "Js Jh"],
}
"""A small hand of each game: seat 0 is asked first, and in five_player seat 3 is the hidden landlord."""


def start(
    name: str,
    hands: Sequence[str] | None = None,
    script: Iterable[str] = (),
    *,
    bottom: str = "",
    first: int = 0,
    marked: str | None = None,
    stakes: Stakes | None = None,
    options: Mapping[str, object] | None = None,
) -> Game:
    """Set up a hand (the small one of the game by default) and play a script."""
    game = variant(name).with_options(options or {})
    if game.marked and marked is None:
        marked = "7h"
    hand = Game(game, position(game, hands or SMALL[name], bottom, first, marked), stakes)
    return run(hand, script)


def run(hand: Game, script: Iterable[str]) -> Game:
    """Play items `SEAT ACTION`; `skip` declines all simultaneous questions that are open, `... ; ...` parts items."""
    for line in script:
        for item in line.split("; "):
            if item == "skip":
                while hand.simultaneous:
                    hand.act(hand.turn[0], "no")
            else:
                seat, _, action = item.partition(" ")
                hand.act(int(seat), action)
    return hand


def fork(hand: Game) -> Game:
    """Go on from here without touching the hand: states are values."""
    return copy(hand)


def refused(hand: Game, seat: int, action: str) -> str:
    """The code with which an action is refused; fails if it is not, or if anything changed."""
    before = everything(hand)
    try:
        hand.act(seat, action)
    except IllegalAction as error:
        assert everything(hand) == before, f"{action!r} was refused and yet changed something"
        return error.code
    raise AssertionError(f"{action!r} of seat {seat} was not refused")


def everything(hand: Game) -> tuple[object, ...]:
    """All that can be asked of a hand."""
    return (hand.state, hand.actions, hand.phase, hand.turn, hand.simultaneous, hand.result, *views(hand))


def views(hand: Game) -> tuple[View, ...]:
    """The view of every seat, and last the spectator's."""
    return (*(hand.view(seat) for seat in range(hand.variant.seats)), hand.view(None))
