"""Names a spec may use, and the nearest of them to a word."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["SIZE_SOURCES", "nearest"]

SIZE_SOURCES = ("file", "generate", "dash", "hls", "sabre")
"""What `content.sizes` may come from, one at a time."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, or None when nothing is near."""
    found = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return found[0] if found else None
