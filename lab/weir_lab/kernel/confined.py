"""Commands within a kernel's tree that may hold others' code: patch, Kconfig, make, strip."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_lab import confine
from weir_lab.confine import profile
from weir_lab.kernel.bounds import Bounds, held_to

__all__ = ["Said", "TookMuch", "run"]

_TAIL_LINES: Final = 40
_LINE_CHARACTERS: Final = 2000
_KILLED: Final = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""The shell, or what it ran."""


class TookMuch(WeirError):
    """A command was ended as it took more time, memory or room on the disk than it may."""


@dataclass(frozen=True)
class Said:
    """How a command ended, and its last lines."""

    code: int
    tail: list[str]


def run(
    command: Sequence[str],
    tree: Path,
    linked: Sequence[Path],
    bounds: Bounds,
    told: Callable[[str], None] = lambda line: None,
    given: str = "",
) -> Said:
    """A command in the tree; see profile.build. None of its processes is left.

    linked: other trees that this one's links lead to. told: called with each line. given: its
    standard input. Raises TookMuch: than its bounds, or it was killed.
    """
    tail: deque[str] = deque(maxlen=_TAIL_LINES)
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as stdin,
        confine.ready(profile.build(tree, linked)) as confinement,
    ):
        stdin.write(given)
        stdin.seek(0)
        with subprocess.Popen(
            command,
            cwd=tree,
            env={"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": str(tree), "LC_ALL": "C"},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=confinement.enter,  # noqa: PLW1509 - it makes system calls only
        ) as process:
            assert process.stdout is not None
            try:
                with held_to(bounds, tree, partial(_kill, process.pid)) as exceeded:
                    # Lines in pieces: a message may be as long as its writer likes.
                    for line in iter(partial(process.stdout.readline, _LINE_CHARACTERS), ""):
                        told(line)
                        tail.append(line)
                    process.wait()
            finally:
                # Also where this is interrupted; and nothing writes there from now on.
                _kill(process.pid)
    if process.returncode in _KILLED:
        why = exceeded() or "it was killed: is there enough memory?"
        raise TookMuch(f"the lab kernel was not compiled: {why}")
    return Said(process.returncode, list(tail))


def _kill(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
