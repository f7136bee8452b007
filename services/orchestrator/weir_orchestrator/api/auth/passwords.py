"""Passwords: hashed with Argon2id, at most a few at a time."""

from __future__ import annotations

import threading
from functools import cache
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

__all__ = ["LONGEST", "SHORTEST", "hash_password", "matches", "needs_rehash"]

SHORTEST: Final = 10
LONGEST: Final = 200

# argon2-cffi's defaults: RFC 9106 section 4, second recommendation (64 MiB, 3 passes).
_HASHER: Final = PasswordHasher()
# Each takes 64 MiB: many sign-ins at once must not take all memory.
_CONCURRENT: Final = threading.BoundedSemaphore(4)


def hash_password(password: str) -> str:
    """What is kept of a password."""
    with _CONCURRENT:
        return _HASHER.hash(password)


def matches(password: str, kept: str | None) -> bool:
    """Whether it is the password; takes as long for somebody without one (`kept` None)."""
    with _CONCURRENT:
        try:
            return _HASHER.verify(kept or _nobodys(), password) and kept is not None
        except (VerificationError, InvalidHashError):
            return False


def needs_rehash(kept: str) -> bool:
    """Whether it was hashed with parameters of an older release."""
    return _HASHER.check_needs_rehash(kept)


@cache
def _nobodys() -> str:
    return _HASHER.hash("nobody's password")
