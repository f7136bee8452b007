"""An agent as a cell sees it: requests, and what is wrong when they fail."""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx2
from weir.errors import RunFailure

from weir_lab.guest.part import Part
from weir_lab.real.messages import (
    About,
    BootRequest,
    Order,
    PeerEnd,
    Reservation,
    Reserved,
    RunState,
)

TIMEOUT_S = 10.0
DROP_TIMEOUT_S = 30.0  # an agent that nobody has asked for so long has given its run up
LOOK_TIMEOUT_S = 2.0
FILES_TIMEOUT_S = 60.0
MOST_FILES_BYTES = 4 << 30


class MissedStart(RunFailure):
    """A host was not there by the common start: nothing has been measured yet."""


@dataclass(frozen=True)
class Address:
    """Where an agent listens, and the secret it wants. url: http://ADDRESS:PORT."""

    url: str
    token: str


def look_at(role: str, address: Address) -> None:
    """Raises RunFailure where no agent of that role is there and free."""
    with _client(address, LOOK_TIMEOUT_S) as http:
        try:
            answer = http.get("/agent")
        except httpx2.HTTPError as error:
            raise _lost(role, http, error) from error
    said: About = _said(role, answer)
    if said["role"] != role:
        raise RunFailure(
            f"the agent at {address.url} stands in the place of a {role}, and its role is "
            f"{said['role']}"
        )
    if said["run"]:
        raise RunFailure(f"the {role}'s agent at {address.url} is busy with run {said['run']}")


class RemoteAgent:
    """One host's agent during one run. Every method raises RunFailure with the reason."""

    def __init__(self, host: str, address: Address, run: str) -> None:
        self.host = host
        self.end: Reserved = {"address": "", "ports": []}
        """This host's ends of its links, once taken."""
        self._run = run
        self._http = _client(address, TIMEOUT_S, run=run)

    def take(self, part: Part, seed: int, kernel_hash: str) -> None:
        """Reserve the agent for this run."""
        body: Reservation = {
            "run": self._run,
            "part": part,
            "seed": seed,
            "kernel": kernel_hash,
        }
        self.end = self._ask("POST", "/run", body)

    def boot(self, peers: list[PeerEnd]) -> None:
        """Boot; peers: each link's other end."""
        body: BootRequest = {"links": peers}
        self._ask("POST", "/run/boot", body)

    def order(self, order: Order) -> None:
        """Give an order; once it is carried out, `done` of the state is what `ordered` is."""
        self._ask("POST", "/run/order", order)

    def state(self) -> RunState:
        """Where the run stands there. Also raises when it has failed."""
        found: RunState = self._ask("GET", "/run")
        if found["state"] == "failed":
            raise (MissedStart if found["late"] else RunFailure)(found["reason"])
        return found

    def clock_error_s(self) -> float:
        """How far its machine's clock is ahead of this one's, at least (0: they may agree)."""
        before_s = time.time()
        theirs_s = self._ask("GET", "/run")["now_unix_s"]
        return float(max(0.0, theirs_s - time.time()) + min(0.0, theirs_s - before_s))

    def rows(self, name: str) -> bytes:
        """What the player whose file is called so has written so far."""
        try:
            answer = self._http.get("/run/rows", params={"run": self._run, "player": name})
        except httpx2.HTTPError as error:
            raise _lost(self.host, self._http, error) from error
        if not answer.is_success:
            _said(self.host, answer)
        return answer.content

    def fetch(self, folder: Path) -> None:
        """Bring the host's files into an existing folder."""
        with tempfile.TemporaryFile(dir=folder) as archive:
            self._fetch_archive(archive)
            with tarfile.open(fileobj=archive) as tar:
                for member in tar:
                    content = tar.extractfile(member) if member.isreg() else None
                    if content is None or member.size > MOST_FILES_BYTES:
                        raise RunFailure(f"{self.host}: {member.name}: is no plain file of a run")
                    with (folder / Path(member.name).name).open("wb") as file:
                        shutil.copyfileobj(content, file)

    def _fetch_archive(self, archive: IO[bytes]) -> None:
        size = 0
        try:
            with self._http.stream("GET", "/run/files", timeout=FILES_TIMEOUT_S) as answer:
                if not answer.is_success:
                    answer.read()
                    _said(self.host, answer)
                for chunk in answer.iter_bytes():
                    if (size := size + len(chunk)) > MOST_FILES_BYTES:
                        raise RunFailure(
                            f"{self.host}: its files take more than {MOST_FILES_BYTES} bytes; let "
                            "the run record less, or make it shorter"
                        )
                    archive.write(chunk)
        except httpx2.HTTPError as error:
            raise _lost(self.host, self._http, error) from error
        archive.seek(0)

    def drop(self) -> None:
        """End the run there; an agent that is gone has ended it already."""
        try:
            self._delete()
        except BaseException:  # this process is being ended, and may not have asked yet
            self._delete()
            raise
        finally:
            self._http.close()

    def _delete(self) -> None:
        with suppress(httpx2.HTTPError):
            self._http.delete("/run", timeout=DROP_TIMEOUT_S)

    def _ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        try:
            answer = self._http.request(method, path, json=body)
        except httpx2.HTTPError as error:
            raise _lost(self.host, self._http, error) from error
        return _said(self.host, answer)


def _client(address: Address, timeout_s: float, **params: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=address.url,
        headers={"Authorization": f"Bearer {address.token}"},
        params=params,
        timeout=timeout_s,
        trust_env=False,
        verify=False,  # agents speak plain HTTP, and reading certificates takes 40 ms
    )


def _said(host: str, answer: httpx2.Response) -> Any:
    said = answer.json()
    if not answer.is_success:
        raise RunFailure(said.get("reason", f"{host}: HTTP {answer.status_code}"))
    return said


def _lost(host: str, http: httpx2.Client, error: httpx2.HTTPError) -> RunFailure:
    return RunFailure(
        f"the {host}'s agent at {http.base_url} does not answer ({error}); it ended or cannot be "
        "reached: see its log"
    )
