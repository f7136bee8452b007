"""Free space on the disk of a worker's scratch folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from weir_engine.errors import megabytes
from weir_engine.perform import LEAST_FREE_BYTES, free_bytes

__all__ = ["filled_alone", "too_little"]


def too_little(folder: Path) -> str:
    """Why no run is started here; empty where there is room for one."""
    if free_bytes(folder) >= LEAST_FREE_BYTES:
        return ""
    return (
        f"no space left in {folder}: {_shown(folder)} are free, and "
        f"{megabytes(LEAST_FREE_BYTES)} are the least that a run is started with. Make room there, "
        "or start the worker with another --data"
    )


def filled_alone(folder: Path, told: str) -> str:
    """Why a run failed that had the disk to itself, and whose files are gone by now."""
    return (
        f"no space left in {folder}: this run alone needs more than the {_shown(folder)} that were "
        "free there. Make room, start the worker with --data on a larger disk, or record less "
        f"(docs/campaigns.md); then run it again. It said: {told}"
    )


def _shown(folder: Path) -> str:
    disk = shutil.disk_usage(folder)
    return f"{megabytes(disk.free)} of {megabytes(disk.total)}"
