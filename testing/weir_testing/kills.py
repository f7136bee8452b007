"""A campaign on a real platform whose parts are killed (kill -9) at random moments.

Short films of the real lab kernel, submitted by the API.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
import yaml
from sqlalchemy import func, select
from sqlalchemy.exc import DBAPIError
from weir_orchestrator.db import (
    Campaign,
    Run,
    Worker,
    connect,
    make_sessions,
)

from weir_testing import ended_once
from weir_testing.patience import PATIENCE_S
from weir_testing.processes import children, command_line
from weir_testing.servers import minio, postgres

WEIR = Path(sys.executable).with_name("weir")
PROCESSES = ("api", "worker", "housekeeper")
LEASE_S = 5
_RUN_S = 0.1
"""About what a run takes: a kill comes anywhere in it."""
CAMPAIGN: dict[str, Any] = {
    "name": "killed",
    "experiment": {
        "duration": "4s",
        "content": {"ladder": ["1Mbit/s", "2Mbit/s"], "segment": "2s"},
        "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "20ms"}}},
        "clients": [{"player": "fixed", "options": {"level": 1}}],
    },
    "seed": 1,
}


@dataclass(frozen=True)
class Load:
    """What is carried out while parts are killed.

    left: runs after the last moment: the kills that are due together come while these go on.
    whole: raises AssertionError for a run directory that lacks something.
    """

    campaign: Mapping[str, Any]
    left: int
    whole: Callable[[Path], None]


FILMS = Load(CAMPAIGN, 15, ended_once.plays)


@dataclass(frozen=True)
class Backend:
    """Where a platform keeps things, and what of that can be killed."""

    options: list[str]
    variables: Mapping[str, str]
    database: str
    store: str
    servers: Mapping[str, Any]


@contextmanager
def embedded() -> Iterator[Callable[[], Backend]]:
    """SQLite and a folder, new for every call."""
    with TemporaryDirectory() as folder:

        def make() -> Backend:
            data = Path(folder) / uuid.uuid4().hex
            database = f"sqlite:///{data / 'weir.db'}"
            return Backend(["--data", str(data)], {}, database, str(data / "store"), {})

        yield make


@contextmanager
def served(*, folder_store: bool = False) -> Iterator[Callable[[], Backend]]:
    """Postgres and MinIO of their own; a database and a bucket for every call.

    folder_store: objects in a folder instead of MinIO.
    """
    with ExitStack() as stack:
        database_server = stack.enter_context(postgres.run())
        object_server = stack.enter_context(minio.run())
        folder = stack.enter_context(TemporaryDirectory())
        stack.enter_context(object_server.access.in_environment())

        def make() -> Backend:
            database = database_server.create()
            servers: dict[str, Any] = {"database": database_server}
            if folder_store:
                store = str(Path(folder) / uuid.uuid4().hex)
            else:
                store = object_server.url(object_server.create())
                servers["store"] = object_server
            options = ["--database", database, "--store", store, "--data", folder]
            variables = object_server.access.environment
            return Backend(options, variables, database, store, servers)

        yield make


class Up:
    """`weir up` as a process."""

    def __init__(self, backend: Backend, log: Path, jobs: int = 2) -> None:
        self._backend = backend
        self._log = log
        self._jobs = jobs
        self.start()

    def start(self) -> None:
        """Start it, again after its end; `url` is where it listens."""
        variables = {**os.environ, **self._backend.variables, "WEIR_LEASE": f"PT{LEASE_S}S"}
        words = ["up", "--port", "0", "--jobs", str(self._jobs), *self._backend.options]
        with self._log.open("a") as errors:
            self._process = subprocess.Popen(
                [str(WEIR), *words], env=variables, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"weir up said {line!r}: {self._log.read_text()[-2000:]}"
        self.url = found[0]

    def child(self, name: str) -> int | None:
        """The process of one of its programs, if it runs now."""
        found = (pid for pid in children(self._process.pid) if name in _words(pid))
        return next(found, None)

    def kill(self) -> None:
        """kill -9 of the supervisor, with which its programs die."""
        self._process.kill()
        self._process.wait()

    def drain(self) -> int:
        """SIGTERM; the exit code."""
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE_S)


def play(
    backend: Backend, seed: int, runs: int, kills: int, log: Path, load: Load = FILMS
) -> dict[str, Any]:
    """One campaign of `runs` runs during which `kills` processes are killed; what was seen.

    Raises AssertionError where a run did not end exactly once with all its files.
    """
    drawn = random.Random(seed)
    up = Up(backend, log)
    try:
        started = time.monotonic()
        campaign_id = submit(up.url, {**load.campaign, "replicates": runs})
        sessions = make_sessions(connect(backend.database), read_only=True)
        victims = [*PROCESSES, *(backend.servers or ["supervisor"])]
        # Each once, then any: sure to be there in few kills, random in many.
        drawn.shuffle(victims)
        plan = [*victims, *drawn.choices(victims, k=kills)][:kills]
        moments = sorted(drawn.sample(range(1, max(runs - load.left, kills + 1)), kills))
        killed: Counter[str] = Counter()
        most, since = 0, started
        while (ended := _ended(sessions, campaign_id)) is not None:
            if ended > most:
                most, since = ended, time.monotonic()
            assert time.monotonic() - since < PATIENCE_S, f"{ended} of {runs}: {log.read_text()}"
            if plan and ended >= moments[0]:
                time.sleep(drawn.random() * _RUN_S)
                _kill(up, backend, plan[0], drawn)
                killed[plan.pop(0)] += 1
                moments.pop(0)
            time.sleep(0.05)
        wall_s = time.monotonic() - started
        attempts = ended_once.verify(backend.database, backend.store, campaign_id, runs, load.whole)
        assert not plan, f"the campaign was over before {plan} were killed"
        assert up.drain() == 0
        with sessions() as session:
            # Those that were killed are told to be gone by the housekeeper, in its time.
            left = session.scalars(select(Worker.state).where(Worker.state != "gone")).all()
            assert "draining" not in left
            assert len(left) <= killed["worker"]
    finally:
        up.kill()
    return {"wall_s": round(wall_s, 1), "killed": dict(killed), "attempts": attempts}


def _kill(up: Up, backend: Backend, victim: str, drawn: random.Random) -> None:
    if victim == "supervisor":
        up.kill()
        up.start()
    elif server := backend.servers.get(victim):
        server.kill()
        time.sleep(drawn.random() * 2)
        server.start()
    else:
        while (pid := up.child(victim)) is None:  # still pausing after an earlier end
            time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)


def _words(pid: int) -> list[str]:
    return command_line(pid).split("\0")


def submit(url: str, campaign: Mapping[str, Any]) -> uuid.UUID:
    """Submit a campaign to a platform; its id."""
    document = yaml.safe_dump(dict(campaign))
    with httpx2.Client(base_url=f"{url}/api/v1", timeout=PATIENCE_S) as client:
        answer = client.post("/teams/local/campaigns", json={"document": document})
    assert answer.status_code == 201, answer.text
    return uuid.UUID(answer.json()["id"])


def _ended(sessions: Any, campaign_id: uuid.UUID) -> int | None:
    """Runs that ended; None when the campaign has."""
    try:
        with sessions() as session:
            if session.get_one(Campaign, campaign_id).state == "finished":
                return None
            asked = select(func.count()).where(Run.campaign_id == campaign_id)
            return int(session.scalars(asked.where(Run.ended_at.is_not(None))).one())
    except DBAPIError:
        return 0
