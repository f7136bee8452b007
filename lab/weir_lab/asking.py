"""A cell on the virtual clock in which one client's levels are asked for, segment by segment.

The guest asks on its console and stands still until it is answered (weir_client.abr.asked): its
kernel waits in a write to a pipe that is full. All else is as in `weir_lab.virtual`: what comes is
what comes of the same experiment with these levels as `decisions`, byte for byte.
"""

from __future__ import annotations

import fcntl
import os
import select
import threading
import weakref
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import numpy as np
from weir import whatif
from weir.errors import RunFailure
from weir.resolved import Experiment
from weir.rundir import Columns
from weir_client import rows
from weir_client.abr.asked import ANSWER, ASKS, OVER, PIPE_BYTES, WAITS
from weir_client.errors import TRACEBACK

from weir_lab import boot, left, plan, virtual, wiring
from weir_lab.collect import MOST_ROWS_BYTES, CellResult
from weir_lab.forked import Lent
from weir_lab.guest.plan import Plan
from weir_lab.kernel import Kernel
from weir_lab.standstill import MOST_CPU_S, Standstill
from weir_lab.watch import Watch

__all__ = ["AskingCell", "Question", "await_all"]

_MOST_LINE_BYTES: Final = 1 << 16
_ROW_BYTES: Final = rows.WIDTH * 8
_LOOK_EVERY_MS: Final = 1000 * boot.LOOK_EVERY_S
_TOLD: Final = (ASKS, OVER)
_WORDS: Final = (*_TOLD, WAITS)


@dataclass(frozen=True)
class Question:
    """segment: from 0. own_level: what the client's player would choose. now_s: since the
    experiment's start."""

    segment: int
    own_level: int
    now_s: float
    buffer_s: float


class _Guest:
    """Its lab kernel, ended once, by whoever comes first; stopped: why, where it was not over."""

    def __init__(self, process: boot.Running) -> None:
        self.process = process
        self.stopped = ""
        self._ended = False
        self._lock = threading.Lock()

    def end(self, *, stopped: str = "") -> None:
        with self._lock:
            if not self._ended:
                self._ended, self.stopped = True, stopped
                self.process.end()


