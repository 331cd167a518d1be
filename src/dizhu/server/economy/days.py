"""Days and weeks as the economy counts them: in UTC, a week from Monday."""

from __future__ import annotations

DAY = 86_400_000
"""Milliseconds of a day."""

_EPOCH_WEEKDAY = 3
"""1970 began on a Thursday."""


def day_of(at: int) -> int:
    """Number the day of a time in milliseconds since 1970.

    >>> day_of(0), day_of(DAY - 1), day_of(DAY)
    (0, 0, 1)
    """
    return at // DAY


def day_began(at: int) -> int:
    """Tell when the day of a time began."""
    return day_of(at) * DAY


def week_began(at: int) -> int:
    """Tell when the week of a time began.

    >>> week_began(0) // DAY, week_began(4 * DAY) // DAY
    (-3, 4)
    """
    return day_began(at) - (day_of(at) + _EPOCH_WEEKDAY) % 7 * DAY
