"""The game server: tables, connections, and the browser client's files."""

from __future__ import annotations

from dizhu.server.app import create_app
from dizhu.server.listen import run
from dizhu.server.settings import Settings

__all__ = ["Settings", "create_app", "run"]
