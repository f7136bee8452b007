"""CPU time and memory of what carries workflows out on the test cluster: its programs and pods."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cluster.running import Cluster, cgroups

_PROGRAMS = ("kube-apiserver", "etcd", "kube-controller-manager", "kube-scheduler", "kubelet")
_EVERY_S = 2.0


@dataclass
class Spent:
    """By part: seconds of CPU, and the most memory that it was seen to hold."""

    cpu_s: dict[str, float] = field(default_factory=dict)
    peak_mib: dict[str, float] = field(default_factory=dict)


@contextmanager
def metered(cluster: Cluster, pods: Mapping[str, str]) -> Iterator[Spent]:
    """What is spent meanwhile; complete when it ends.

    pods: uid by part's name; "batches" is all others.
    """
    running = cluster.programs()
    processes = {name: running[name] for name in _PROGRAMS}
    spent = Spent()
    before = _all_cpu_s(processes, pods)
    over = threading.Event()
    watch = threading.Thread(target=_note_peaks, args=(spent.peak_mib, processes, pods, over))
    watch.start()
    try:
        yield spent
    finally:
        over.set()
        watch.join()
    after = _all_cpu_s(processes, pods)
    spent.cpu_s.update({name: after[name] - before[name] for name in after})


def _all_cpu_s(processes: Mapping[str, int], pods: Mapping[str, str]) -> dict[str, float]:
    found = {name: _process_cpu_s(pid) for name, pid in processes.items()}
    mine = {name: _cpu_s(f"pod{uid}") for name, uid in pods.items()}
    every = _cpu_s("kubepods")
    return {**found, **mine, "batches": every - sum(mine.values())}


def _note_peaks(
    peak_mib: dict[str, float],
    processes: Mapping[str, int],
    pods: Mapping[str, str],
    over: threading.Event,
) -> None:
    while not over.wait(_EVERY_S):
        found = {name: _resident_mib(pid) for name, pid in processes.items()}
        found |= {name: _memory_mib(f"pod{uid}") for name, uid in pods.items()}
        for name, size in found.items():
            peak_mib[name] = max(peak_mib.get(name, 0.0), size)


def _process_cpu_s(pid: int) -> float:
    """User and system time, of the process alone (proc(5), stat)."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _cpu_s(cgroup: str) -> float:
    """Of all that is or was in it."""
    groups = list(cgroups(cgroup))
    for total in (group / "cpuacct.usage" for group in groups):
        if total.exists():
            return int(total.read_text()) / 1e9
    return _value(groups[0] / "cpu.stat", "usage_usec") / 1e6


def _memory_mib(cgroup: str) -> float:
    """Anonymous memory, without what the system caches of files."""
    found = [group for group in cgroups(cgroup) if (group / "memory.stat").exists()]
    is_v1 = (found[0] / "memory.usage_in_bytes").exists()
    return _value(found[0] / "memory.stat", "total_rss" if is_v1 else "anon") / 2**20


def _value(file: Path, name: str) -> int:
    words = file.read_text().split()
    return int(words[words.index(name) + 1])
