"""The wheel `weir`."""

from __future__ import annotations

from pathlib import Path

from weir_engine import ready_made

from weir_release import tree
from weir_release.tree import Head

__all__ = ["build"]


def build(head: Head, out: Path) -> Path:
    """Build it. It has no lab/, and says instead which lab/ its kernel has to be built from.

    Raises WeirError.
    """
    said = head.folder / "engine" / "weir_engine" / ready_made.INPUTS.name
    said.write_text(f"{ready_made.inputs_hash(head.folder / 'lab')}\n")
    try:
        return tree.wheel(head, head.folder, out)
    finally:
        said.unlink()
