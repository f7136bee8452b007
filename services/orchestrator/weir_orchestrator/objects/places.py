"""Where things are in the object store."""

from __future__ import annotations

import uuid
from typing import Final

__all__ = ["FAILED", "failed_prefix", "file_key", "run_prefix"]

FAILED: Final = "failed"
"""Where what failed runs left is."""


def run_prefix(key: str) -> str:
    """Where the run directory of a finished run key is."""
    return f"runs/{key[:2]}/{key}"


def failed_prefix(key: str) -> str:
    """Where run.json, host.json, log.txt and the rest of a failed run key are."""
    return f"{FAILED}/{key}"


def file_key(team_id: uuid.UUID, sha256: str) -> str:
    """Where a file that a team uploaded is."""
    return f"files/{team_id}/{sha256}"
