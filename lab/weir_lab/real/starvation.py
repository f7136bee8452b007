"""How long a lab kernel's processes were ready to run and had no CPU (Linux: schedstat)."""

from __future__ import annotations

from pathlib import Path


def waited_ns(session: int) -> dict[tuple[int, int], int]:
    """Time on a run queue so far of each (process, thread) of a session; empty where unknown.

    Source: /proc/PID/task/TID/schedstat, second field (Documentation/scheduler/sched-stats).
    """
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            stat = (process / "stat").read_text().rpartition(")")[2].split()
            if int(stat[3]) != session:
                continue
            for thread in (process / "task").iterdir():
                waited = int((thread / "schedstat").read_text().split()[1])
                found[int(process.name), int(thread.name)] = waited
        except (OSError, IndexError):  # it ended meanwhile, or no schedstat here
            continue
    return found


def share(before: dict[tuple[int, int], int], after: dict[tuple[int, int], int], s: float) -> float:
    """The share of `s` seconds spent waiting for a CPU, by threads that lived all the time."""
    waited = sum(after[thread] - before[thread] for thread in before.keys() & after.keys())
    return waited / 1e9 / s
