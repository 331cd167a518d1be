"""The server that `load.py` measures: as `dizhu serve` runs it, but without the limits that are there for strangers."""

from __future__ import annotations

import sys

from dizhu.server import Settings, run
from dizhu.server.logs import configure
from dizhu.server.settings import Rate

UNLIMITED = Rate(1e12, 1e12)


def settings() -> Settings:
    """All clients come from one address, and they are in a hurry."""
    return Settings(
        commands=UNLIMITED,
        address_commands=UNLIMITED,
        address_connects=UNLIMITED,
        address_connections=1_000_000,
        guests=UNLIMITED,
        opened=UNLIMITED,
        tables=1_000_000,
        bundle=None,
    )


if __name__ == "__main__":
    configure("warning")
    sys.exit(run(port=0, settings=settings(), database=sys.argv[1]))