class AskingCell:
    """A cell that plays from one question to the next. Ended by `end`, or as it is forgotten.

    question: what it stands still at; None: it computes, or is over. over: the client has ended.
    levels: those answered so far, by segment.
    """

    def __init__(
        self, experiment: Experiment, seed: int, kernel: Kernel, client: int, folder: Path,
        wall_limit_s: float, standstill_cpu_s: float = MOST_CPU_S,
        lent: Lent | None = None,
    ) -> None:  # fmt: skip
        """Boot. client: 1-based, one that `weir.whatif.decided` takes. folder: an empty one, which
        the guest writes to, and nobody else reads while it does. wall_limit_s: of the whole cell,
        the time that answers take included. standstill_cpu_s: see `run_cell`. lent: what forks
        it, by a zygote that the folder is within one of; None: one is booted, and ends with the
        thread that calls this.

        Raises OSError, KernelGone, WeirError as `boot.start` does.
        """
        self.question: Question | None = None
        self.over = False
        self.levels: dict[int, int] = {}
        self._asked, self._seed, self._client, self._folder = experiment, seed, client, folder
        self._numbers = 0
        self._rows: IO[bytes] | None = None
        self._rows_read = 0
        self._rest = b""
        self._cell = lent.plan if lent else plan.make(experiment, seed)
        _let_ask(self._cell, client)
        how = virtual.prepared(experiment, seed, self._cell, folder, standstill_cpu_s)
        (folder / ANSWER).symlink_to("0")
        # There, too, of a kernel that is ended before it says anything.
        (folder / boot.CONSOLE).touch()
        # The guest's players are nobody.
        folder.chmod(0o755)
        watch = Watch()
        self._console, theirs = os.pipe()
        try:
            fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            line = lent.line if lent else None
            self._guest = _Guest(boot.start(kernel, how, folder, theirs, watch, line))
        except BaseException:
            os.close(self._console)
            watch.close()
            raise
        finally:
            os.close(theirs)
        self._running = how.running
        self._watch, self._most_cpu_s = watch, how.standstill_cpu_s
        self._standstill: Standstill | None = None
        self._readable = select.poll()
        self._readable.register(self._console, select.POLLIN)
        late = (
            f"the cell did not end within the wall-clock limit of {wall_limit_s:g} s, "
            "which counts the time that answers take, too; answer sooner, or raise wall_limit_s"
        )
        self._limit = threading.Timer(wall_limit_s, self._guest.end, kwargs={"stopped": late})
        self._limit.daemon = True
        self._limit.start()
        self._ending = weakref.finalize(self, _end, self._guest, self._limit, self._console, watch)

    @property
    def computes(self) -> bool:
        """Whether something is to be heard of it before it can be answered."""
        return self.question is None and not self.over

    @property
    def pid(self) -> int | None:
        """The lab kernel's, which leads the process group of all that is in it; None: it is not
        there yet."""
        return self._guest.process.pid

    def fileno(self) -> int:
        """Readable when there is something to `hear`."""
        return self._console

    def hear(self) -> None:
        """Take in what the guest says; waits for it. Raises RunFailure where it cannot go on."""
        lines = self._lines()
        if lines is None:
            self._log()
            raise RunFailure("the lab kernel ended before its client did")
        for line in lines:
            if line.startswith(ASKS):
                self._asks(line.split()[1:])
            else:
                self.over = True
                self._require_sound()

    def look(self) -> None:
        """End the cell where its guest spins; for when nothing has been heard for a while."""
        if self._standstill is None and (pid := self.pid) is not None:
            self._standstill = Standstill(pid, self._watch, self._most_cpu_s)
        if self._standstill is not None and (program := self._standstill.spinning()):
            self._guest.end(stopped=self._standstill.told(program, self._running))

    def answer(self, level: int) -> None:
        """The level of `question`, one of the ladder's: the cell goes on."""
        assert self.question is not None, "it has not asked"
        self.levels[self.question.segment] = level
        self.question = None
        self._reply(level)

    def came(self) -> Columns:
        """The client's rows since the last time: as in weir_client.rows. Raises RunFailure."""
        if self._rows is None:
            self._rows = left.reading(self._folder, f"client-{self._client}", MOST_ROWS_BYTES)
        raw = os.pread(self._rows.fileno(), MOST_ROWS_BYTES, self._rows_read)
        raw = raw[: len(raw) - len(raw) % _ROW_BYTES]
        self._rows_read += len(raw)
        return rows.columns(np.frombuffer(raw, np.float64).reshape(-1, rows.WIDTH))

    def decided(self) -> Experiment:
        """The experiment with what was answered as decisions."""
        return whatif.decided(self._asked, self._client, self.levels)

    def result(self) -> CellResult:
        """What the whole cell left, once its client is over; the others play to the end first.

        Raises RunFailure.
        """
        while self._lines() is not None:
            pass
        return virtual.collected(self.decided(), self._cell, self._folder, self._log())

    def end(self) -> None:
        """End the lab kernel, if it has not. Nothing of it is left but the folder."""
        self._ending()
        if self._rows is not None:
            self._rows.close()

    def _asks(self, told: list[bytes]) -> None:
        try:
            number, segment, own_level = map(int, told[:3])
            now_s, buffer_s = map(float, told[3:])
        except ValueError:
            raise RunFailure(f"the guest asks {told!r}, which is no question") from None
        self._numbers += 1
        if number != self._numbers:
            raise RunFailure(f"the guest asks question {number} after {self._numbers - 1}")
        if segment in self.levels:
            # It failed to come and is asked for again: a decision is of a segment.
            self._reply(self.levels[segment])
            return
        self.question = Question(segment, own_level, now_s, buffer_s)

    def _reply(self, level: int) -> None:
        fresh = self._folder / f"{ANSWER}.new"
        fresh.symlink_to(str(level))
        fresh.replace(self._folder / ANSWER)

    def _lines(self) -> list[bytes] | None:
        """Questions that have come, and the end; waits for some. None: the kernel has ended.

        All else that is said goes to the log.
        """
        while not self._readable.poll(_LOOK_EVERY_MS):
            self.look()
        said = os.read(self._console, PIPE_BYTES)
        if not said:
            return None
        *lines, self._rest = (self._rest + said).split(b"\n")
        if len(self._rest) > _MOST_LINE_BYTES:
            raise RunFailure(f"the guest says more than {_MOST_LINE_BYTES} bytes in a line")
        others = [line for line in lines if not line.startswith(_WORDS)]
        if others:
            with (self._folder / boot.CONSOLE).open("ab") as log:
                log.writelines(line + b"\n" for line in others)
        return [line for line in lines if line.startswith(_TOLD)]

    def _log(self) -> str:
        """What an ended kernel said. Raises RunFailure where it was not yet to end."""
        code = self._guest.process.wait()
        self.end()
        said = left.console(self._folder, boot.CONSOLE)
        return boot.judged(code, said, self._guest.stopped)

    def _require_sound(self) -> None:
        """Raises RunFailure with what the client says of itself."""
        if said := left.text(self._folder, f"client-{self._client}.error").strip():
            raise RunFailure(said.partition(TRACEBACK)[0].strip())


def await_all(cells: Iterable[AskingCell]) -> None:
    """Until each asks or is over; they compute at once. Raises RunFailure of one that cannot."""
    waiting = {cell.fileno(): cell for cell in cells if cell.computes}
    poll = select.poll()
    for fd in waiting:
        poll.register(fd, select.POLLIN)
    while waiting:
        heard = poll.poll(_LOOK_EVERY_MS)
        if not heard:
            for cell in waiting.values():
                cell.look()
        for fd, _ in heard:
            waiting[fd].hear()
            if not waiting[fd].computes:
                poll.unregister(fd)
                del waiting[fd]


def _let_ask(cell: Plan, client: int) -> None:
    (role,) = [each for each in cell["roles"] if each["host"] == wiring.client_host(client)
               and each["module"] == "weir_client.role"]  # fmt: skip
    role["args"]["context"]["asks_in"] = plan.OUT


def _end(guest: _Guest, limit: threading.Timer, console: int, watch: Watch) -> None:
    limit.cancel()
    guest.end()
    os.close(console)
    watch.close()
