"""The agent of a host, or of a whole cell: takes a run's part, carries it out, and hands the files
over (serve.py).

One run at a time. A run that nobody asks for any more is ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

from weir.resolved import CHROMIUM, OUTSIDE

from weir_lab import kernel as kernels
from weir_lab.real import links
from weir_lab.real.job import Job
from weir_lab.real.messages import CELL, About, BootRequest, Reservation, Reserved, RunState
from weir_lab.real.outside import OutsideJob

LEASE_S = 30.0
AnyJob = Job | OutsideJob
ROLES = ("server", "gateway", "client", CELL)
OUTSIDE_PLAYERS = (OUTSIDE, CHROMIUM)
"""What experiments call those that an agent may have in place of a lab kernel."""


class Refused(Exception):
    """A request that is not carried out; str() says why and what to do."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class Agent:
    """At most one run, and what may be asked of it."""

    def __init__(
        self,
        role: str,
        address: str | None,
        scratch: Path | None,
        player: Sequence[str] = (),
        plays: str = OUTSIDE,
    ) -> None:
        """scratch: where a run's files are made; None: the system's temporary folder.

        player: a client's outside player, as a command. No lab kernel is booted then. plays: what
        experiments call it; of OUTSIDE_PLAYERS.
        """
        self._role = role
        self._player = player
        self._plays = plays if player else None
        self._scratch = scratch
        self._address = address
        self._lock = threading.Lock()
        self._job: AnyJob | None = None
        self._own: list[tuple[str, int]] = []
        self._asked_s = time.monotonic()
        self._dropped: str | None = None

    def about(self) -> About:
        """Its role, in place of client the outside player that it has, and the run that it is busy
        with."""
        role = self._plays or self._role
        with self._lock:
            return {"role": role, "run": self._job.name if self._job else None}

    def take(self, body: Reservation, reached_at: str) -> Reserved:
        """Reserve this agent for a run."""
        host = body["part"]["host"]
        if host.rstrip("0123456789") != self._role:
            raise Refused(
                HTTPStatus.CONFLICT, f"this agent is a {self._role}, and cannot be {host}"
            )
        address = self._address or reached_at
        try:
            ports = links.free_ports(address, len(body["part"]["links"]))
        except OSError as error:
            raise Refused(
                HTTPStatus.CONFLICT,
                f"{self._role}: {address} is no IPv4 address of this machine ({error.strerror}); "
                "give --address",
            ) from error
        with self._lock:
            if body["run"] == self._dropped:
                raise Refused(HTTPStatus.GONE, f"{self._role}: run {body['run']} was ended before")
            if self._job is not None:
                raise Refused(HTTPStatus.CONFLICT, f"{self._role}: busy with run {self._job.name}")
            self._asked_s = time.monotonic()
            self._job = self._make_job(body)
            self._own = [(address, port) for port in ports]
        return {"address": address, "ports": ports}

    def boot(self, job: AnyJob, body: BootRequest) -> None:
        """Boot, now that the other ends of the links are known."""
        ends = zip(self._own, body["links"], strict=True)
        job.boot(
            [
                links.LinkEnd(*own, peer["address"], peer["port"], peer["session"])
                for own, peer in ends
            ]
        )

    def state(self, job: AnyJob) -> RunState:
        """Where the run stands."""
        return {
            "state": job.state,
            "reason": job.reason,
            "late": job.late,
            "ordered": job.ordered,
            "done": job.done,
            "film_s": job.film_s(),
            "epoch_s": job.epoch_s,
            "starved": job.starved,
            "overflows": job.overflows,
            "now_unix_s": time.time(),
        }

    def job(self, name: str) -> AnyJob:
        """The run of that name. Raises Refused."""
        with self._lock:
            self._asked_s = time.monotonic()
            if self._job is None or self._job.name != name:
                raise Refused(
                    HTTPStatus.NOT_FOUND,
                    f"{self._role}: has no run {name}: its agent was started anew, or "
                    f"nobody had asked for {LEASE_S:.0f} s",
                )
            return self._job

    def _make_job(self, body: Reservation) -> AnyJob:
        name, part = body["run"], body["part"]
        asked = part["player"]
        if (asked if asked in OUTSIDE_PLAYERS else None) != self._plays:
            has = f"the player {self._plays}" if self._plays else "players of Weir's own"
            raise Refused(
                HTTPStatus.CONFLICT,
                f"{part['host']}: its player is {asked}, and this agent has {has}; name agents "
                f"with --outside under {' or '.join(OUTSIDE_PLAYERS)} of their cell, by what they "
                "play, and others not",
            )
        if self._player:
            return OutsideJob(name, part, self._player, self._scratch)
        found = [one for one in kernels.installed() if one.hash == body["kernel"]]
        if not found:
            raise Refused(
                HTTPStatus.CONFLICT,
                f"{self._role}: lab kernel {body['kernel']} is not here; run weir kernel build, "
                "or use an image of the same version",
            )
        return Job(name, part, body["seed"], found[0], self._scratch)

    def drop(self, name: str | None = None) -> None:
        """End the run, if it is there (any, without a name). It is not taken afterwards: who ends
        a run while it is being taken has both requests under way."""
        with self._lock:
            self._dropped = name
            if self._job is None or name not in (None, self._job.name):
                return
            job, self._job = self._job, None
        job.end()

    def drop_if_forgotten(self, now_s: float) -> None:
        """End a run for which nobody has asked in a while (now_s: of the monotonic clock)."""
        with self._lock:
            forgotten = now_s - self._asked_s > LEASE_S
        if forgotten:
            self.drop()
