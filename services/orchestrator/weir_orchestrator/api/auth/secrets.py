"""Secrets of sessions and tokens: random, told once, kept as SHA-256 only.

They have 256 bits of their own, so a fast hash is enough; passwords take Argon2 instead.
"""

from __future__ import annotations

import hashlib
import secrets

__all__ = ["TOKEN_PREFIX", "digest", "new_secret", "new_token"]

TOKEN_PREFIX = "weir_"


def new_secret() -> str:
    """A new secret of 256 random bits."""
    return secrets.token_urlsafe(32)


def new_token() -> str:
    """A new API token; the prefix lets scanners of leaked secrets find it."""
    return TOKEN_PREFIX + new_secret()


def digest(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
