"""A lab kernel as a process of this machine: confined, ended with the thread that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, BinaryIO, Final

from weir.errors import RunFailure

from weir_lab import confine, memory, priority
from weir_lab.confine.profile import Profile
from weir_lab.host_paths import of_one_length
from weir_lab.kernel import Kernel, hold, verify
from weir_lab.parent import die_with

__all__ = ["KernelGone", "Process", "command", "start"]

PROGRAM: Final = Path(__file__).parent
# The guest sees Weir's packages at one place, wherever they are installed: looking up a long
# path takes other steps in the kernel than a short one, and some of those cost virtual time.
BOOTSTRAP: Final = """\
import ctypes, os, sys; mount = ctypes.CDLL(None).mount; \
mount(b'run', b'/run', b'tmpfs', 0, None); sys.path.insert(0, '/run/weir'); \
os.makedirs('/run/weir/weir_lab'); \
mount(b'none', b'/run/weir/weir_lab', b'hostfs', 1024, os.fsencode(sys.argv[2])); \
from weir_lab.guest import init, {module}; init.main({module}.run)"""


class KernelGone(RunFailure):
    """A lab kernel was pruned before it was booted; it can be built again."""


class Process(subprocess.Popen[bytes]):
    """A lab kernel. memory: the folder that its guest's memory is in. held: against pruning."""

    memory: memory.Folder
    held: BinaryIO

    def end(self) -> None:
        """Kill what is left of the kernel and its address-space processes."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self.wait()
        self.held.close()
        self.memory.remove()


def command(
    kernel: Kernel, memory_mib: int, words: Sequence[str], module: str, folder: Path
) -> list[str]:
    """words: of the kernel's command line. module: of weir_lab.guest, that carries out the plan in
    `folder`, the one that the guest writes to."""
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    return [
        str(kernel.path),
        f"mem={memory_mib}M",
        "uml_dir=uml/",
        "rootfstype=hostfs",
        "rootflags=/",
        "ro",
        f'init="{python}"',
        *words,
        "con=null",
        "con0=null,fd:1",
        "quiet",
        "panic=-1",
        "seccomp=auto",
        "PYTHONHASHSEED=0",
        "--",
        "-S",
        "-E",
        "-B",
        "-P",
        "-c",
        # Quoted, since the kernel splits its command line at spaces.
        f'"{BOOTSTRAP.format(module=module)}"',
        f'"{of_one_length(folder)}"',
        f'"{of_one_length(PROGRAM)}"',
    ]


def start(
    kernel: Kernel,
    words: Sequence[str],
    kept: memory.Folder,
    allowed: Profile,
    folder: Path,
    log: IO[bytes] | int,
    descriptors: Sequence[int],
    *,
    in_real_time: bool = False,
) -> Process:
    """Boot by this command, and do not wait. `kept` is the process's from here on.

    folder: its working folder. descriptors: what it inherits. in_real_time: it is to run before
    all else, where that may be had. Raises OSError; KernelGone; WeirError where the program is not
    the one that was built.
    """
    held = None
    try:
        held = _hold(kernel)
        with confine.ready(allowed) as confinement:
            process = Process(
                words,
                cwd=folder,
                env={"TMPDIR": str(kept.path), "HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=descriptors,
                preexec_fn=_entering(confinement, in_real_time),
            )
    except BaseException:
        kept.remove()
        if held is not None:
            held.close()
        raise
    process.memory, process.held = kept, held
    return process


def _entering(confinement: confine.Confinement, in_real_time: bool) -> Callable[[], None]:
    """What the kernel's process does before it becomes the kernel."""
    parent = os.getpid()

    def enter() -> None:
        if in_real_time:
            priority.ask()  # confined, it may not
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
