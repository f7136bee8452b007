"""Processes of this machine, which may end as one looks: then they have no children and no name."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

__all__ = ["children", "command_line", "name"]


def children(pid: int) -> list[int]:
    """Of all threads of a process."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def command_line(pid: int) -> str:
    """Its words, each ended by a NUL."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    return ""


def name(pid: int) -> str:
    """As ps has it."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""
