"""Processes of this machine, which may end as one looks: then they have no children and no name."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["below", "children", "command_line", "descriptors", "name"]


def children(pid: int) -> list[int]:
    """Of all threads of a process."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def below(pid: int, but: Container[int] = ()) -> Iterator[int]:
    """A process, and what it and those started that it started, but these and theirs."""
    yield pid
    for child in children(pid):
        if child not in but:
            yield from below(child, but)


def descriptors(pid: int) -> list[Path]:
    """Those of a process that are open, below /proc; none where it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return list(Path(f"/proc/{pid}/fd").iterdir())
    return []


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
