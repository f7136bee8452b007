"""A worker's own folder for runs under way; what dead workers left is removed."""

from __future__ import annotations

import shutil
from pathlib import Path

from weir_engine.store import Store, owner

__all__ = ["make"]


def make(data: Path) -> Store:
    """An empty store below `data`/work for this process, after sweeping those of dead ones."""
    folder = data.absolute() / "work"
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.iterdir():
        if not owner.alive(left.name):
            owner.end_processes_in(left)
            shutil.rmtree(left, ignore_errors=True)
    own = folder / owner.mark()
    own.mkdir(exist_ok=True)
    return Store(own)
