"""Copies of frozen values with some fields changed."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def replace(value: T, /, **changes: object) -> T:
    """Copy a frozen dataclass (without slots) and change some fields.

    Every action makes a new state, and `dataclasses.replace` would put each of its fields through `__init__` again.
    """
    fields = vars(value)
    assert changes.keys() <= fields.keys(), "a field that the value does not have"
    made = object.__new__(type(value))
    vars(made).update(fields, **changes)
    return made
