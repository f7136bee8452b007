"""Names of objects: what every store, file system and URL takes as it is."""

from __future__ import annotations

import re

from weir_engine.errors import BadInput

__all__ = ["checked_key"]

_PART = re.compile(r"[A-Za-z0-9._-]{1,255}", re.ASCII)
_MOST_CHARS = 900  # S3 allows 1024 with the store's own prefix


def checked_key(key: str) -> str:
    """`key` itself. Raises BadInput when it is no relative path of plain names."""
    parts = key.split("/")
    plain = all(_PART.fullmatch(part) and part not in (".", "..") for part in parts)
    if not plain or len(key) > _MOST_CHARS:
        shown = key if len(key) <= 80 else f"{key[:79]}…"
        raise BadInput(
            f"object key: {shown!r} — allowed: names of letters, digits, '.', '_' and '-' "
            f"(not '.' or '..'), joined by '/', at most {_MOST_CHARS} characters. Rename the file."
        )
    return key
