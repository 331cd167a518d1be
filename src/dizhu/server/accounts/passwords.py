"""Passwords: hashed with argon2id in few threads, so that they take neither the event loop nor all processors."""

from __future__ import annotations

import asyncio
import base64
import secrets
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from dizhu.errors import DizhuError

T = TypeVar("T")

SHORTEST, LONGEST = 8, 256
"""How many characters a password has."""

_THREADS = 2
_WAITING = 32


class Passwords:
    """Hashes and checks passwords, two at a time; when too many wait, the next is refused."""

    def __init__(self, *, rounds: int = 3, memory_kib: int = 64 * 1024) -> None:
        self._hasher = PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=1)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="password")
        self._places = threading.BoundedSemaphore(_THREADS + _WAITING)
        self._nobodys = _unmatched(self._hasher)

    async def hash(self, password: str) -> str:
        """Hash a new password. Raises DizhuError: `bad_password` with `why` (too_short, too_long), or `busy`."""
        text = _normal(password)
        if not SHORTEST <= len(text) <= LONGEST:
            raise DizhuError(
                "bad_password",
                f"a password has {SHORTEST} to {LONGEST} characters",
                why="too_short" if len(text) < SHORTEST else "too_long",
            )
        return await self._run(self._hasher.hash, _bytes(text))

    async def verify(self, hashed: str | None, password: str) -> bool:
        """Check a password. Where there is none it takes as long as where there is one. Raises DizhuError `busy`."""
        return await self._run(self._matches, hashed or self._nobodys, _bytes(_normal(password)))

    def outdated(self, hashed: str) -> bool:
        """Tell whether a hash was made with other parameters than a new one would be."""
        return self._hasher.check_needs_rehash(hashed)

    def _matches(self, hashed: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except VerifyMismatchError:
            return False

    async def _run(self, work: Callable[..., T], *arguments: str | bytes) -> T:
        if not self._places.acquire(blocking=False):
            raise DizhuError("busy", "too many passwords are being checked at the moment")
        done = self._threads.submit(work, *arguments)
        done.add_done_callback(lambda _: self._places.release())
        return await asyncio.wrap_future(done)


def _normal(password: str) -> str:
    """The same characters may come in several forms from several keyboards."""
    return unicodedata.normalize("NFC", password)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _unmatched(hasher: PasswordHasher) -> str:
    """Make a hash that is the hash of no password, and yet as much work to check as any."""
    parameters = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    parts = (secrets.token_bytes(length) for length in (hasher.salt_len, hasher.hash_len))
    salt, digest = (base64.b64encode(part).decode().rstrip("=") for part in parts)
    return f"$argon2id$v=19${parameters}${salt}${digest}"
