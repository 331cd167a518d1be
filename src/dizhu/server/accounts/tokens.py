"""Tokens of sessions: who has one is who it stands for, so they are kept as hashes only."""

from __future__ import annotations

import hashlib
import hmac
import secrets

_TOKEN_BYTES = 32


def new_token() -> str:
    """Make a token that nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_secret() -> bytes:
    """Make a secret for `token_hash`."""
    return secrets.token_bytes(hashlib.sha256().digest_size)


def token_hash(secret: bytes, token: str) -> bytes:
    """Hash a token under a secret of the server. Any text may come as a token."""
    return hmac.digest(secret, token.encode("utf-8", "surrogatepass"), "sha256")
