"""The fair shuffle: a stream of SHA-256 over seed and counter, rejection sampling, Fisher–Yates.

The commitment is the SHA-256 of the seed. It is shown before the deal and the seed after the hand, so that anyone can
deal the hand again and see that the cards were fixed before anybody played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from dizhu.errors import InvalidDeal

SEED_BYTES = 32
_BLOCK_COUNTER_BYTES = 8

T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """Hash a seed for showing it in advance: SHA-256 as 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


class Stream:
    """A deterministic stream of fair draws from a 32-byte seed and what players added to it.

    Block `i` is SHA-256(key, i as 8 bytes, big-endian). The key is the seed; with entropy it is SHA-256 over the seed
    and each addition, all preceded by their length in 4 bytes, so that no two lists of additions read alike.
    """

    def __init__(self, seed: bytes, entropy: Sequence[bytes] = ()) -> None:
        """Start the stream; raises InvalidDeal `bad_seed` unless the seed has 32 bytes."""
        if len(seed) != SEED_BYTES:
            raise InvalidDeal("bad_seed", f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._key = bytes(seed)
        if entropy:
            parts = (len(part).to_bytes(4, "big") + part for part in (seed, *entropy))
            self._key = hashlib.sha256(b"".join(parts)).digest()
        self._counter = 0
        self._bytes = b""
        self._at = 0

    def _take(self, count: int) -> int:
        while len(self._bytes) - self._at < count:
            block = hashlib.sha256(self._key + self._counter.to_bytes(_BLOCK_COUNTER_BYTES, "big")).digest()
            self._bytes = self._bytes[self._at :] + block
            self._at = 0
            self._counter += 1
        value = int.from_bytes(self._bytes[self._at : self._at + count], "big")
        self._at += count
        return value

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to bound - 1, each equally likely: draws that would favour some are rejected."""
        width = ((bound - 1).bit_length() + 7) // 8 or 1
        fair = (1 << 8 * width) // bound * bound
        while True:
            value = self._take(width)
            if value < fair:
                return value % bound

    def shuffle(self, items: list[T]) -> None:
        """Bring a list into a uniformly random order, in place (Fisher–Yates from the end)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
