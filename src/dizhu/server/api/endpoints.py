"""All endpoints of the API."""

from __future__ import annotations

from dizhu.server.api import account, economy, replays, tables

ENDPOINTS = (*account.ENDPOINTS, *economy.ENDPOINTS, *replays.ENDPOINTS, *tables.ENDPOINTS)
