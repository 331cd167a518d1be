"""How much a connection, an account and an address may ask of the server in a time."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from typing import Literal

from dizhu.errors import DizhuError
from dizhu.server.clock import Clock
from dizhu.server.settings import Rate, Settings

RateClass = Literal["reads", "writes", "passwords"]
"""What a request costs: it names the setting that limits it."""

_KEPT = 20_000
_LONGEST_WAIT = 24 * 60 * 60


class Bucket:
    """A token bucket: full at first, each use takes one token, tokens come back with time."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token; False if there is none."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def give_back(self) -> None:
        """Put back a token that was taken."""
        self._tokens = min(self._rate.burst, self._tokens + 1)

    def wait(self, now: float) -> float:
        """Tell in how many seconds there is a token."""
        self._fill(now)
        missing = 1 - self._tokens
        if missing <= 0:
            return 0
        return missing / self._rate.per_second if self._rate.per_second else math.inf

    def _fill(self, now: float) -> None:
        self._tokens = min(self._rate.burst, self._tokens + (now - self._at) * self._rate.per_second)
        self._at = now


class Buckets:
    """A bucket for each address, or for each of some other thing; those longest unused are forgotten when too many."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def bucket(self, key: Hashable, now: float) -> Bucket:
        """Find the bucket of an address."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > _KEPT:
            self._buckets.popitem(last=False)
        return bucket


Addresses = Buckets

_Kind = Literal["too_fast", "too_many_guests", "too_many_tables", "too_many_attempts"]


class Limits:
    """The limits of what is asked over HTTP. What they refuse says in how many `seconds` it may be asked again."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._clock = clock
        rates: dict[RateClass, Rate] = {
            "reads": settings.reads,
            "writes": settings.writes,
            "passwords": settings.passwords,
        }
        many = settings.crowd
        self._accounts = {kind: Buckets(rate) for kind, rate in rates.items()}
        self._addresses = {
            kind: Buckets(Rate(rate.burst * many, rate.per_second * many)) for kind, rate in rates.items()
        }
        self._guests = Buckets(settings.guests)
        self._opened = Buckets(settings.opened)
        self._opened_from = Buckets(Rate(settings.opened.burst * many, settings.opened.per_second * many))
        self._names_tried = Buckets(settings.failed_logins)
        self._addresses_trying = Buckets(settings.address_failed_logins)

    def address(self, kind: RateClass, address: str) -> None:
        """Count a request of an address. Raises DizhuError `too_fast`."""
        self._take("too_fast", self._addresses[kind], address)

    def account(self, kind: RateClass, account: int) -> None:
        """Count a request of an account. Raises DizhuError `too_fast`."""
        self._take("too_fast", self._accounts[kind], account)

    def guest(self, address: str) -> None:
        """Count a new guest of an address. Raises DizhuError `too_many_guests`."""
        self._take("too_many_guests", self._guests, address)

    def opened(self, account: int, address: str) -> None:
        """Count a table that somebody opens. Raises DizhuError `too_many_tables`."""
        now = self._clock.now()
        _take("too_many_tables", now, self._opened.bucket(account, now), self._opened_from.bucket(address, now))

    @contextmanager
    def attempt(self, name: str, address: str, wrong: str) -> Generator[None]:
        """Count a try of a password, for a name as it is compared and for an address, if it ends with the code `wrong`.

        Raises DizhuError `too_many_attempts`.
        """
        now = self._clock.now()
        buckets = (self._names_tried.bucket(name, now), self._addresses_trying.bucket(address, now))
        _take("too_many_attempts", now, *buckets)
        failed = False
        try:
            yield
        except DizhuError as error:
            failed = error.code == wrong
            raise
        finally:
            # Taken at first, so that no more than the limit can be tried at the same time.
            if not failed:
                for bucket in buckets:
                    bucket.give_back()

    def _take(self, code: _Kind, buckets: Buckets, key: Hashable) -> None:
        now = self._clock.now()
        _take(code, now, buckets.bucket(key, now))


def _take(code: _Kind, now: float, *buckets: Bucket) -> None:
    """Take a token out of each, or none at all."""
    seconds = max(bucket.wait(now) for bucket in buckets)
    if seconds:
        raise DizhuError(code, "too much in a short time", seconds=math.ceil(min(seconds, _LONGEST_WAIT)))
    for bucket in buckets:
        bucket.take(now)
