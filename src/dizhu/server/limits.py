"""How fast a connection, and an address, may talk to the server."""

from __future__ import annotations

from collections import OrderedDict

from dizhu.server.settings import Rate

_ADDRESSES_KEPT = 20_000


class Bucket:
    """A token bucket: full at first, each use takes one token, tokens come back with time."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token; False if there is none."""
        self._tokens = min(self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Addresses:
    """A bucket for each address; those longest unused are forgotten when there are too many."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def bucket(self, address: str, now: float) -> Bucket:
        """Find the bucket of an address."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._rate, now)
        self._buckets.move_to_end(address)
        if len(self._buckets) > _ADDRESSES_KEPT:
            self._buckets.popitem(last=False)
        return bucket
