"""Booting a lab kernel for a run, or forking one: an unprivileged process, with a time limit."""

from __future__ import annotations

import errno
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from weir.errors import RunFailure

from weir_lab import descriptors, left, memory, process
from weir_lab.confine import profile
from weir_lab.forked import Forked
from weir_lab.guest.plan import Before, dumped
from weir_lab.kernel import Kernel
from weir_lab.packages import PACKAGES, folder_of
from weir_lab.process import KernelGone, Process
from weir_lab.standstill import MOST_CPU_S, Standstill
from weir_lab.watch import Watch
from weir_lab.zygote import START_NS, Shape, Zygote

__all__ = [
    "CONSOLE",
    "FULL",
    "LOOK_EVERY_S",
    "OFF",
    "SECONDS",
    "START_NS",
    "Boot",
    "KernelGone",
    "KernelKilled",
    "Running",
    "Shape",
    "booted",
    "ended_early",
    "judged",
    "run",
    "shape",
    "start",
]  # fmt: skip

DEPTH_FRAMES = 128  # of a wire: at most so many per system call, each way
BASE_MEMORY_MIB = 160
CLIENT_MEMORY_MIB = 8
FEW_CLIENTS = 100
FURTHER_MEMORY_MIB = 3
"""Of each client after these: one of 500 touches 1.2 MiB (docs/scale.md)."""
PROGRAM_MEMORY_MIB = 104
OFF, FULL, SECONDS = 0, 1, 2  # the recorder's levels
CONSOLE = "log.txt"
LOOK_EVERY_S = 0.5
MOST_LEFT_BYTES = 5 << 30
# Confined, it gets no pseudo terminal to try, and needs none.
NO_TERMINALS = f"check_one_sigio failed, errno = {errno.EACCES}"
ALWAYS_NS = (0, 2**63 - 1)

Running = Process | Forked
"""A lab kernel that carries something out."""


class KernelKilled(RunFailure):
    """A lab kernel was killed from outside; another try may well succeed."""


@dataclass(frozen=True)
class Boot:
    """How to carry out: the seed of all randomness, what the recorder records, on which clock.

    record_tcp, record_queue: OFF, FULL or SECONDS. record_ns: when sums by the second begin and
    end, on the guest's monotonic clock. standstill_cpu_s: computed for so long while virtual time
    stands still, the guest spins.
    before: what is done before a lab kernel is forked for this; None: one is booted for it.
    wires: the real clock's, a descriptor for each network device (real/links.py); None: the
    virtual clock. folders: what the guest may read beside Python's own; empty: PACKAGES.
    programs: the clients that are programs of their own. more_mib: further memory
    (browser_memory.py). running: what runs in each host, by the host's name. guest: the module of
    weir_lab.guest that carries out the plan, where one is booted; empty: an agent's on the real
    clock.
    """

    seed: int
    clients: int
    record_tcp: int
    record_queue: int
    wires: tuple[int, ...] | None = None
    folders: tuple[Path, ...] = ()
    programs: int = 0
    more_mib: int = 0
    running: Mapping[str, str] = field(default_factory=dict)
    guest: str = ""
    record_ns: tuple[int, int] | None = None
    standstill_cpu_s: float = MOST_CPU_S
    before: Before | None = None

    @property
    def memory_mib(self) -> int:
        """Memory of the guest; the same experiment always gets the same."""
        programs_mib = PROGRAM_MEMORY_MIB * self.programs
        few = min(self.clients, FEW_CLIENTS)
        clients_mib = CLIENT_MEMORY_MIB * few + FURTHER_MEMORY_MIB * (self.clients - few)
        return BASE_MEMORY_MIB + clients_mib + programs_mib + self.more_mib


def run(
    kernel: Kernel,
    boot: Boot,
    folder: Path,
    wall_limit_s: float,
    line: socket.socket | None = None,
) -> str:
    """Carry out with `folder` as the guest's writable folder; wait for its end.

    line: to a zygote of this shape; None: one of its own forks it. Returns what the guest wrote on
    its console, its middle cut where it is long.
    Raises RunFailure when the wall-clock limit is reached, the guest spins, the kernel ends without
    having finished, the guest names a reason or leaves too much; KernelKilled when something
    outside ended it; NotForked when the zygote failed it.
    """
    watch = Watch()
    try:
        with (folder / CONSOLE).open("wb") as log:
            running = start(kernel, boot, folder, log, watch, line)
        try:
            stopped = _wait(running, watch, boot, folder, wall_limit_s)
        finally:
            running.end()
    finally:
        watch.close()
    # What was made to end has a reason, whatever its exit code.
    code = 0 if running.returncode is None else running.returncode
    return judged(code, left.console(folder, CONSOLE), stopped)


def judged(exit_code: int, said: str, stopped: str = "") -> str:
    """What is to be known of what a kernel said that has ended. stopped: why it was made to.

    Raises as `run`.
    """
    said = said.replace(f"{NO_TERMINALS}\n", "", 1)
    if not stopped and exit_code < 0:
        killed = signal.Signals(-exit_code).name
        raise KernelKilled(f"the lab kernel was killed by {killed}; {ended_early(said)}")
    if reason := _reason(said, stopped):
        raise RunFailure(reason)
    return said


