"""What memory a worker, and the lab kernel that it runs, hold: proportional set size."""

from __future__ import annotations

from pathlib import Path


def lab_kernel_bytes(worker: int, linux: str) -> int:
    """What the lab kernel below a worker and the kernel's processes hold; 0 when none runs."""
    kernels = [child for child in _started(worker) if _program(child) == linux]
    return sum(pss_bytes(pid) for kernel in kernels for pid in _tree(kernel))


def pss_bytes(pid: int) -> int:
    """Proportional set size; 0 for a process that is gone."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    line = next(line for line in text.splitlines() if line.startswith("Pss:"))
    return int(line.split()[1]) * 1024


def _program(pid: int) -> str:
    """Path of what a process runs; empty for one that is gone."""
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return ""


def _started(pid: int) -> list[int]:
    """Children of a process, without those that run its own program.

    Such a child has called vfork or clone and not exec: its memory is its parent's, and is not
    there twice.
    """
    try:
        listed = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # the process or a task of it is gone
        return []
    children = [int(child) for line in listed for child in line.split()]
    own = _program(pid)
    return [child for child in children if _program(child) != own]


def _tree(pid: int) -> list[int]:
    """A process and everything below it."""
    return [pid] + [below for child in _started(pid) for below in _tree(child)]
