"""A worker's batch: what it is there for, when it is not there for everything and for ever."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["EVERYTHING", "Batch", "oom_kills"]

_COUNTERS: Final = (
    Path("/sys/fs/cgroup/memory.events"),
    Path("/sys/fs/cgroup/memory/memory.oom_control"),
)
"""Of the container that this process is in: cgroup v2, v1."""


@dataclass(frozen=True)
class Batch:
    """Runs of one campaign alone, if any; at most so many; until there is none to claim.

    A batch also ends, with what runs finished, when its container's memory ran out.
    """

    campaign: uuid.UUID | None = None
    until_idle: bool = False
    at_most: int | None = None


EVERYTHING: Final = Batch()


def oom_kills(counters: tuple[Path, ...] = _COUNTERS) -> int:
    """Processes of this container that were killed because its memory ran out; 0 outside one."""
    for counter in counters:
        try:
            lines = counter.read_text().splitlines()
        except OSError:
            continue
        for name, _, number in (line.partition(" ") for line in lines):
            if name == "oom_kill":
                return int(number)
    return 0
