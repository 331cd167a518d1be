"""The fixtures of the tests of the server."""

from server.databases import database_url, postgresql

__all__ = ["database_url", "postgresql"]
