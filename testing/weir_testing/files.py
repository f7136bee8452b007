"""What folders hold, and what a run writes."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Set as AbstractSet
from pathlib import Path

from weir import metrics, rundir
from weir_lab.collect import CellResult

__all__ = ["HOST", "contents", "named", "run_directory"]

HOST = frozenset({"host.json"})
"""What a host says of itself: no part of a run's bytes."""


def contents(folder: Path, but: AbstractSet[str] = frozenset()) -> dict[str, bytes]:
    """Every file of a folder by its path there; files named in `but` left out."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in but)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def named(folder: Path, pattern: str) -> list[Path]:
    """Files below a folder by a pattern of their names, while others add and remove there."""
    # Not rglob: it fails at a folder that vanishes meanwhile.
    walked = os.walk(folder)
    return [Path(at, name) for at, _, names in walked for name in fnmatch.filter(names, pattern)]


def run_directory(result: CellResult, folder: Path) -> dict[str, bytes]:
    """What a cell recorded, with its log and commands, written to this new folder: its files."""
    rundir.save(folder, result.data, metrics=metrics.compute(result.data))
    (folder / "log.txt").write_text(result.log)
    (folder / "commands.json").write_bytes(rundir.to_json(result.commands))
    return contents(folder)
