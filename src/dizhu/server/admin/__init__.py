"""`dizhu admin`: what whoever runs a server does with its database. Most of it may be done while the server runs."""

from __future__ import annotations

from dizhu.server.admin.command import Said, admin

__all__ = ["Said", "admin"]
