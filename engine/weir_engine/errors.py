"""Errors of this part, beside those of `weir.errors`.

WeirError
├── BadInput         what the user asked for cannot be understood or found: exit code 2
└── CannotRun        this machine cannot do it as it is now: exit code 3
    └── DiskFull     no room left in the store
"""

from __future__ import annotations

import errno
from pathlib import Path

from weir.errors import WeirError

__all__ = ["BadInput", "CannotRun", "DiskFull", "is_disk_full"]

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class BadInput(WeirError):
    """A name, path or option that does not fit; `str()` says what does."""


class CannotRun(WeirError):
    """The environment lacks something; `str()` says what, and how to mend it."""


class DiskFull(CannotRun):
    """The store's disk is full. What was finished is kept."""

    def __init__(self, path: Path | str, needed_bytes: int | None = None) -> None:
        self.path = Path(path)
        self.needed_bytes = needed_bytes
        amount = f"about {megabytes(needed_bytes)} more" if needed_bytes else "more room"
        super().__init__(
            f"no space left in {path}: {amount} is needed. Make room there, or name another folder "
            "with --store, and run the same command again: finished runs are kept."
        )


def megabytes(size_bytes: float) -> str:
    """`1234567` -> `1.2 MB`."""
    if size_bytes >= 1e9:
        return f"{size_bytes / 1e9:.1f} GB"
    return f"{max(size_bytes, 1e5) / 1e6:.1f} MB"


def is_disk_full(error: BaseException) -> bool:
    """Whether an OSError (or what caused it) says that no space or quota is left."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in _FULL:
            return True
        seen = seen.__cause__ or seen.__context__
    return False
