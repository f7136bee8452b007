"""Child processes that are started again when they end, until all are told to."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from weir_orchestrator.processes.process import SUPERVISOR

__all__ = ["Program", "Supervisor", "WorkerProgram"]

_TICK_S: Final = 0.1
_HEALTHY_S: Final = 10.0
"""Who lived for so long is started again at once; others after a growing pause."""
_LONGEST_PAUSE_S: Final = 10.0
_log = logging.getLogger(__name__)


class Program:
    """One child: `python -m weir_orchestrator.processes NAME ...`, and what is known of it."""

    def __init__(self, name: str, pass_fds: Sequence[int] = ()) -> None:
        self.name = name
        self.process: subprocess.Popen[bytes] | None = None
        self._pass_fds = tuple(pass_fds)
        self._started = 0.0
        self._not_before = 0.0
        self._pause_s = 0.0

    def words(self) -> list[str]:
        """What follows the name; asked at every start."""
        return []

    def start(self, environment: Mapping[str, str]) -> None:
        """Start it where it does not run and need not wait."""
        if self.process is not None or time.monotonic() < self._not_before:
            return
        self.process = subprocess.Popen(
            [sys.executable, "-m", "weir_orchestrator.processes", self.name, *self.words()],
            env={**environment, SUPERVISOR: str(os.getpid())},
            pass_fds=self._pass_fds,
            start_new_session=True,  # a terminal's Ctrl-C is for the supervisor alone
        )
        self._started = time.monotonic()

    def notice_end(self) -> bool:
        """Whether it runs no more."""
        if self.process is not None and (code := self.process.poll()) is not None:
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            orderly = code in {0, -signal.SIGTERM}
            _log.log(logging.INFO if orderly else logging.WARNING, "%s ended (%s)", self.name, how)
            self.process = None
            lived_s = time.monotonic() - self._started
            self._pause_s = (
                0.0 if lived_s > _HEALTHY_S else min(2 * self._pause_s + 0.2, _LONGEST_PAUSE_S)
            )
            self._not_before = time.monotonic() + self._pause_s
        return self.process is None

    def signal(self, number: signal.Signals) -> None:
        if self.process is not None:
            self.process.send_signal(number)


class WorkerProgram(Program):
    """A worker. Each is told which ones died before it, so that their runs wait for no lease."""

    def __init__(self) -> None:
        super().__init__("worker")
        self._ids: list[str] = []

    def words(self) -> list[str]:
        self._ids = [str(uuid.uuid4()), *self._ids[:20]]
        return self._ids


class Supervisor:
    """Keeps programs running; at the first `stop` they end in their own way."""

    def __init__(self, programs: Sequence[Program], environment: Mapping[str, str]) -> None:
        self._programs = programs
        self._environment = environment
        self._stops = 0
        self._wake = threading.Event()

    def stop(self) -> None:
        """Ask all to end; the second time again, the third time by force.

        May be called from a signal handler.
        """
        self._stops += 1
        self._wake.set()

    def run(self) -> None:
        """Start them all and return when all have ended after a `stop`."""
        told = 0
        while True:
            running = [each for each in self._programs if not each.notice_end()]
            if told < self._stops:
                told = self._stops
                for program in running:
                    program.signal(signal.SIGTERM if told < 3 else signal.SIGKILL)
            if self._stops and not running:
                return
            if not self._stops:
                for program in self._programs:
                    program.start(self._environment)
                self._wake.wait(_TICK_S)
            else:
                time.sleep(_TICK_S)
