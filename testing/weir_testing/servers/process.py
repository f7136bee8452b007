"""One server process: started, waited for, killed, started again on what it left."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from weir_testing.command import state_of
from weir_testing.patience import PATIENCE_S
from weir_testing.processes import children

# A parent-death signal is sent when the starting *thread* ends: this one lasts as long as Python.
_starter = ThreadPoolExecutor(1, thread_name_prefix="starts-servers")


class ServerProcess:
    """A program that serves, and dies with the process that started it.

    user: whose rights it takes; None keeps the caller's.
    ready: whether it answers yet; asked until it does.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        ready: Callable[[], bool],
        env: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> None:
        rights = [f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
        self._command = ["setpriv", "--pdeathsig=KILL", *rights, "--", *command]
        self._env = {**os.environ, **(env or {})}
        self._log = log
        self._ready = ready
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the running process. Raises RuntimeError when it does not run."""
        if self._process is None:
            raise RuntimeError(f"{self._command[-1]} does not run: start() it")
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it is ready; nothing where it runs.

        Raises RuntimeError with the end of its log when it ends or is not ready in time.
        """
        if self._process is not None:
            return
        self._process = _starter.submit(self._spawn).result()
        deadline = time.monotonic() + PATIENCE_S
        while not self._ready():
            if (code := self._process.poll()) is not None or time.monotonic() > deadline:
                self.kill()
                said = "\n".join(self._log.read_text(errors="replace").splitlines()[-15:])
                state = f"not ready after {PATIENCE_S:g} s" if code is None else f"exit code {code}"
                raise RuntimeError(f"{' '.join(self._command)}: {state}\n{said}")
            time.sleep(0.02)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it in its orderly way, by `number`; by force where that takes too long."""
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def kill(self) -> None:
        """End it and its children at once, as kill -9 does; its files stay as they are."""
        if self._process is None:
            return
        started = children(self._process.pid)
        self._process.kill()
        for child in started:
            _kill(child)
        self._process.wait()
        self._process = None
        while any(map(lives, started)):
            time.sleep(0.005)

    def _spawn(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._env,
                cwd=self._log.parent,
            )


def free_port() -> int:
    """A port on 127.0.0.1 that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def lives(pid: int) -> bool:
    """Whether a process is there and no zombie: those hold no memory, port or file."""
    try:
        return state_of(pid) != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
