"""Booting a lab kernel: one unprivileged process with a wall-clock limit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from weir.errors import RunFailure

from weir_lab.kernel import Kernel

START_NS = 1_700_000_000_000_000_000  # the guest's wall clock at boot; any fixed instant does
PROGRAM = Path(__file__).parent
# The guest sees Weir's packages at one place, wherever they are installed: looking up a long
# path takes other steps in the kernel than a short one, and some of those cost virtual time.
BOOTSTRAP = """\
import ctypes, os, sys; mount = ctypes.CDLL(None).mount; \
mount(b'run', b'/run', b'tmpfs', 0, None); sys.path[0] = '/run/weir'; \
os.makedirs('/run/weir/weir_lab'); \
mount(b'none', b'/run/weir/weir_lab', b'hostfs', 1024, os.fsencode(sys.argv[2])); \
from weir_lab.guest import init, {module}; init.main({module}.run)"""
BASE_MEMORY_MIB = 160
CLIENT_MEMORY_MIB = 8
Process = subprocess.Popen[bytes]


@dataclass(frozen=True)
class Boot:
    """How to boot: the seed of all randomness, what the recorder records, and on which clock.

    links: the real clock's network devices, as the kernel's command line names them
    (vec0:...); None: the virtual clock.
    """

    seed: int
    clients: int
    record_tcp: bool
    record_queue: bool
    links: tuple[str, ...] | None = None

    @property
    def memory_mib(self) -> int:
        """Memory of the guest; the same experiment always gets the same."""
        return BASE_MEMORY_MIB + CLIENT_MEMORY_MIB * self.clients


def run(kernel: Kernel, boot: Boot, folder: Path, wall_limit_s: float) -> str:
    """Boot with `folder` as the guest's writable folder; wait for its end.

    Returns what the guest wrote on its console. Raises RunFailure when the wall-clock limit
    is reached, the kernel ends without having finished, or the guest names a reason.
    """
    console = folder / "log.txt"
    with console.open("wb") as log:
        process = start(kernel, boot, folder, log)
        try:
            process.wait(wall_limit_s)
            timed_out = False
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            end(process)
    said = console.read_text(errors="replace")
    if reason := _reason(said, timed_out, wall_limit_s):
        raise RunFailure(reason)
    return said


def start(kernel: Kernel, boot: Boot, folder: Path, log: IO[bytes] | int) -> Process:
    """Boot, and do not wait. The kernel ends with the thread that calls this."""
    return subprocess.Popen(
        _command(kernel, boot, folder),
        cwd=folder,
        env={"TMPDIR": str(_memory_folder(boot.memory_mib)), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def end(process: Process) -> None:
    """Kill what is left of the kernel and its address-space processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _command(kernel: Kernel, boot: Boot, folder: Path) -> list[str]:
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    # setpriv: the kernel must not outlive a worker that is killed.
    return [
        *([shutil.which("setpriv") or "setpriv", "--pdeathsig", "KILL"]),
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
        "recorder.file=record.bin",
        "PYTHONHASHSEED=0",
        "--",
        "-S",
        "-E",
        "-B",
        "-c",
        # Quoted, since the kernel splits its command line at spaces.
        f'"{BOOTSTRAP.format(module="init" if boot.links is None else "live")}"',
        f'"{folder}"',
        f'"{PROGRAM}"',
    ]


def _clock(boot: Boot) -> tuple[str, ...]:
    if boot.links is None:
        return ("time-travel=inf-cpu", f"time-travel-start={START_NS}")
    return boot.links


def _memory_folder(memory_mib: int) -> Path:
    """Where the guest's memory file goes: in memory when it fits and may hold code."""
    shared = Path("/dev/shm")
    try:
        state = os.statvfs(shared)
    except OSError:
        return Path(os.environ.get("TMPDIR", "/tmp"))
    fits = state.f_bavail * state.f_frsize > 2 * memory_mib << 20
    if fits and not state.f_flag & os.ST_NOEXEC and os.access(shared, os.W_OK):
        return shared
    return Path(os.environ.get("TMPDIR", "/tmp"))


def _reason(said: str, timed_out: bool, wall_limit_s: float) -> str | None:
    lines = said.splitlines()
    named = [line.removeprefix("FAILED ") for line in lines if line.startswith("FAILED ")]
    if named:
        return "; ".join(named)
    if timed_out:
        return (
            f"the lab kernel did not end within the wall-clock limit of {wall_limit_s:g} s; "
            "raise --wall-limit if the machine is slow, and look for an endless loop if a client "
            "runs an ABR of your own"
        )
    if "DONE" not in lines:
        return ended_early(said)
    return None


def ended_early(said: str) -> str:
    """The reason of a run whose lab kernel ended before it, from what it said."""
    lines = said.splitlines()
    panic = next((line for line in lines if "panic" in line.lower()), "")
    last = panic or next((line for line in reversed(lines) if line.strip()), "nothing")
    return f"the lab kernel ended before the experiment did; it said: {last.strip()}"
