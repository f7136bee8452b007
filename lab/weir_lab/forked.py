"""A run in a fork of a lab kernel: ordered by a line to a zygote, ended with the line.

The order says the folder, the seed and what is recorded; with it go the console, the page that the
kernel is watched by, and the Landlock ruleset that a kernel booted for this run alone would have.
Back come the fork's process and, at its end, its wait status (arch/um/os-Linux/zygote.c).
"""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from weir.errors import RunFailure

from weir_lab import confine
from weir_lab.confine.profile import Profile
from weir_lab.guest.plan import Plan
from weir_lab.host_paths import of_one_length
from weir_lab.watch import Watch
from weir_lab.zygote import Zygote

__all__ = ["PATIENCE_S", "Forked", "Lent", "NotForked", "settle"]

PATIENCE_S: Final = 10.0
"""How long a zygote may take to end a run, before it is taken for hung."""
_NUMBER: Final = struct.Struct("i")
_WHY: Final = {
    101: "its zygote had ended",
    102: "the run's control group did not take it",
    103: "no file could be made for its guest's memory",
    104: "there is no room for its guest's memory",
    105: "its guest's memory could not be mapped",
    106: "the run's folder is not there",
    107: "its descriptors could not be opened anew",
    108: "it cannot be watched",
    109: "it could not be confined",
}
"""Exit status of a fork that did not become a kernel: as in zygote.c."""


@dataclass(frozen=True)
class Lent:
    """What a run is given to be forked. plan: its cell's, for whose shape a zygote was booted.
    line: to that zygote."""

    plan: Plan
    line: socket.socket


class NotForked(RunFailure):
    """A zygote did not tell of a fork that became a kernel; another may well. One that died may
    have forked it: what may be left of both has to be ended, and the run's folder emptied."""


class Forked:
    """A lab kernel that is forked; as far as its caller goes, what `weir_lab.process.Process` is.

    returncode: None while it runs, or is not there yet. May be used from several threads.
    """

    def __init__(
        self, line: socket.socket, order: Iterable[str], folder: Path, allowed: Profile, log: int,
        watch: Watch, own: Zygote | None = None,
    ) -> None:  # fmt: skip
        """Order it, and do not wait. Takes the line, and the zygote where it is this run's own.

        order: its lines after the folder's. allowed: on top of what the zygote may. Raises OSError.
        """
        self.returncode: int | None = None
        self._pid: int | None = None
        self._line, self._own = line, own
        self._lock = threading.Lock()
        self._ending = False
        text = "\n".join([of_one_length(folder.resolve()), *order, ""])
        try:
            with confine.ready(allowed) as confinement:
                given = [log, watch.fd]
                given += [] if confinement.ruleset is None else [confinement.ruleset]
                # Where the zygote has died, its end of the line tells.
                with suppress(BrokenPipeError, ConnectionResetError):
                    socket.send_fds(line, [text.encode()], given)
        except BaseException:
            self.end()
            raise

    @property
    def pid(self) -> int | None:
        """Of the kernel, which leads its process group; None: it has not been forked yet."""
        if self._pid is None:
            with suppress(subprocess.TimeoutExpired, RunFailure):
                self.wait(0.0)
        return self._pid

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code; negative: the signal that ended it.

        Raises subprocess.TimeoutExpired; NotForked; RunFailure with what its own zygote could not
        do.
        """
        until_s = None if timeout is None else time.monotonic() + timeout
        with self._lock:
            if self._pid is None and self.returncode is None:
                self._pid = self._forked(until_s)
            if self.returncode is None:
                self.returncode = _exit_code(self._number(until_s))
            if self.returncode in _WHY:
                raise NotForked(f"the lab kernel could not be forked: {_WHY[self.returncode]}")
            return self.returncode

    def end(self) -> None:
        """Kill what is left of it, and wait for that."""
        self._ending = True
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
        if self._own is not None and self.pid is None:
            self._own.close()
        with suppress(RunFailure, subprocess.TimeoutExpired):
            self.wait(PATIENCE_S)
        with self._lock:
            self._line.close()
            if self.returncode is None:
                self.returncode = -signal.SIGKILL
            if self._own is not None:
                self._own.close()
                self._own = None

    def _forked(self, until_s: float | None) -> int | None:
        said = self._number(until_s)
        if said is not None and said > 0:
            return said
        self.returncode = -signal.SIGKILL
        if self._ending:
            return None
        if said is not None:
            raise NotForked(f"the lab kernel could not be forked: {os.strerror(-said)}")
        lines = self._own.said().splitlines() if self._own is not None else []
        if named := [line.removeprefix("FAILED ") for line in lines if line.startswith("FAILED ")]:
            raise RunFailure("; ".join(named))
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        raise NotForked(
            "the lab kernel that forks runs has ended" + (last and f"; it said: {last}")
        )

    def _number(self, until_s: float | None) -> int | None:
        """What comes next, in one piece; None: there is no more."""
        if until_s is not None:
            left_s = max(0.0, until_s - time.monotonic())
            if not select.select([self._line], [], [], left_s)[0]:
                raise subprocess.TimeoutExpired("lab kernel", left_s)
        try:
            said = self._line.recv(_NUMBER.size)
        except ConnectionResetError:
            return None
        if len(said) < _NUMBER.size:
            return None
        (number,) = _NUMBER.unpack(said)
        return int(number)


def _exit_code(status: int | None) -> int:
    """Without a status, or with one that is none, it has died with its zygote."""
    if status is not None:
        with suppress(ValueError):
            code = os.waitstatus_to_exitcode(status)
            if code >= 0 or -code in signal.valid_signals():
                return code
    return -signal.SIGKILL


def settle(line: socket.socket, patience_s: float = PATIENCE_S) -> bool:
    """End the run that was ordered by a line, if there is one, and close the line. Returns whether
    it is over: a zygote that does not say so hangs."""
    with line:
        line.settimeout(patience_s)
        try:
            line.shutdown(socket.SHUT_WR)
            while line.recv(1 << 10):
                pass
        except TimeoutError:
            return False
        except OSError:  # it has died
            return True
    return True
