"""One campaign of stub runs on a platform, from the submission to its end. For stores_played.py.

A program of its own, since it also runs with the code of another checkout:

python stores_play.py RUNS WORKERS, with the settings in the environment
"""

from __future__ import annotations

import json
import sys
import time

import yaml
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from weir_bench.stub_platform import EXPERIMENT, await_end, make_team, parts, stub, used_s
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import Lease, Result, Run, schema
from weir_orchestrator.settings import Settings


def _play(runs: int, workers: int) -> dict[str, float]:
    app = make_app(Settings())
    schema.upgrade(app.state.engine)
    make_team(app, runs)
    document = yaml.safe_dump({"name": "stub", "experiment": EXPERIMENT, "replicates": runs})
    with parts(workers) as started:
        before_s = [used_s(part) for part in started]
        with TestClient(app, base_url="http://127.0.0.1") as client:
            began = time.monotonic()
            answer = client.post("/api/v1/teams/bench/campaigns", json={"document": document})
        assert answer.status_code == 201, answer.text
        await_end(app, started)
        wall_s = time.monotonic() - began
        used_ms = [
            1e3 * (used_s(part) - used) for part, used in zip(started, before_s, strict=True)
        ]
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


if __name__ == "__main__":
    stub()
    print(json.dumps(_play(*map(int, sys.argv[1:]))))
