"""A guest that spins: it computes on and on, and virtual time stands still.

The clock of a lab kernel in time-travel mode moves when its guest waits or reads the clock. A
program that does neither would take a core until the wall-clock limit. CPU time is counted, so
that a busy machine makes nobody look as if they spun.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from weir_lab.watch import Watch

__all__ = ["MOST_CPU_S", "Standstill"]

MOST_CPU_S: Final = 30.0
"""Far above what an honest decision of a player takes: a film has a hundred of them."""
_GROUP, _USER, _SYSTEM = 2, 11, 12
"""Fields of /proc/PID/stat, counted from the one after the program's name."""


class Standstill:
    """Watches a lab kernel of the virtual clock from outside."""

    def __init__(self, pid: int, watch: Watch, most_cpu_s: float) -> None:
        """pid: of the lab kernel, which leads its process group. most_cpu_s: that one may compute
        while virtual time stands still."""
        self._most_cpu_s = most_cpu_s
        self._pid = pid
        self._watch = watch
        self._clock_ns = -1
        self._since_cpu_s = 0.0

    def spinning(self) -> str:
        """The program that computes while virtual time stands still for longer than it may; empty
        where none does.
        """
        clock_ns, program = self._watch.told()
        if clock_ns != self._clock_ns:
            self._clock_ns, self._since_cpu_s = clock_ns, _cpu_s(self._pid)
            return ""
        if clock_ns == 0 or _cpu_s(self._pid) - self._since_cpu_s < self._most_cpu_s:
            return ""
        return program or "a program"

    def told(self, program: str, hosts: Mapping[str, str]) -> str:
        """The reason of a run that was ended for it; hosts: what runs in each, by its name."""
        host = program if program in hosts else ""
        host = host or next((name for name, runs in hosts.items() if runs == program), "")
        where = f"{hosts[host]} in {host}" if host else program
        return (
            f"the guest spins: {where} took {self._most_cpu_s:g} s of CPU time while virtual time "
            "stood still; look for an endless loop, or for one that waits for something without "
            "sleeping"
        )


def _cpu_s(group: int) -> float:
    """CPU time of a process group's members that have not ended: the kernel, and one per guest
    process."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        # It may end while it is looked at.
        with suppress(OSError):
            stat = (process / "stat").read_text(errors="replace")
            fields = stat.rpartition(")")[2].split()
            if int(fields[_GROUP]) == group:
                ticks += int(fields[_USER]) + int(fields[_SYSTEM])
    return ticks / os.sysconf("SC_CLK_TCK")
