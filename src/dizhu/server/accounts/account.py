"""What the rest of the server knows of accounts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Account:
    """A player, as of when he was looked up. A guest is one from the first moment.

    Two are the same if they have the same id; names change. `claimed`: it has a name of its own and a password.
    """

    id: int
    name: str = field(compare=False)
    claimed: bool = field(default=False, compare=False)


class Accounts(Protocol):
    """Where accounts and their sessions are kept."""

    async def guest(self) -> tuple[Account, str]:
        """Make a guest; returns it with the token of its session, which is never to be had again."""
        ...

    async def find(self, token: str) -> Account | None:
        """Find whose session a token is. Raises DizhuError `suspended`."""
        ...
