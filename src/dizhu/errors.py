"""The errors of the library, one tree.

    DizhuError              anything this package refuses; carries a stable code
    ├── ParseError          the text is not what it should be (cards, an action, an option, a record)
    ├── InvalidDeal         the cards do not make a deal of this variant
    ├── IllegalAction       the rules do not allow this action now; nothing has changed
    └── UnknownName         there is no variant, bot or file of that name

A code is part of the interface (protocol, tests); the sentence is for people and may change.
"""

from __future__ import annotations


class DizhuError(Exception):
    """Something was refused: `code` says what, `str(error)` says it in English."""

    def __init__(self, code: str, message: str, **detail: object) -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail

    def __reduce__(self) -> tuple[object, ...]:
        """Keep code and detail when an error crosses from one process to another."""
        return (_rebuild, (type(self), self.code, str(self), self.detail))


def _rebuild(kind: type[DizhuError], code: str, message: str, detail: dict[str, object]) -> DizhuError:
    return kind(code, message, **detail)


class ParseError(DizhuError):
    """The text does not say what it should: cards, an action, an option, a case or a record."""


class InvalidDeal(DizhuError):
    """The cards, or who holds them, do not fit the variant."""


class IllegalAction(DizhuError):
    """The rules do not allow this action to this seat now; the game has not changed."""


class UnknownName(DizhuError):
    """There is no variant, bot or file of that name."""
