"""Where things are in the object store."""

from __future__ import annotations

import uuid
from typing import Final

__all__ = [
    "FAILED",
    "KERNELS",
    "PACKS",
    "RUNNING",
    "failed_prefix",
    "file_key",
    "kernel_prefix",
    "pack_key",
    "run_prefix",
    "running_prefix",
]

FAILED: Final = "failed"
"""Where what failed runs left is."""
KERNELS: Final = "kernels"
"""Where lab kernels are that campaigns changed."""
PACKS: Final = "packs"
"""Where run directories are that share an object."""
RUNNING: Final = "running"
"""Where what running ones have recorded so far is."""


def run_prefix(key: str) -> str:
    """Where the run directory of a finished run key is."""
    return f"runs/{key[:2]}/{key}"


def pack_key(pack_id: uuid.UUID) -> str:
    """Where the run directories of several finished run keys are, each as its bundle."""
    return f"{PACKS}/{pack_id}"


def failed_prefix(key: str) -> str:
    """Where run.json, host.json, log.txt and the rest of a failed run key are."""
    return f"{FAILED}/{key}"


def running_prefix(key: str) -> str:
    """Where what the run of a key has recorded so far is, while it runs."""
    return f"{RUNNING}/{key}"


def kernel_prefix(name: str) -> str:
    """Where the kernel of a hash is, or which kernels a campaign's name for its own stands for."""
    return f"{KERNELS}/{name}"


def file_key(team_id: uuid.UUID, sha256: str) -> str:
    """Where a file that a team uploaded is."""
    return f"files/{team_id}/{sha256}"
