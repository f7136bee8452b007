"""A lab kernel that boots once, does what is the same for all cells of a shape, and forks runs.

Whoever has it asks for a line for each run (`line`), and orders the run by it (weir_lab.forked).
One run at a time: a line that is asked for meanwhile waits. Of what a campaign brings only its
kernel, where it changes that, is in the zygote itself (docs/decisions/forked-runs.md).
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import RunFailure

from weir_lab import left, memory, process
from weir_lab.confine import profile
from weir_lab.kernel import Kernel

__all__ = ["CONSOLE", "START_NS", "Shape", "Zygote"]

START_NS: Final = 1_700_000_000_000_000_000
"""The guest's wall clock at boot; any fixed instant does."""
CONSOLE: Final = "log.txt"
_HOME: Final = "zygote"
_A_RUN: Final = b"a run"


@dataclass(frozen=True)
class Shape:
    """What a zygote is booted for. before: a `Before`, as the guest reads it. folders: what the
    guest may read beside Python's own."""

    kernel: Kernel
    memory_mib: int
    before: bytes
    folders: tuple[Path, ...]


class Zygote:
    """A zygote's process, ended by `close`, or with the thread that made this."""

    def __init__(self, shape: Shape, runs: Path) -> None:
        """Boot, and do not wait. runs: its runs' folders are within; it may write there.

        Raises OSError, KernelGone, WeirError as `process.start`.
        """
        kept = memory.make(shape.memory_mib)
        self._home = kept.path / _HOME
        try:
            self._home.mkdir()
            (self._home / "plan.marshal").write_bytes(shape.before)
            self._socket, theirs = socket.socketpair()
        except BaseException:
            kept.remove()
            raise
        try:
            with theirs:
                self._process = self._start(shape, runs, kept, theirs.fileno())
        except BaseException:
            self._socket.close()
            raise

    def _start(self, shape: Shape, runs: Path, kept: memory.Folder, theirs: int) -> process.Process:
        folders = (kept.path, runs)
        with (self._home / CONSOLE).open("wb") as log:
            return process.start(
                shape.kernel,
                process.command(
                    shape.kernel, shape.memory_mib, _words(theirs), "zygote", self._home
                ),
                kept,
                profile.lab_kernel(shape.kernel.path, shape.folders, folders, shape.memory_mib),
                self._home,
                log,
                [theirs],
            )

    @property
    def pid(self) -> int:
        """Of the kernel that is forked; it leads its process group, and not those of its forks."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def line(self, group: int | None = None) -> socket.socket:
        """What the next run is ordered by; it reads as ended at once where the zygote has died.

        group: a control group's cgroup.procs, open for writing, that the run is moved to.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            given = [theirs.fileno(), *([] if group is None else [group])]
            with suppress(OSError):  # it has died
                socket.send_fds(self._socket, [_A_RUN], given)
        return ours

    def said(self) -> str:
        """What stands on its console: why it has died, where it could still say so. Empty once it
        was closed."""
        with suppress(OSError, RunFailure):
            return left.console(self._home, CONSOLE)
        return ""

    def leave(self) -> None:
        """In a child of this process, which is not to have it: nothing ends."""
        self._socket.close()

    def close(self) -> None:
        """End it, and the run that goes on; again, it does nothing."""
        if self._socket.fileno() < 0:
            return
        self._socket.close()
        self._process.end()


def _words(fd: int) -> Sequence[str]:
    return (
        "time-travel=inf-cpu",
        f"time-travel-start={START_NS}",
        # Each fork is given its own.
        "rng-seed=0",
        f"zygote={fd}",
    )
