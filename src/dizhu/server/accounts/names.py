"""Names of players."""

from __future__ import annotations

import secrets


def guest_name() -> str:
    """Make a name for a guest; nobody can choose one like it."""
    return f"Guest {1000 + secrets.randbelow(9000)}"
