"""What a host may change of a game: the decisions of the rule book, as data."""

from __future__ import annotations

from dataclasses import dataclass

OptionValue = bool | int | str | None


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a host may change.

    default: what the game has by itself. values: what it may be instead, numbers as a range.
    phase: the place of the phase it belongs to, None: the variant itself. field: the field that holds it.
    """

    name: str
    default: OptionValue
    values: range | tuple[OptionValue, ...]
    phase: int | None
    field: str

    def accepts(self, value: object) -> bool:
        """Tell whether a value is allowed; true is no 1."""
        if value == self.default:
            return type(value) is type(self.default)
        kind = int if isinstance(self.values, range) else type(self.values[0])
        return type(value) is kind and value in self.values

    @property
    def allowed(self) -> str:
        """Say what is allowed: `a whole number from 0 to 10`, `true or false`, `'redeal' or 'first'`."""
        if isinstance(self.values, range):
            return f"a whole number from {self.values[0]} to {self.values[-1]}"
        return " or ".join(str(value).lower() if isinstance(value, bool) else repr(value) for value in self.values)


CAP = Option("cap", None, range(1, 1_000_001), phase=None, field="cap")
"""The most that the base is multiplied by between two players; every game that settles by `Settle` has it."""
