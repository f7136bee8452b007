"""One campaign of stub runs on a platform, from the submission to its end. For bench/stores.py.

A run is a run directory written at once, with all metrics of two clients; all else is the
platform's: the API that takes the campaign, the housekeeper that writes its runs, workers that
claim and keep them. A program of its own, since it also runs with the code of another checkout:

python stores_play.py RUNS WORKERS, with the settings in the environment
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import yaml
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from weir.metrics import CATALOG
from weir_engine import provenance
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, RunUpdate, Task
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import Campaign, Lease, Membership, Result, Run, Team, User, schema
from weir_orchestrator.processes.__main__ import main as process
from weir_orchestrator.settings import Settings
from weir_orchestrator.work import worker

PATIENCE_S: Final = 60.0
KERNEL: Final = Kernel(Path("/nowhere"), "0123456789abcdef", "7.3-stub", ("cubic", "reno"))
RECORDED: Final = random.Random(1).randbytes(30_000)
"""In place of a run's recordings, which do not compress any more."""
EXPERIMENT: Final = {
    "duration": "20s",
    "content": {"ladder": ["1Mbit/s", "2Mbit/s"], "segment": "2s"},
    "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "20ms"}}},
    "clients": [{"player": "bola"}, {"player": "bola"}],
}


def _metrics(seed: int) -> str:
    draw = random.Random(seed)

    def drawn(scope: str) -> dict[str, float]:
        return {name: draw.gauss() for name, info in CATALOG.items() if info.scope == scope}

    clients = [{"client": rank, "rank": rank, **drawn("client")} for rank in (1, 2)]
    return json.dumps({"format": 1, "run": drawn("run"), "clients": clients})


METRICS: Final = [_metrics(seed) for seed in range(64)]


class StubExecutor:
    """Writes run directories, in place of processes that run cells."""

    def __init__(self, environment: Environment, jobs: int) -> None:
        self._store = Store(environment.store)
        self._stopping = threading.Event()

    def execute(self, tasks: Iterable[Task | None]) -> Iterator[RunUpdate]:
        """See weir_engine.executor.Executor."""
        for task in tasks:
            if self._stopping.is_set():
                return
            if task is None:
                self._stopping.wait(0.002)
                continue
            yield RunUpdate(task, "running")
            yield self._perform(task)

    def _perform(self, task: Task) -> RunUpdate:
        out = self._store.run_path(task.key)
        out.mkdir(parents=True)
        history = move(move(task.history, "running"), "succeeded")
        (out / "run.json").write_text(json.dumps({"key": task.key, "seed": task.seed}))
        (out / "metrics.json").write_text(METRICS[task.seed % len(METRICS)])
        (out / "host.json").write_text(json.dumps({"history": history}))
        (out / "tcp.parquet").write_bytes(RECORDED)
        return RunUpdate(task, "succeeded", wall_s=0.01)

    def problem(self) -> str:
        return ""

    def cancel(self, key: str) -> None:
        """It is over by then."""

    def stop(self) -> None:
        self._stopping.set()

    def kill(self) -> None:
        self._stopping.set()


def _stub() -> None:
    lab_kernel.installed = lambda: [KERNEL]
    lab_kernel.find = lambda *asked, **how: KERNEL
    provenance.roles = lambda: {"hash": "r" * 32, "python": "3"}  # type: ignore[assignment]
    worker.LocalExecutor = StubExecutor  # type: ignore[attr-defined, assignment]


def _play(runs: int, workers: int) -> dict[str, float]:
    app = make_app(Settings())
    schema.upgrade(app.state.engine)
    with app.state.sessions.begin() as session:
        team = Team(slug="bench", name="bench", max_runs_per_campaign=runs)
        user = User(email="bench@example.org", name="bench", is_admin=True)
        session.add_all([team, user])
        session.flush()
        session.add(Membership(team_id=team.id, user_id=user.id, role="admin"))
    names = ["housekeeper", *(["worker"] * workers)]
    parts = [subprocess.Popen([sys.executable, __file__, name]) for name in names]
    time.sleep(3)  # until they are there: what a start takes is not asked here
    started = [_cpu_s(part.pid) for part in parts]
    document = yaml.safe_dump({"name": "stub", "experiment": EXPERIMENT, "replicates": runs})
    with TestClient(app, base_url="http://127.0.0.1") as client:
        began = time.monotonic()
        answer = client.post("/api/v1/teams/bench/campaigns", json={"document": document})
    assert answer.status_code == 201, answer.text
    state, left, since = "", runs, began
    while state != "finished":
        time.sleep(0.1)
        assert all(part.poll() is None for part in parts), "a part of the platform has ended"
        with app.state.sessions() as session:
            state = session.scalars(select(Campaign.state)).one()
            open_ = session.scalar(select(func.count()).where(Run.state.in_(("queued", "running"))))
        if open_ != left:
            left, since = open_, time.monotonic()
        assert time.monotonic() - since < PATIENCE_S, f"{left} of {runs} runs are left"
    wall_s = time.monotonic() - began
    used_ms = [1e3 * (_cpu_s(part.pid) - used) for part, used in zip(parts, started, strict=True)]
    for part in parts:
        part.send_signal(signal.SIGTERM)
    for part in parts:
        assert part.wait(60) == 0
    with app.state.sessions() as session:
        ended = session.scalar(select(func.count()).where(Run.state == "succeeded"))
        results = session.scalar(select(func.count()).select_from(Result))
        leases = session.scalar(select(func.count()).select_from(Lease))
        first, last = session.execute(
            select(func.min(Run.started_at), func.max(Run.ended_at))
        ).one()
    assert (ended, results, leases) == (runs, runs, 0), (ended, results, leases)
    app.state.engine.dispose()
    return {
        "wall_s": wall_s,
        "runs_per_s": runs / wall_s,
        "runs_per_s_once_begun": runs / (last - first).total_seconds(),
        "housekeeper_ms": used_ms[0] / runs,
        "workers_ms": sum(used_ms[1:]) / runs,
    }


def _cpu_s(pid: int) -> float:
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    _stub()
    if sys.argv[1] in {"housekeeper", "worker"}:
        process(sys.argv[1])
    else:
        print(json.dumps(_play(*map(int, sys.argv[1:]))))
