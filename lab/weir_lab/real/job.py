"""A run as one agent has it: its lab kernel, the console, the orders."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from weir.errors import WeirError

from weir_lab import boot as booting
from weir_lab import left, packages
from weir_lab.guest.part import Order as InGuest
from weir_lab.guest.part import Part, PartInGuest
from weir_lab.guest.plan import dumped
from weir_lab.kernel import Kernel
from weir_lab.process import Process
from weir_lab.real import links, starvation
from weir_lab.real.messages import Order

FAILED, ENDED = "failed", "ended"
MOST_LOG_BYTES = 1 << 19
LONGEST_LINE_BYTES = 1 << 16
_HEARD = ("CLOCK ", "READY", "DID ", "LATE")


class Job:
    """One host of one run: made, booted, given orders, ended. Methods do not wait.

    state: reserved, booting, ready, ended (all done), failed (`reason` says why).
    ordered, done: how many orders it was given, and has carried out.
    late: it failed since it missed the start. overflows: of each link, see `links.overflows`.
    """

    def __init__(
        self, name: str, part: Part, seed: int, kernel: Kernel, scratch: Path | None
    ) -> None:
        self.name = name
        self._kernel = kernel
        self.state, self.reason, self.done = "reserved", "", 0
        self.starved: float | None = None
        self.late = False
        self.overflows: list[int | None] = []
        self.epoch_s: float | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="weir-agent-", dir=scratch))
        self._part, self._seed = part, seed
        self.ordered = 0
        self._ends: Sequence[links.LinkEnd] = ()
        self._start_order = 0
        self._offset_ns: int | None = None
        self._process: Process | None = None
        self._before: dict[tuple[int, int], int] = {}
        self._began_s = 0.0
        self._done = False
        self._thread: threading.Thread | None = None
        told: PartInGuest = {**part, "packages": packages.folders()}
        (self.folder / "plan.marshal").write_bytes(dumped(told))

    def boot(self, ends: Sequence[links.LinkEnd]) -> None:
        """Boot the host's lab kernel with these links."""
        self.state, self._ends = "booting", ends
        # It waits for the kernel, too, since that ends with the thread that started it.
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def order(self, order: Order) -> None:
        """Have the guest carry out an order after those before it."""
        told: InGuest
        if order["do"] == "start":
            self.epoch_s = self._guest_time_s(order["epoch_unix_s"])
            told = {"do": "start", "epoch_s": self.epoch_s}
            self._start_order = self.ordered + 1
            self._before = starvation.waited_ns(self._session())
            self._began_s = time.monotonic()
        else:
            told = order
        if order["do"] == "finish":
            self.overflows = [links.overflows(end) for end in self._ends]
        self.ordered += 1
        path = self.folder / f"order-{self.ordered}"
        scratch = path.with_suffix(".part")
        scratch.write_bytes(dumped(told))
        scratch.rename(path)

    def film_s(self) -> float | None:
        """Seconds of the experiment so far; None before its start is set."""
        if self.epoch_s is None or self._offset_ns is None:
            return None
        now_s = time.monotonic() - self._offset_ns / 1e9 - self.epoch_s
        return max(0.0, min(now_s, self._part["end_s"]))

    def result_files(self) -> list[Path]:
        """What the host's part of the run directory is made of."""
        return sorted(path for path in self.folder.iterdir() if left.is_plain(path))

    def end(self) -> None:
        """End the kernel, whatever it does, and remove the folder."""
        if self._process is not None:
            self._process.end()
        if self._thread is not None:
            self._thread.join()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _session(self) -> int:
        return self._process.pid if self._process else 0

    def _guest_time_s(self, unix_s: float) -> float:
        """That instant on the guest's monotonic clock, which runs as this machine's does."""
        assert self._offset_ns is not None
        return unix_s - time.time() + time.monotonic() - self._offset_ns / 1e9

    def _carry(self) -> None:
        """Follow the kernel while its links are carried."""
        try:
            with links.relayed(self._ends) as own:
                self._follow(own)
        except OSError as error:
            self._fail(f"{self._part['host']}: {error}")

    def _follow(self, wires: tuple[int, ...]) -> None:
        told = self._part
        recorded = told["record_tcp"], told["record_queue"]
        how = booting.Boot(self._seed, told["clients"], *recorded, wires, more_mib=told["film_mib"])
        reading, writing = os.pipe()
        try:
            self._process = booting.booted(self._kernel, how, self.folder, writing)
        except (OSError, WeirError) as error:
            self._fail(f"the lab kernel cannot be started: {error}")
            return
        finally:
            os.close(writing)
        with (self.folder / "log.txt").open("w") as log:
            rest = b""
            while chunk := os.read(reading, 1 << 16):
                heard_ns = time.monotonic_ns()
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) > LONGEST_LINE_BYTES:
                    lines, rest = [*lines, rest], b""
                for line in lines:
                    self._hear(line.decode(errors="replace").rstrip("\r"), heard_ns, log)
        os.close(reading)
        self._process.wait()
        if self._done and self.state != FAILED:
            self.state = ENDED
        elif not self._done:
            said = (self.folder / "log.txt").read_text()
            self._fail(f"{self._part['host']}: {booting.ended_early(said)}")

    def _hear(self, line: str, heard_ns: int, log: IO[str]) -> None:
        if not line.startswith(_HEARD):
            self._log(line, log)
        if line.startswith("CLOCK "):
            offset_ns = heard_ns - int(line.split()[1])
            # The least one: it was heard the soonest after it was said.
            self._offset_ns = min(offset_ns, self._offset_ns or offset_ns)
        elif line == "READY":
            self.state = "ready"
        elif line.startswith("DID "):
            self.done = int(line.split()[1])
            if self.done == self._start_order:
                took_s = time.monotonic() - self._began_s
                after = starvation.waited_ns(self._session())
                self.starved = starvation.share(self._before, after, took_s) if after else None
        elif line == "DONE":
            self._done = True
        elif line == "LATE":
            self.late = True
        elif line.startswith("FAILED "):
            self._fail(line.removeprefix("FAILED "))

    def _log(self, line: str, log: IO[str]) -> None:
        before = log.tell()
        if line == booting.NO_TERMINALS or before > MOST_LOG_BYTES:
            return
        log.write(line + "\n")
        if before + len(line) > MOST_LOG_BYTES:
            log.write("[what follows is cut]\n")
        log.flush()

    def _fail(self, reason: str) -> None:
        if self.state != FAILED:
            self.state, self.reason = FAILED, reason
