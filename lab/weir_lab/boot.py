"""Booting a lab kernel: one unprivileged process with a wall-clock limit."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO

from weir.errors import RunFailure

from weir_lab import confine, left, memory
from weir_lab.confine import profile
from weir_lab.host_paths import of_one_length
from weir_lab.kernel import Kernel, hold, verify
from weir_lab.packages import PACKAGES, folder_of
from weir_lab.parent import die_with
from weir_lab.standstill import MOST_CPU_S, Standstill

START_NS = 1_700_000_000_000_000_000  # the guest's wall clock at boot; any fixed instant does
PROGRAM = Path(__file__).parent
# The guest sees Weir's packages at one place, wherever they are installed: looking up a long
# path takes other steps in the kernel than a short one, and some of those cost virtual time.
BOOTSTRAP = """\
import ctypes, os, sys; mount = ctypes.CDLL(None).mount; \
mount(b'run', b'/run', b'tmpfs', 0, None); sys.path.insert(0, '/run/weir'); \
os.makedirs('/run/weir/weir_lab'); \
mount(b'none', b'/run/weir/weir_lab', b'hostfs', 1024, os.fsencode(sys.argv[2])); \
from weir_lab.guest import init, {module}; init.main({module}.run)"""
DEPTH_FRAMES = 128  # of a wire: at most so many per system call, each way
BASE_MEMORY_MIB = 160
CLIENT_MEMORY_MIB = 8
PROGRAM_MEMORY_MIB = 104
OFF, FULL, SECONDS = 0, 1, 2  # the recorder's levels
CONSOLE = "log.txt"
LOOK_EVERY_S = 0.5
MOST_LEFT_BYTES = 5 << 30
# Confined, it gets no pseudo terminal to try, and needs none.
NO_TERMINALS = f"check_one_sigio failed, errno = {errno.EACCES}"


class KernelKilled(RunFailure):
    """A lab kernel was killed from outside; another try may well succeed."""


class KernelGone(RunFailure):
    """A lab kernel was pruned before it was booted; it can be built again."""


class Process(subprocess.Popen[bytes]):
    """A lab kernel. memory: the folder that its guest's memory is in. held: against pruning."""

    memory: memory.Folder
    held: BinaryIO


@dataclass(frozen=True)
class Boot:
    """How to boot: the seed of all randomness, what the recorder records, and on which clock.

    record_tcp, record_queue: OFF, FULL or SECONDS. record_ns: when sums by the second begin and
    end, on the guest's monotonic clock. standstill_cpu_s: computed for so long while virtual time
    stands still, the guest spins.
    wires: the real clock's, a descriptor for each network device (real/links.py); None: the
    virtual clock. folders: what the guest may read beside Python's own; empty: PACKAGES.
    programs: the clients that are programs of their own. running: what runs in each host, by the
    host's name. guest: the module of weir_lab.guest that carries out the plan; empty: a cell's.
    """

    seed: int
    clients: int
    record_tcp: int
    record_queue: int
    wires: tuple[int, ...] | None = None
    folders: tuple[Path, ...] = ()
    programs: int = 0
    running: Mapping[str, str] = field(default_factory=dict)
    guest: str = ""
    record_ns: tuple[int, int] | None = None
    standstill_cpu_s: float = MOST_CPU_S

    @property
    def memory_mib(self) -> int:
        """Memory of the guest; the same experiment always gets the same."""
        more_mib = PROGRAM_MEMORY_MIB * self.programs
        return BASE_MEMORY_MIB + CLIENT_MEMORY_MIB * self.clients + more_mib


def run(kernel: Kernel, boot: Boot, folder: Path, wall_limit_s: float) -> str:
    """Boot with `folder` as the guest's writable folder; wait for its end.

    Returns what the guest wrote on its console, its middle cut where it is long. Raises RunFailure
    when the wall-clock limit is reached, the guest spins, the kernel ends without having finished,
    the guest names a reason or leaves too much; KernelKilled when something outside ended it.
    """
    with (folder / CONSOLE).open("wb") as log:
        process = start(kernel, boot, folder, log)
        try:
            stopped = _wait(process, kernel, boot, folder, wall_limit_s)
        finally:
            end(process)
    return judged(process.returncode, left.console(folder, CONSOLE), stopped)


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


