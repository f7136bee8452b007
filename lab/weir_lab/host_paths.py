"""The host's paths as a guest is told them: all of one length.

A longer one moves a process's stack and heap, which may take a page fault more, and at each the
guest's scheduler may choose anew who of several that were woken at once comes first: the bytes of
a run would hang on where its folder is.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["of_one_length"]

LENGTH = 256
"""Longer ones have the next multiple of it."""


def of_one_length(path: Path) -> str:
    """The same path, with slashes at its end."""
    text = str(path)
    return text + "/" * (-len(text) % LENGTH)
