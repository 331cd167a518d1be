"""Garbage in cycles, which counting references does not free: looked for little by little.

With thousands of players a look at everything stops the server for half a second, by default it comes every few
seconds, and it finds next to nothing, for almost all is freed without it. Counting what is made and freed is no good
sign of when to look: while as much is freed as made, young objects heap up unnoticed, and the look at them lasts long.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_EVERYTHING = 6000
"""Ticks, of which there are ten a second, between two looks at everything."""


@contextmanager
def by_the_clock() -> Generator[None]:
    """Look for garbage only when `look` is called; what has been imported is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def look(tick: int) -> None:
    """Look at what was made since the last tick; once in ten minutes at everything."""
    gc.collect(2 if tick % _EVERYTHING == _EVERYTHING - 1 else 0)
