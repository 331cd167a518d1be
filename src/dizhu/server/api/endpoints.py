"""All endpoints of the API."""

from __future__ import annotations

from dizhu.server.api import account, blocks, economy, replays, socket, tables

ENDPOINTS = (
    *account.ENDPOINTS,
    *blocks.ENDPOINTS,
    *economy.ENDPOINTS,
    *replays.ENDPOINTS,
    *socket.ENDPOINTS,
    *tables.ENDPOINTS,
)
