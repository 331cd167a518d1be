"""What can go wrong for a client. All are `DizhuError`, and `code` says what it was.

Refused       the server refused a command or a request, and nothing has changed; its codes are in docs/protocol.md
Unreachable   `unreachable`: there is no way to the server; `no_dizhu`: what answers there is another program
Lost          `connection_lost`: the connection broke before the answer came, so nobody knows what became of it
Ended         the connection, or the stay at the table, is over for good; the code is one of `CLOSED_CODES`
"""

from __future__ import annotations

from collections.abc import Mapping

from dizhu.errors import DizhuError
from dizhu.protocol import CLOSED_CODES, REFUSAL_CODES


class Refused(DizhuError):
    """The server refused something, and nothing has changed. `detail` says more, by the code."""

    @classmethod
    def because(cls, code: str, detail: Mapping[str, object]) -> Refused:
        """Make it from what the server says."""
        meaning = REFUSAL_CODES.get(code, "the server refuses this")
        more = "".join(f"; {name}: {value}" for name, value in detail.items())
        return cls(code, f"{code}: {meaning}{more}", **detail)


class Unreachable(DizhuError):
    """There is no way to a server of this game at the address."""


class Lost(DizhuError):
    """The connection broke before the answer came."""

    def __init__(self) -> None:
        super().__init__("connection_lost", "the connection was lost before the answer; it may have been done or not")


class Ended(DizhuError):
    """The connection, or the stay at the table, is over for good."""

    @classmethod
    def because(cls, code: str) -> Ended:
        """Make it from what the server says."""
        return cls(code, f"{code}: {CLOSED_CODES.get(code, 'the client has closed the connection.')}")
