"""A run as the agent of an outside player has it: a link into this namespace, and a program.

The host is no lab kernel: bridge.py joins it to the cell, and the program uses its TCP. What the
player is told and what it leaves is weir_client.outside's; this is when, and what becomes of it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from weir import plain_json
from weir.errors import RunFailure
from weir_client import outside, rows
from weir_client.errors import ClientError

from weir_lab import left, player_events, wiring
from weir_lab.guest import frames, live, probe
from weir_lab.guest.part import AskForProbe, MeasuredByHost, Part
from weir_lab.packages import python_path
from weir_lab.real import links, starvation
from weir_lab.real.job import ENDED, FAILED
from weir_lab.real.messages import Order

GRACE_S = 2.0
LOG_TAIL = 300
TOKEN = "WEIR_AGENT_TOKEN"
LATENESS = "import sys; from weir_lab.guest.lateness import run; e, d, o = sys.argv[1:]; "
LATENESS += "run(float(e), float(d), o)"


class _Wrong(Exception):
    """The run cannot go on; str() says why."""


class Join(TypedDict):
    """Be joined to the cell by one's one link: the first thing to do."""

    do: Literal["join"]
    end: links.LinkEnd


class OutsideJob:
    """One host of one run: joined, given orders, ended; the same face as job.Job."""

    def __init__(self, name: str, part: Part, player: Sequence[str], scratch: Path | None) -> None:
        self.name = name
        self.state, self.reason, self.done = "reserved", "", 0
        self.starved: float | None = None
        self.late = False
        self.overflows: list[int | None] = []
        self.epoch_s: float | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="weir-agent-", dir=scratch))
        self._part, self._player = part, list(player)
        args = next(role["args"] for role in part["roles"] if role["module"] == "weir_client.role")
        self._client, self._context = args["client"], args["context"]
        self._log = (self.folder / "log.txt").open("w")
        self._measured: MeasuredByHost = {"idle_rtts_s": []}
        self._orders: queue.Queue[Order | Join | None] = queue.Queue()
        self.ordered = 0
        self._ends: Sequence[links.LinkEnd] = ()
        self._unwanted = threading.Event()
        self._processes: list[subprocess.Popen[str]] = []
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def boot(self, ends: Sequence[links.LinkEnd]) -> None:
        """Join this namespace to the cell by its one link."""
        self.state, self._ends = "booting", ends
        self._orders.put({"do": "join", "end": ends[0]})

    def order(self, order: Order) -> None:
        """Have an order carried out after those before it."""
        if order["do"] == "start":
            self.epoch_s = order["epoch_unix_s"] - time.time() + time.monotonic()
        elif order["do"] == "finish":
            self.overflows = [links.overflows(end) for end in self._ends]
        self.ordered += 1
        self._orders.put(order)

    def film_s(self) -> float | None:
        """Seconds of the experiment so far; None before its start is set."""
        if self.epoch_s is None:
            return None
        return max(0.0, min(time.monotonic() - self.epoch_s, self._part["end_s"]))

    def result_files(self) -> list[Path]:
        """What the host's part of the run directory is made of."""
        return sorted(path for path in self.folder.iterdir() if left.is_plain(path))

    def end(self) -> None:
        """End the player and the link, whatever they do, and remove the folder."""
        self._unwanted.set()
        self._orders.put(None)
        self._thread.join()
        self._end_processes()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _work(self) -> None:
        """Carry out orders until the last one."""
        try:
            while (order := self._orders.get()) and not self._unwanted.is_set():
                if order["do"] == "join":
                    self._join(order["end"])
                    self.state = "ready"
                    continue
                self._carry_out(order)
                self.done += 1
                if order["do"] == "finish":
                    self._end_processes()
                    self.state = ENDED
                    return
        except (_Wrong, OSError, ClientError, RunFailure) as error:
            self._end_processes()
            self.state, self.reason = FAILED, str(error)

    def _carry_out(self, order: Order) -> None:
        if order["do"] == "probe":
            self._probe(order)
        elif order["do"] == "start":
            self._start(order["epoch_unix_s"])
        elif order["do"] == "count":
            self._count()
        else:
            self._finish()

    def _join(self, end: links.LinkEnd) -> None:
        with links.connected(end) as link:
            bridge = self._start_process(
                [sys.executable, "-m", "weir_lab.real.bridge", "--tap", wiring.OUTSIDE_DEVICE],
                ["--link", str(link.fileno()), "--session", str(end.session)],
                pass_fds=[link.fileno()],
                stdout=subprocess.PIPE,
            )
        assert bridge.stdout is not None
        if not bridge.stdout.readline():
            bridge.wait()
            raise _Wrong(f"{self._part['host']}: {self._said()}")
        for _, _, lines in self._part["groups"]:
            for line in lines:
                words = ["ip", *line.split()]
                done = subprocess.run(words, capture_output=True, text=True, check=False)
                if done.returncode:
                    raise _Wrong(f"{self._part['host']}: ip {line}: {done.stderr.strip()}")

    def _probe(self, order: AskForProbe) -> None:
        asked = order["target"], order["count"], order["pause_s"], order.get("source", "")
        try:
            rtts_s = probe.overlapping_rtts(*asked)
        except PermissionError as error:
            raise _Wrong(
                f"{self._part['host']}: the idle path cannot be measured ({error.strerror}); an "
                "outside player that is client 1 needs CAP_NET_RAW"
            ) from error
        self._measured["idle_rtts_s"].append(rtts_s)

    def _start(self, epoch_unix_s: float) -> None:
        assert self.epoch_s is not None
        if (late_s := time.monotonic() - self.epoch_s) > 0:
            self.late = True
            raise _Wrong(live.late(self._part["host"], late_s))
        out = self.folder / "out"
        out.mkdir()
        told = outside.environment(self._client, self._context, epoch_unix_s, out)
        end_s = self._part["end_s"]
        late = [str(self.epoch_s), str(end_s), str(self.folder / "lateness")]
        lateness = self._start_process([sys.executable, "-c", LATENESS, *late])
        session, before = self._processes[0].pid, starvation.waited_ns(self._processes[0].pid)
        player = self._start_process(self._player, cwd=out, env={**_environment(), **told})
        self._await_player(player, self.epoch_s + float(told["WEIR_STOP_S"]))
        self._unwanted.wait(max(0.0, self.epoch_s + end_s - time.monotonic()))
        after = starvation.waited_ns(session)
        self.starved = starvation.share(before, after, end_s) if after else None
        if not self._unwanted.is_set():
            lateness.wait()
            self._keep(out)
            self._unwanted.wait(self._part["drain_s"])

    def _keep(self, out: Path) -> None:
        """What the player left in `out`, as a lab kernel's host leaves it."""
        try:
            played = outside.read(out, self._client, self._context)
        except ClientError as error:
            raise _Wrong(f"{error}; it said: {self._said()}") from None
        rows.write(str(self.folder / Path(self._context["out"]).name), played)
        if (out / player_events.FILE).exists():
            noted = list(player_events.read(out, self._context["number"]))
            plain_json.write(str(self.folder / f"events-{self._part['host']}"), noted)

    def _count(self) -> None:
        """Of what this host's kernel sends the bridge takes a part: it is not known."""
        self._measured["sent"] = [None]

    def _finish(self) -> None:
        self._measured["received"] = frames.received([wiring.OUTSIDE_DEVICE])
        plain_json.write(str(self.folder / "measured.json"), {**self._measured})

    def _await_player(self, player: subprocess.Popen[str], until_s: float) -> None:
        """Until it ends by itself or, at its stop time, is told to."""
        while player.poll() is None and time.monotonic() < until_s:
            if self._unwanted.wait(0.02):
                return
        if player.poll() is None:
            _end_group(player)
            return
        code = player.returncode
        if code == 0:
            return
        what = f"ended with exit code {code}"
        if code == outside.NOT_READY:
            self.late = True
            what = "was not ready at its start; this machine is too busy for the real clock"
        elif code == outside.NOT_SUPPORTED:
            what = f"does not support what is asked of it (exit code {code})"
        number = self._context["number"]
        raise _Wrong(f"client {number}: the outside player {what}; it said: {self._said()}")

    def _start_process(self, *words: list[str], **how: Any) -> subprocess.Popen[str]:
        command = [word for some in words for word in some]
        env = {**_environment(), "PYTHONPATH": os.pathsep.join(python_path())}
        given = {"env": env, "stdout": self._log, **how}
        try:
            process: subprocess.Popen[str] = subprocess.Popen(
                command, stderr=self._log, text=True, start_new_session=True, **given
            )
        except OSError as error:
            raise _Wrong(f"{command[0]}: cannot be started ({error.strerror})") from error
        self._processes.append(process)
        return process

    def _end_processes(self) -> None:
        for process in reversed(self._processes):
            _end_group(process)
        self._processes.clear()

    def _said(self) -> str:
        return (self.folder / "log.txt").read_text(errors="replace").strip()[
            -LOG_TAIL:
        ] or "nothing"


def _environment() -> dict[str, str]:
    """Without the agents' secret."""
    return {name: value for name, value in os.environ.items() if name != TOKEN}


def _end_group(process: subprocess.Popen[str]) -> None:
    """Ask a process and what it has started to end, then have them end."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(GRACE_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
