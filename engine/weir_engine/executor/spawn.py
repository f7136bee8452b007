"""Starting a fork server: executed afresh, with nothing of value in its environment."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from multiprocessing.connection import Connection
from typing import Any, Final

from weir_engine.ended import MOST_BYTES
from weir_engine.task import Environment

__all__ = ["PROGRAM", "ForkServer"]

PROGRAM: Final = "from weir_engine.executor.fork_server import main; main()"
_KEPT: Final = (
    "PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR",
    "XDG_CACHE_HOME", "WEIR_CACHE", "WEIR_LAB_KERNEL", "WEIR_LAB_MEMORY", "WEIR_PLAYERS",
)  # fmt: skip
"""Where programs, scratch files and lab kernels are; all else stays with the parent."""
_ALLOCATION: Final = {
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(32 << 20),
}
"""mallopt(3): up to so many bytes, memory that a run's tables leave is taken for its next ones. By
itself the C library returns it, and the kernel clears it again page by page."""


class ForkServer:
    """A fork server, and the line to it: tasks go out, and plain data comes back."""

    def __init__(self, environment: Environment, program: str = PROGRAM) -> None:
        """program: Python source that its process carries out."""
        ours, theirs = socket.socketpair()
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        variables = {**kept, **_ALLOCATION}
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", program, str(theirs.fileno()), str(os.getpid())],
                env=variables,
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self.connection = Connection(ours.detach())
        self._send(environment)

    def carry_out(self, task: Any) -> None:
        """Give it a task; None: end what runs and then itself."""
        self._send(task)

    def hear(self) -> Any:
        """What it says next. Raises EOFError where it has ended."""
        return json.loads(self.connection.recv_bytes(MOST_BYTES))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def exit_code(self) -> int:
        """Waits for its end; negative: the signal that ended it."""
        return self._process.wait()

    def shut(self) -> None:
        """Let it end by itself, or else by force."""
        self.connection.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, what: Any) -> None:
        try:
            self.connection.send(what)
        except OSError:
            # Its end is noticed, and told, when its answer is awaited.
            return
