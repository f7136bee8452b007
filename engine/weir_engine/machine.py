"""What this machine, or the container that this process is in, has left."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["available_bytes"]

_LIMITS: Final = (
    ("memory.max", "memory.current", "memory.stat", "inactive_file"),
    (
        "memory/memory.limit_in_bytes",
        "memory/memory.usage_in_bytes",
        "memory/memory.stat",
        "total_inactive_file",
    ),
)
"""Of a control group: its limit, what is used of it, and which part of that is cache (cgroup v2,
v1)."""


def available_bytes(proc: Path = Path("/proc"), group: Path = Path("/sys/fs/cgroup")) -> int:
    """Memory that programs may take without others being swapped out, or ended."""
    available = _fields(proc / "meminfo")["MemAvailable:"] * 1024
    for limit, used, stat, cache in _LIMITS:
        with suppress(OSError, ValueError, KeyError):
            most = int((group / limit).read_text())
            held = int((group / used).read_text()) - _fields(group / stat)[cache]
            available = min(available, max(0, most - held))
    return available


def _fields(file: Path) -> dict[str, int]:
    lines = (line.split() for line in file.read_text().splitlines())
    return {name: int(value) for name, value, *_ in lines}
