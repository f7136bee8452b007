"""A platform whose runs are stubs: a run directory with all metrics of two clients.

All else is the platform's: the API that takes campaigns, the housekeeper that writes their runs,
workers that claim and keep them. WEIR_BENCH_RUN_S: how long (s) a run takes.

python stub_platform.py housekeeper|worker, with the settings in the environment
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
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import func, select
from weir.metrics import CATALOG
from weir_engine import provenance
from weir_engine.states import move
from weir_engine.store import Store
from weir_engine.task import Environment, RunUpdate, Task
from weir_lab import kernel as lab_kernel
from weir_lab.kernel import Kernel
from weir_orchestrator.db import Campaign, Membership, Run, Team, User
from weir_orchestrator.processes.__main__ import main as process
from weir_orchestrator.work import worker

__all__ = ["EXPERIMENT", "await_end", "make_team", "parts", "settings", "stub", "used_s"]

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
        self._takes_s = float(os.environ.get("WEIR_BENCH_RUN_S", "0"))
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
        if self._takes_s:
            time.sleep(self._takes_s)
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


def stub() -> None:
    """Have this process's platform know a kernel that is none, and its workers run nothing."""
    lab_kernel.installed = lambda: [KERNEL]
    lab_kernel.find = lambda *asked, **how: KERNEL
    provenance.roles = lambda: {"hash": "r" * 32, "python": "3"}  # type: ignore[assignment]
    worker.LocalExecutor = StubExecutor  # type: ignore[attr-defined, assignment]


def settings(
    database: str, store: str, data: str, *, jobs: int, run_s: float = 0.0
) -> dict[str, str]:
    """A platform's environment. database, store: URLs. data: the workers' folder."""
    return {
        "WEIR_DATABASE": database,
        "WEIR_STORE": store,
        "WEIR_DATA": data,
        "WEIR_AS_ROOT": "true",
        "WEIR_JOBS": str(jobs),
        "WEIR_BENCH_RUN_S": str(run_s),
    }


@contextmanager
def parts(workers: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A housekeeper and so many workers, ended as a service ends them."""
    names = ["housekeeper", *(["worker"] * workers)]
    started = [subprocess.Popen([sys.executable, __file__, name]) for name in names]
    try:
        time.sleep(3)  # until they are there: what a start takes is not asked here
        yield started
    finally:
        for part in started:
            part.send_signal(signal.SIGTERM)
        codes = [part.wait(60) for part in started]
    assert codes == [0] * len(started), codes


def make_team(app: Any, most_runs: int) -> None:
    """A team, and a user who administers it."""
    with app.state.sessions.begin() as session:
        team = Team(slug="bench", name="bench", max_runs_per_campaign=most_runs)
        user = User(email="bench@example.org", name="bench", is_admin=True)
        session.add_all([team, user])
        session.flush()
        session.add(Membership(team_id=team.id, user_id=user.id, role="admin"))


def await_end(app: Any, running: Iterable[subprocess.Popen[bytes]], every_s: float = 0.1) -> None:
    """Until the only campaign is finished. Raises AssertionError where nothing goes on."""
    left, since = -1, time.monotonic()
    state = ""
    while state != "finished":
        time.sleep(every_s)
        assert all(part.poll() is None for part in running), "a part of the platform has ended"
        with app.state.sessions() as session:
            state = session.scalars(select(Campaign.state)).one()
            open_ = session.scalar(select(func.count()).where(Run.state.in_(("queued", "running"))))
        if open_ != left:
            left, since = open_, time.monotonic()
        assert time.monotonic() - since < PATIENCE_S, f"{left} runs are left"


def used_s(part: subprocess.Popen[bytes]) -> float:
    """Processor time of a part so far."""
    stat = Path(f"/proc/{part.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    stub()
    process(sys.argv[1])
