"""Two run directories, byte by byte."""

from __future__ import annotations

import filecmp
from collections.abc import Set as AbstractSet
from pathlib import Path

__all__ = ["differing_files"]


def differing_files(first: Path, second: Path, but: AbstractSet[str]) -> list[str]:
    """Names of the files that differ or stand on one side only; files named in `but` left out."""
    names = {
        str(path.relative_to(folder))
        for folder in (first, second)
        for path in folder.rglob("*")
        if path.is_file() and path.name not in but
    }
    _, different, missing = filecmp.cmpfiles(first, second, sorted(names), shallow=False)
    return sorted(different + missing)
