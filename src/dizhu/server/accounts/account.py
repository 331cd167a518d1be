"""What the rest of the server knows of an account."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Account:
    """A player, as of when he was looked up. A guest is one from the first moment.

    Two are the same if they have the same id; names change. `claimed`: it has a name of its own and a password.
    """

    id: int
    name: str = field(compare=False)
    claimed: bool = field(default=False, compare=False)
