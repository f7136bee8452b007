"""make in a kernel's tree, confined to it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab import confine
from weir_lab.confine import profile

__all__ = ["PROGRAM", "Progress", "compile_kernel"]

PROGRAM: Final = "linux.stripped"

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps expected, and what is being done."""

_TAIL_LINES: Final = 40
_LINE_CHARACTERS: Final = 2000
_KILLED: Final = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""The shell, or what it ran."""


def compile_kernel(
    tree: Path, linked: Sequence[Path], limit_s: float, steps: int, progress: Progress
) -> None:
    """Leave the kernel in the tree, as PROGRAM.

    linked: other trees that this one's links lead to. steps: lines that make is expected to print.
    Raises WeirError: it does not compile, or takes more than `limit_s`.
    """
    allowed = profile.build(tree, linked)
    strip = f"strip --strip-debug -o {PROGRAM} linux"
    jobs = f"-j{cpu_count() or 1}"
    tail: deque[str] = deque(maxlen=_TAIL_LINES)
    with (
        confine.ready(allowed) as confinement,
        subprocess.Popen(
            # One shell for both: what is read of the program is as hostile as what made it.
            ["sh", "-c", f"make ARCH=um {jobs} linux && {strip}"],
            cwd=tree,
            env={"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(tree), "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=confinement.enter,  # noqa: PLW1509 - it makes system calls only
        ) as make,
    ):
        assert make.stdout is not None
        patience = threading.Timer(limit_s, _kill, [make.pid])
        patience.start()
        try:
            # Lines in pieces: a message may be as long as its writer likes.
            for done, line in enumerate(iter(partial(make.stdout.readline, _LINE_CHARACTERS), "")):
                progress(min(done, steps), steps, line.strip())
                tail.append(line)
            make.wait()
        finally:
            patience.cancel()
            _kill(make.pid)  # also where this is interrupted; and nothing writes there from now on
    if make.returncode in _KILLED:
        raise WeirError(
            f"the lab kernel was not compiled within {limit_s:.0f} s, or was killed: is there "
            "enough memory?"
        )
    if make.returncode:
        raise WeirError("the lab kernel does not compile:\n" + _errors(list(tail)))


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _errors(tail: list[str]) -> str:
    return "".join([line for line in tail if "error" in line.lower()][:8] or tail[-8:])
