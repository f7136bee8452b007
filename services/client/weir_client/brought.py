"""A player that a campaign brings, in its guest: its files where nobody can change them, and how
much its own may hold."""

from __future__ import annotations

import os
import resource

__all__ = ["bound_files", "lay_out"]


def lay_out(folder: str, files: dict[str, str]) -> None:
    """Write these texts, by path in the folder, which is made."""
    for name, text in files.items():
        path = f"{folder}/{name}"
        os.makedirs(path.rpartition("/")[0], 0o755, exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(path, 0o644)


def bound_files(most_bytes: int) -> None:
    """Let no file that this process writes grow beyond it, its console on the host's disk neither.

    What it says beyond is lost; a write fails with EFBIG.
    """
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
