"""Many hands of the play stepped at once over NumPy arrays, without copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dizhu import _core, sim
from dizhu.envs.batch import Arrays, PlainBatch
from dizhu.envs.features import HISTORY
from dizhu.game.variant import Variant
from dizhu.variants import variant as find

if TYPE_CHECKING:
    from dizhu._core import _native

Scale = Literal["points", "win", "log"]

_SETTLEMENT = {"cap", "spring"}
"""The options of a host that change what a hand is worth."""


class VectorEnv:
    """N hands of one game, the landlord's first play on (seat 0 is landlord), each dealt anew when it ends.

    >>> env = VectorEnv("classic", count=4, seed=1)
    >>> seen = env.arrays
    >>> seen.states.shape, seen.turns.tolist()
    ((4, 441), [0, 0, 0, 0])
    >>> first_moves = env.step(seen.starts[:-1] - seen.starts[:-1])
    >>> first_moves.turns.tolist()
    [1, 1, 1, 1]

    The arrays are views of memory that the next `step` writes over: copy what must last. The same seed and actions give
    the same hands, with the C core and without.
    """

    def __init__(self, variant: str | Variant, count: int = 256, *, seed: int = 0, let: int = 0) -> None:
        """Deal `count` hands from a seed; `let` (0 to 4) is the number of cards at which a farmer wins.

        Raises UnknownName for an unknown game, ValueError for other bad arguments, and for a game whose settlement a
        host has changed, for the simulator does not know of that.
        """
        self.variant = find(variant) if isinstance(variant, str) else variant
        for option in self.variant.changed.keys() & _SETTLEMENT:
            raise ValueError(f"hands of VectorEnv are settled without a changed option {option!r}: take dizhu.envs.env")
        self.count = count
        self._let = let
        self.reset(seed)

    def reset(self, seed: int) -> Arrays:
        """Deal all hands anew from a seed."""
        self._batch = _batch(self.variant, self.count, seed, self._let)
        count, width, seats = self.count, self._batch.width, self.variant.seats
        self._buffers = Arrays(
            states=np.zeros((count, self._batch.state_size), np.int8),
            histories=np.zeros((count, HISTORY, width), np.int8),
            moves=np.zeros((2 * self._batch.rows, width), np.int8),
            starts=np.zeros(count + 1, np.int32),
            turns=np.zeros(count, np.int8),
            done=np.zeros(count, np.int8),
            points=np.zeros((count, seats), np.int32),
        )
        return self._observe()

    def step(self, actions: ArrayLike) -> Arrays:
        """Play in hand i the move in row starts[i] + actions[i].

        Raises ValueError for a move that is not there, and then nothing has been played in any hand.
        """
        chosen = np.ascontiguousarray(actions, np.int32)
        if chosen.shape != (self.count,):
            raise ValueError(f"actions must have the shape ({self.count},), not {chosen.shape}")
        self._batch.step(chosen)
        return self._observe()

    def _observe(self) -> Arrays:
        rows = self._batch.rows
        if rows > len(self._buffers.moves):
            self._buffers = self._buffers._replace(moves=np.zeros((2 * rows, self._batch.width), np.int8))
        self._batch.observe(*self._buffers)
        self.arrays = Arrays(*(_read_only(array) for array in self._buffers))._replace(
            moves=_read_only(self._buffers.moves[:rows])
        )
        return self.arrays

    def words(self, hand: int) -> list[int]:
        """List the moves open in a hand as sets of cards (`dizhu.rules.cards`), 0 for a pass."""
        return self._batch.words(hand)

    def position(self, hand: int) -> tuple[tuple[int, ...], int, int, int]:
        """Tell where a hand stands, all cards open: hands, a bit for each landlord's seat, the turn, let cards."""
        return self._batch.position(hand)

    def rewards(self, scale: Scale = "points") -> NDArray[np.float64]:
        """Read what the hands that ended with the last step were worth, by seat; zeros for the others.

        points: as settled. win: 1 or -1. log: the sign times 1 + the logarithm to base 2 of the points' size.
        """
        points = self._buffers.points * self._buffers.done[:, None].astype(np.float64)
        if scale == "win":
            return np.sign(points)
        if scale == "log":
            return np.sign(points) * (1 + np.log2(np.maximum(np.abs(points), 1)))
        return points


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Show an array that its reader cannot write to: histories are moved up in place, not written anew."""
    view = array.view()
    view.flags.writeable = False
    return view


def _batch(variant: Variant, count: int, seed: int, let: int) -> _native.Batch | PlainBatch:
    rules = sim.rules(variant)
    if _core.Batch is None or isinstance(rules, sim.plain.Rules):
        return PlainBatch(variant, count, seed, let)
    return _core.Batch(rules, count, seed, let)
