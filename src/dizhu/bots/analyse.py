"""What networks say of a finished hand: the chance of each move, the best one, and mistakes; `dizhu analyse`.

Each move is judged by what its seat saw, not by the hidden cards: luck is no mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dizhu.bots.network import action, answers, worth
from dizhu.game.record import Record
from dizhu.game.replay import start
from dizhu.game.variant import Variant
from dizhu.game.view import View
from dizhu.network import VALUE, judge, position, scene
from dizhu.variants import variant

MISTAKE = 0.1
"""The loss of chance from which a move is called a mistake."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A move of the play. action: its place in the record's actions. chance: that the seat's side wins after it.

    best, best_chance: the move that the seat's network likes best, and its chance. landlord: the landlords' chance
    after the move, as the seat sees it.
    """

    action: int
    seat: int
    move: str
    chance: float
    best: str
    best_chance: float
    landlord: float

    @property
    def mistake(self) -> bool:
        """Whether another move was clearly better."""
        return self.best_chance - self.chance >= MISTAKE


def analyse(record: Record, find: Callable[[str], Variant]) -> Iterator[Judged]:
    """Judge every move of a record where there was a choice.

    Raises as `replay` does where the record is damaged, and DizhuError `no_networks` if nothing can judge this game.
    """
    hand, steps = start(record, find)
    for number in range(len(record["actions"])):
        view = hand.view(hand.turn[0]) if hand.phase == "play" else None
        step = next(steps, None)
        if step is None:
            return
        if view is not None and step[1] in view.legal and len(view.legal) > 1:
            yield _judged(number, view, step[1])


def _judged(number: int, view: View, move: str) -> Judged:
    seen = scene(view)
    moves = answers(seen)
    values = judge(variant(view.variant)).values(seen.role, position(seen), seen.unseen, seen.left, seen.hand, moves)
    found = {action(cards): pair for cards, pair in zip(moves, values, strict=True)}
    best = max(found, key=lambda name: worth(*found[name]))
    chance, best_chance = _chance(found[move][0]), _chance(found[best][0])
    assert view.seat is not None
    return Judged(
        action=number,
        seat=view.seat,
        move=move,
        chance=chance,
        best=best,
        # The best move is best with its points; it never counts as worse than what was played.
        best_chance=max(chance, best_chance),
        landlord=chance if view.seat in view.landlords else 1 - chance,
    )


def _chance(win: int) -> float:
    return round(min(1.0, max(0.0, (win / VALUE + 1) / 2)), 3)


def told(judged: Judged) -> str:
    """Tell of a move for people."""
    line = f"seat {judged.seat}  {judged.move:<24} {judged.chance:4.0%}"
    return f"{line}   mistake: {judged.best} has {judged.best_chance:.0%}" if judged.mistake else line