def _wait(process: Process, kernel: Kernel, boot: Boot, folder: Path, wall_limit_s: float) -> str:
    """Until the kernel has ended, or why it is not waited for any longer."""
    watch = Standstill(process.pid, kernel.path, boot.standstill_cpu_s)
    until_s = time.monotonic() + wall_limit_s
    while (left_s := until_s - time.monotonic()) > 0:
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(left_s, LOOK_EVERY_S))
            return ""
        if grown := left.outgrown(folder, MOST_LEFT_BYTES):
            return f"the run was stopped, since {grown}; let it write and record less"
        if program := watch.spinning():
            return watch.told(program, boot.running)
    return (
        f"the lab kernel did not end within the wall-clock limit of {wall_limit_s:g} s; "
        "raise --wall-limit if the machine is slow, and look for an endless loop if a client "
        "runs an ABR or a player of your own"
    )


def start(kernel: Kernel, boot: Boot, folder: Path, log: IO[bytes] | int) -> Process:
    """Boot, and do not wait. The kernel ends with the thread that calls this.

    It is confined to what profile.lab_kernel allows. Raises OSError; KernelGone; WeirError where
    the program is not the one that was built.
    """
    held = _hold(kernel)
    kept = memory.make(boot.memory_mib)
    sources = boot.folders or tuple(map(folder_of, PACKAGES))
    allowed = profile.lab_kernel(kernel.path, sources, folder, kept.path, boot.memory_mib)
    try:
        with confine.ready(allowed) as confinement:
            process = Process(
                _command(kernel, boot, folder),
                cwd=folder,
                env={"TMPDIR": str(kept.path), "HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=boot.wires or (),
                preexec_fn=_entering(confinement),
            )
    except BaseException:
        kept.remove()
        held.close()
        raise
    process.memory, process.held = kept, held
    return process


def end(process: Process) -> None:
    """Kill what is left of the kernel and its address-space processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.held.close()
    process.memory.remove()


def _entering(confinement: confine.Confinement) -> Callable[[], None]:
    """What the kernel's process does before it becomes the kernel."""
    parent = os.getpid()

    def enter() -> None:
        confinement.enter()
        die_with(parent)

    return enter


def _hold(kernel: Kernel) -> BinaryIO:
    try:
        held = hold(kernel.path)
    except FileNotFoundError as error:
        raise KernelGone(
            f"lab kernel {kernel.path}: not there any longer; weir kernel build builds it again"
        ) from error
    try:
        verify(kernel)
    except BaseException:
        held.close()
        raise
    return held


def _command(kernel: Kernel, boot: Boot, folder: Path) -> list[str]:
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    return [
        str(kernel.path),
        f"mem={boot.memory_mib}M",
        "uml_dir=uml/",
        "rootfstype=hostfs",
        "rootflags=/",
        "ro",
        f'init="{python}"',
        *_clock(boot),
        f"rng-seed={boot.seed}",
        "con=null",
        "con0=null,fd:1",
        "quiet",
        "panic=-1",
        "seccomp=auto",
        f"recorder.tcp={int(boot.record_tcp)}",
        f"recorder.queue={int(boot.record_queue)}",
        *_recorded_between(boot),
        "recorder.file=record.bin",
        "PYTHONHASHSEED=0",
        "--",
        "-S",
        "-E",
        "-B",
        "-P",
        "-c",
        # Quoted, since the kernel splits its command line at spaces.
        f'"{BOOTSTRAP.format(module=_module(boot))}"',
        f'"{of_one_length(folder)}"',
        f'"{of_one_length(PROGRAM)}"',
    ]


def _recorded_between(boot: Boot) -> tuple[str, ...]:
    if boot.record_ns is None:
        return ()
    from_ns, until_ns = boot.record_ns
    return f"recorder.from_ns={from_ns}", f"recorder.until_ns={until_ns}"


def _module(boot: Boot) -> str:
    return boot.guest or ("init" if boot.wires is None else "live")


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