def _wait(running: Running, watch: Watch, boot: Boot, folder: Path, wall_limit_s: float) -> str:
    """Until the kernel has ended, or why it is not waited for any longer."""
    standstill = None
    until_s = time.monotonic() + wall_limit_s
    while (left_s := until_s - time.monotonic()) > 0:
        with suppress(subprocess.TimeoutExpired):
            running.wait(min(left_s, LOOK_EVERY_S))
            return ""
        if grown := left.outgrown(folder, MOST_LEFT_BYTES):
            return f"the run was stopped, since {grown}; let it write and record less"
        if standstill is None and (pid := running.pid) is not None:
            standstill = Standstill(pid, watch, boot.standstill_cpu_s)
        if standstill is not None and (program := standstill.spinning()):
            return standstill.told(program, boot.running)
    return (
        f"the lab kernel did not end within the wall-clock limit of {wall_limit_s:g} s; "
        "raise --wall-limit if the machine is slow, and look for an endless loop if a client "
        "runs an ABR or a player of your own"
    )


def start(
    kernel: Kernel,
    boot: Boot,
    folder: Path,
    log: IO[bytes] | int,
    watch: Watch | None = None,
    line: socket.socket | None = None,
) -> Running:
    """Boot, or have a fork made, and do not wait. The kernel ends with the thread that calls this.

    watch: needed for a fork. line: to a zygote of this shape; None: to one of this run's own. The
    kernel is confined to what profile.lab_kernel allows. Raises OSError; KernelGone; NotForked;
    RunFailure where the cell is too large for this machine's limits; WeirError where the program
    is not the one that was built.
    """
    descriptors.require(boot.clients)
    if boot.before is None:
        return booted(kernel, boot, folder, log, watch)
    assert watch is not None
    own = None
    if line is None:
        own = Zygote(shape(kernel, boot), folder)
        line = own.line()
    return Forked(
        line,
        _order(boot),
        folder,
        _allowed(kernel, boot, (folder,)),
        log if isinstance(log, int) else log.fileno(),
        watch,
        own,
    )


def shape(kernel: Kernel, boot: Boot) -> Shape:
    """What a zygote that forks this has to be booted for."""
    assert boot.before is not None
    return Shape(kernel, boot.memory_mib, dumped(boot.before), _folders(boot))


def booted(
    kernel: Kernel, boot: Boot, folder: Path, log: IO[bytes] | int, watch: Watch | None = None
) -> Process:
    """As `start`, never a fork."""
    kept = memory.make(boot.memory_mib)
    words = [*_clock(boot), f"rng-seed={boot.seed}", *_recorder(boot)]
    given = list(boot.wires or ())
    if watch is not None:
        words.append(f"watch={watch.fd}")
        given.append(watch.fd)
    module = boot.guest or "live"
    return process.start(
        kernel,
        process.command(kernel, boot.memory_mib, words, module, folder),
        kept,
        _allowed(kernel, boot, (folder, kept.path)),
        folder,
        log,
        given,
        in_real_time=boot.wires is not None,
    )


def _order(boot: Boot) -> tuple[str, str]:
    from_ns, until_ns = boot.record_ns or ALWAYS_NS
    recorded = (int(boot.record_tcp), int(boot.record_queue), from_ns, until_ns)
    return str(boot.seed), " ".join(map(str, recorded))


def _allowed(kernel: Kernel, boot: Boot, folders: tuple[Path, ...]) -> profile.Profile:
    return profile.lab_kernel(kernel.path, _folders(boot), folders, boot.memory_mib)


def _folders(boot: Boot) -> tuple[Path, ...]:
    return boot.folders or tuple(map(folder_of, PACKAGES))


def _recorder(boot: Boot) -> tuple[str, ...]:
    of_time: tuple[str, ...] = ()
    if boot.record_ns is not None:
        from_ns, until_ns = boot.record_ns
        of_time = f"recorder.from_ns={from_ns}", f"recorder.until_ns={until_ns}"
    return (
        f"recorder.tcp={int(boot.record_tcp)}",
        f"recorder.queue={int(boot.record_queue)}",
        *of_time,
        "recorder.file=record.bin",
    )


def _clock(boot: Boot) -> tuple[str, ...]:
    if boot.wires is None:
        return ("time-travel=inf-cpu", f"time-travel-start={START_NS}")
    return tuple(
        f"vec{number}:transport=fd,fd={wire},depth={DEPTH_FRAMES}"
        for number, wire in enumerate(boot.wires)
    )


def _reason(said: str, stopped: str) -> str | None:
    lines = said.splitlines()
    named = [line.removeprefix("FAILED ") for line in lines if line.startswith("FAILED ")]
    if named:
        return "; ".join(named)
    if stopped:
        return stopped
    if "DONE" not in lines:
        return ended_early(said)
    return None


def ended_early(said: str) -> str:
    """The reason of a run whose lab kernel ended before it, from what it said."""
    lines = said.splitlines()
    panic = next((line for line in lines if "panic" in line.lower()), "")
    last = panic or next((line for line in reversed(lines) if line.strip()), "nothing")
    return f"the lab kernel ended before the experiment did; it said: {last.strip()}"
