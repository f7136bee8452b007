"""Whether a run may be begun beside those that go on."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from weir_engine import cost
from weir_engine.task import Task, needs_machine

__all__ = ["may_start"]

_SHARE: Final = 0.9
"""Of the memory that was free: the rest is for lab kernels that wait, and for the unexpected."""


def may_start(task: Task, running: Collection[Task], free_bytes: int) -> bool:
    """One always may alone. free_bytes: of memory, when none was running.

    A run that needs the machine for itself waits for the others, and they for it; so does one that
    there is no memory for beside them.
    """
    if not running:
        return True
    if any(map(needs_machine, [task, *running])):
        return False
    held = sum(cost.memory_bytes(each.experiment) for each in [task, *running])
    return held <= _SHARE * free_bytes
