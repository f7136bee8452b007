"""The wheel `weir`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from weir_engine import ready_made
from weir_orchestrator import shipped

from weir_release import tree
from weir_release.tree import Head

__all__ = ["build"]

_MADE: Final = ("web/dist/index.html", "build/docs/site/index.html")
"""Targets of make, which what is committed lacks."""


def build(head: Head, out: Path) -> Path:
    """Build it, with what its platform serves and needs beside Python: page, documentation,
    campaigns, migrations. It has no lab/, and says instead which lab/ its kernel has to be built
    from.

    Raises WeirError: Node.js is not here, or the page or the documentation is not as it must be.
    """
    # This process's own packages are those of the checkout that it was started from.
    tree.run(["make", "--no-print-directory", *_MADE], head.folder, {"PYTHONPATH": ""})
    parts = head.folder / "services/orchestrator/weir_orchestrator" / shipped.IN_WHEEL.name
    leave = shutil.ignore_patterns("__pycache__")
    said = head.folder / "engine" / "weir_engine" / ready_made.INPUTS.name
    said.write_text(f"{ready_made.inputs_hash(head.folder / 'lab')}\n")
    for part, place in shipped.FOLDERS.items():
        shutil.copytree(head.folder / place, parts / part, ignore=leave)
    try:
        return tree.wheel(head, head.folder, out)
    finally:
        said.unlink()
        shutil.rmtree(parts)
