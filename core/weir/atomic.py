"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_atomic(path: Path, content: bytes) -> None:
    """Whole or not at all, also when killed or when the disk is full (OSError, nothing left)."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
