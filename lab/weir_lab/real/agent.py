"""The agent of one host: takes a run's part, carries it out, hands the files over (serve.py).

One run at a time. A run that nobody asks for any more is ended.
"""

from __future__ import annotations

import threading
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any

from weir_lab import kernel as kernels
from weir_lab.real import links
from weir_lab.real.job import Job

LEASE_S = 30.0
ROLES = ("server", "gateway", "client")


class Refused(Exception):
    """A request that is not carried out; str() says why and what to do."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class Agent:
    """At most one run of one host, and what may be asked of it."""

    def __init__(self, role: str, address: str | None, scratch: Path | None) -> None:
        """scratch: where a run's files are made; None: the system's temporary folder."""
        self._role = role
        self._scratch = scratch
        self._address = address
        self._lock = threading.Lock()
        self._job: Job | None = None
        self._kernel: kernels.Kernel | None = None
        self._own: list[tuple[str, int]] = []
        self._asked_s = time.monotonic()

    def about(self) -> dict[str, Any]:
        """Its role, and the name of the run that it is busy with."""
        with self._lock:
            return {"role": self._role, "run": self._job.name if self._job else None}

    def take(self, body: dict[str, Any], reached_at: str) -> dict[str, Any]:
        """Reserve this agent for a run."""
        host = body["part"]["host"]
        if host.rstrip("0123456789") != self._role:
            raise Refused(
                HTTPStatus.CONFLICT, f"this agent is a {self._role}, and cannot be {host}"
            )
        found = [one for one in kernels.installed() if one.hash == body["kernel"]]
        if not found:
            raise Refused(
                HTTPStatus.CONFLICT,
                f"{self._role}: lab kernel {body['kernel']} is not here; run weir kernel build, "
                "or use an image of the same version",
            )
        address = self._address or reached_at
        try:
            ports = links.free_ports(address, len(body["part"]["peers"]))
        except OSError as error:
            raise Refused(
                HTTPStatus.CONFLICT,
                f"{self._role}: {address} is no IPv4 address of this machine ({error.strerror}); "
                "give --address",
            ) from error
        with self._lock:
            if self._job is not None:
                raise Refused(HTTPStatus.CONFLICT, f"{self._role}: busy with run {self._job.name}")
            self._asked_s = time.monotonic()
            self._job = Job(body["run"], body["part"], body["seed"], self._scratch)
            self._kernel = found[0]
            self._own = [(address, port) for port in ports]
        return {"address": address, "ports": ports}

    def boot(self, job: Job, body: dict[str, Any]) -> dict[str, Any]:
        """Boot, now that the other ends of the links are known."""
        assert self._kernel is not None
        ends = zip(self._own, body["links"], strict=True)
        devices = tuple(
            links.device(number, links.Link(*own, peer["address"], peer["port"], peer["session"]))
            for number, (own, peer) in enumerate(ends)
        )
        job.boot(self._kernel, devices)
        return {}

    def state(self, job: Job) -> dict[str, Any]:
        """Where the run stands."""
        return {
            "state": job.state,
            "reason": job.reason,
            "done": job.done,
            "film_s": job.film_s(),
            "epoch_s": job.epoch_s,
            "starved": job.starved,
            "now_unix_s": time.time(),
        }

    def job(self, name: str) -> Job:
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

    def drop(self, name: str | None = None) -> None:
        """End the run, if it is there (any, without a name)."""
        with self._lock:
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
