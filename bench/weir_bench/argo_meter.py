"""CPU time and memory of what carries workflows out on the test cluster: its programs and pods."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from weir_bench.common import cpu_s
from weir_testing.cluster.running import Cluster, cgroups

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
    groups = {name: list(cgroups(f"pod{uid}")) for name, uid in pods.items()}
    every = list(cgroups("kubepods"))
    spent = Spent()
    before = _all_cpu_s(processes, groups, every)
    over = threading.Event()
    watch = threading.Thread(target=_note_peaks, args=(spent.peak_mib, processes, groups, over))
    watch.start()
    try:
        yield spent
    finally:
        over.set()
        watch.join()
    after = _all_cpu_s(processes, groups, every)
    spent.cpu_s.update({name: after[name] - before[name] for name in after})


def _all_cpu_s(
    processes: Mapping[str, int], pods: Mapping[str, Sequence[Path]], every: Sequence[Path]
) -> dict[str, float]:
    found = {name: cpu_s(pid) for name, pid in processes.items()}
    mine = {name: _cpu_s(groups) for name, groups in pods.items()}
    return {**found, **mine, "batches": _cpu_s(every) - sum(mine.values())}


def _note_peaks(
    peak_mib: dict[str, float],
    processes: Mapping[str, int],
    pods: Mapping[str, Sequence[Path]],
    over: threading.Event,
) -> None:
    while not over.wait(_EVERY_S):
        found = {name: _resident_mib(pid) for name, pid in processes.items()}
        found |= {name: _memory_mib(groups) for name, groups in pods.items()}
        for name, size in found.items():
            peak_mib[name] = max(peak_mib.get(name, 0.0), size)


def _resident_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _cpu_s(groups: Sequence[Path]) -> float:
    """Of all that is or was in a cgroup, of which these are its folders."""
    for total in (group / "cpuacct.usage" for group in groups):
        if total.exists():
            return int(total.read_text()) / 1e9
    return _value(groups[0] / "cpu.stat", "usage_usec") / 1e6


def _memory_mib(groups: Sequence[Path]) -> float:
    """Anonymous memory, without what the system caches of files."""
    group = next(group for group in groups if (group / "memory.stat").exists())
    is_v1 = (group / "memory.usage_in_bytes").exists()
    return _value(group / "memory.stat", "total_rss" if is_v1 else "anon") / 2**20


def _value(file: Path, name: str) -> int:
    words = file.read_text().split()
    return int(words[words.index(name) + 1])
