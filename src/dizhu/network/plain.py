"""Networks computed by NumPy, where there is no C core: slower, with the same values (see `_core/judge.h`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dizhu.game.variant import Variant
from dizhu.network.facts import answer
from dizhu.network.stored import COARSE_BITS, FINE_BITS, HEADS, MIDDLE, NARROW, WIDE, Stored, role_size
from dizhu.rules.cards import Cards

_MOST = 2**15 - 1


class PlainJudge:
    """The networks of a game's roles."""

    def __init__(self, game: Variant, stored: Stored) -> None:
        self._game = game
        size = role_size(stored.facts)
        self._nets = [
            _arrays(stored.numbers[at : at + size], stored.facts) for at in range(0, len(stored.numbers), size)
        ]

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
        """Tell what each move is worth, for winning and in points, see `stored.VALUE`."""
        first, second, third, heads, *biases = self._nets[role]
        base = biases[0] + first[list(facts)].sum(axis=0, dtype=np.int32)
        sums = np.array(
            [base + first[answer(self._game, unseen, left, hand, move)].sum(axis=0, dtype=np.int32) for move in moves]
        )
        middle = _wrapped(_cut(sums) @ second.T + biases[1]) >> FINE_BITS + COARSE_BITS
        narrow = _wrapped(_cut(middle) @ third.T + (biases[2] >> COARSE_BITS)) >> FINE_BITS
        values = _wrapped(_cut(narrow) @ heads.T + (biases[3] >> COARSE_BITS)) << COARSE_BITS
        return [(int(win), int(points)) for win, points in values]


def _cut(values: Any) -> Any:  # noqa: ANN401 arrays
    # Products of 64-bit floats are quick and exact here: no sum reaches 2^53.
    return np.clip(values, 0, _MOST).astype(np.float64)


def _wrapped(sums: Any) -> Any:  # noqa: ANN401
    return sums.astype(np.int64).astype(np.int32)


def _arrays(numbers: bytes, facts: int) -> list[Any]:
    weights = [(facts, WIDE), (MIDDLE, WIDE), (NARROW, MIDDLE), (HEADS, NARROW)]
    at = 0
    arrays: list[Any] = []
    for number, (rows, columns) in enumerate(weights):
        array: Any = np.frombuffer(numbers, "<i2", rows * columns, at).reshape(rows, columns)
        arrays.append(array.astype(np.int32 if number == 0 else np.float64))
        at += array.nbytes
    for outputs in (WIDE, MIDDLE, NARROW, HEADS):
        bias: Any = np.frombuffer(numbers, "<i4", outputs, at)
        arrays.append(bias.astype(np.int64))
        at += bias.nbytes
    return arrays
