"""A campaign of a million runs of 10 ms on Postgres and MinIO: submitted, run, read, deleted.

Runs are stubs of 30 kB with all metrics of two clients (10,000 combinations x 100 replicates),
written to memory; all else is the platform's. While they run and when all have ended, lists and
aggregates are asked for as the page does; then the campaign is deleted, and what only it needed.
Bounds, as for 30,000 runs (queries.py): a page of runs 50 ms, an aggregate 300 ms, a comparison
1 s, p95; an answer to its submission and its deletion 2 s. WEIR_BENCH_RUNS asks for fewer.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from fastapi.testclient import TestClient
from sqlalchemy import func, select, text
from weir_bench import stub_platform
from weir_bench.asked import API, REPEATS, p95, times
from weir_bench.common import server_cpu_s, show
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import Block, Campaign, Pack, Result, schema
from weir_orchestrator.db.blocks import BLOCK_RUNS
from weir_orchestrator.settings import Settings
from weir_testing.servers import minio, postgres
from weir_testing.servers.folder import MEMORY

RUNS = 1_000_000
LEVELS = 100
WORKERS = 8
RUN_S = 0.01
RATE, RTT = "gateway.downlink.rate", "gateway.path.rtt.mean"
BOUNDS_MS = {"page_p95_ms": 50, "aggregate_p95_ms": 300, "compare_p95_ms": 1000}
ANSWER_S = 2.0
BY_RATE = {"metric": "mean_bitrate_bps", "rows": RATE, "client": 1}


def main(json: bool = False) -> int:
    """Print what each part takes; 1 where a bound is missed."""
    runs = int(os.environ.get("WEIR_BENCH_RUNS", RUNS))
    with (
        tempfile.TemporaryDirectory(dir=MEMORY) as data,
        postgres.run() as database,
        minio.run() as store,
    ):
        urls = database.create(), store.url(store.create())
        os.environ.update(stub_platform.settings(*urls, data, jobs=1, run_s=RUN_S))
        os.environ["WEIR_KEEP_UNUSED"] = "PT0S"
        with store.access.in_environment():
            servers = {"postgres": database.pid, "minio": store.pid}
            used_s = {name: server_cpu_s(pid) for name, pid in servers.items()}
            found = _play(runs)
            for name, pid in servers.items():
                found[f"{name}_ms_a_run"] = 1e3 * (server_cpu_s(pid) - used_s[name]) / runs
    show({name: round(value, 3) for name, value in found.items()}, json)
    kept = all(found[name] <= bound for name, bound in BOUNDS_MS.items())
    answered = max(found["accepted_s"], found["delete_answered_s"]) <= ANSWER_S
    return 0 if kept and answered else 1


def _play(runs: int) -> dict[str, float]:
    stub_platform.stub()
    app = make_app(Settings())
    schema.upgrade(app.state.engine)
    stub_platform.make_team(app, runs)
    found: dict[str, float] = {"runs": runs}
    with (
        TestClient(app, base_url="http://127.0.0.1") as client,
        stub_platform.parts(WORKERS) as started,
    ):
        before_s = [stub_platform.used_s(part) for part in started]
        small = _submit(client, LEVELS * LEVELS, 1, "small")
        _run(app, small, time.monotonic())
        began = time.monotonic()
        large = _submit(client, LEVELS * LEVELS, runs // LEVELS**2, "large")
        found["accepted_s"] = time.monotonic() - began
        with _while_it_runs(client, large) as meanwhile:
            found |= _run(app, large, began)
        found |= meanwhile
        used_s = [
            stub_platform.used_s(part) - used for part, used in zip(started, before_s, strict=True)
        ]
        found |= {
            "runs_per_s": runs / found["ended_s"],
            "housekeeper_ms_a_run": 1e3 * used_s[0] / runs,
            "workers_ms_a_run": 1e3 * sum(used_s[1:]) / runs,
        }
        _tell(found)
        began = time.monotonic()
        _until(lambda: _count(app, Block, large) >= runs // BLOCK_RUNS)
        found["blocks_made_after_s"] = time.monotonic() - began
        found |= _asked(client, large, small)
        found["database_gib"] = _database_bytes(app) / 2**30
        _tell(found)
        found |= _deleted(app, client, large)
    app.state.engine.dispose()
    return found


def _tell(found: dict[str, float]) -> None:
    """What is known so far: the whole takes three quarters of an hour."""
    print({name: round(value, 3) for name, value in found.items()}, file=sys.stderr, flush=True)


def _submit(client: TestClient, combinations: int, replicates: int, name: str) -> str:
    levels = round(combinations**0.5)
    document = {
        "name": name,
        "experiment": stub_platform.EXPERIMENT,
        "factors": {
            RATE: [f"{4 + n / 10}Mbit/s" for n in range(levels)],
            RTT: [f"{20 + n}ms" for n in range(levels)],
        },
        "replicates": replicates,
    }
    answer = client.post(
        f"{API}/teams/bench/campaigns", json={"document": yaml.safe_dump(document)}
    )
    assert answer.status_code == 201, answer.text
    made: str = answer.json()["id"]
    return made


def _run(app: Any, campaign: str, began: float) -> dict[str, float]:
    """Seconds until the first run begins, all are written, and all have ended."""
    found: dict[str, float] = {}
    seen = 0
    since = time.monotonic()
    while "ended_s" not in found:
        time.sleep(0.5)
        with app.state.sessions() as session:
            row = session.execute(
                select(Campaign.state, Campaign.started_at).where(
                    Campaign.id == uuid.UUID(campaign)
                )
            ).one()
            results = session.scalars(select(func.max(Result.id))).one() or 0
        now_s = time.monotonic() - began
        if row.started_at is not None:
            found.setdefault("first_begins_s", now_s)
        if row.state != "expanding":
            found.setdefault("written_s", now_s)
        if row.state == "finished":
            found["ended_s"] = now_s
        if results != seen:
            seen, since = results, time.monotonic()
        assert time.monotonic() - since < stub_platform.PATIENCE_S, "nothing ends any more"
    return found


@contextmanager
def _while_it_runs(client: TestClient, campaign: str) -> Iterator[dict[str, float]]:
    """Ask as pages do that are open meanwhile; what they wait for is in the dictionary then."""
    found: dict[str, float] = {}
    over = threading.Event()
    spent: dict[str, list[float]] = {"progress": [], "page": [], "aggregate": []}
    of = f"{API}/campaigns/{campaign}"

    def ask() -> None:
        while not over.wait(5.0):
            spent["progress"] += times(client, f"{of}/progress", {}, 1)
            spent["page"] += times(client, f"{of}/runs", {"limit": 50}, 1)
            spent["aggregate"] += times(client, f"{of}/aggregate", BY_RATE, 1)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        yield found
    finally:
        over.set()
        asking.join()
    found |= {f"{name}_while_it_runs_p95_ms": p95(each) for name, each in spent.items() if each}


def _asked(client: TestClient, campaign: str, other: str) -> dict[str, float]:
    """Milliseconds of the first answer, read from disk in part, and of those after it."""
    of = f"{API}/campaigns/{campaign}"
    chosen = {f"level.{RATE}": "5.0Mbit/s"}
    by_both = {**BY_RATE, "columns": RTT, **chosen}
    over_clients = {"metric": "mean_bitrate_bps", "rows": RATE}
    of_run = {"metric": "jain", "rows": RTT}
    in_both = {"metric": "mean_bitrate_bps", "client": 1}
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "page": (f"{of}/runs", {"limit": 50, "metric": ["mean_bitrate_bps", "jain"]}),
        "page_filtered": (f"{of}/runs", {"limit": 50, **chosen}),
        "page_sorted_by_wall": (f"{of}/runs", {"limit": 50, "sort": "-wall_s", **chosen}),
        "page_sorted_by_metric": (
            f"{of}/runs",
            {"limit": 50, "sort": "-mean_bitrate_bps", "client": 1},
        ),
        "aggregate": (f"{of}/aggregate", BY_RATE),
        "aggregate_mean_of_clients": (f"{of}/aggregate", over_clients),
        "aggregate_of_runs": (f"{of}/aggregate", of_run),
        "aggregate_by_two_factors": (f"{of}/aggregate", by_both),
        "aggregate_of_all_combinations": (f"{of}/aggregate", {**BY_RATE, "columns": RTT}),
        "values": (f"{of}/values", {**BY_RATE, **chosen}),
        "progress": (f"{of}/progress", {}),
        "compare": (f"{API}/compare", {"a": campaign, "b": other, **in_both}),
    }
    found: dict[str, float] = {}
    for name, (url, params) in asked.items():
        first, *others = times(client, url, params, 1 + REPEATS)
        found |= {f"{name}_first_ms": first, f"{name}_p95_ms": p95(others)}
    return found


def _deleted(app: Any, client: TestClient, campaign: str) -> dict[str, float]:
    """Seconds until the deletion is answered, the campaign is gone, and its results are."""
    began = time.monotonic()
    answer = client.delete(f"{API}/campaigns/{campaign}")
    assert answer.status_code == 204, answer.text
    found = {"delete_answered_s": time.monotonic() - began}
    _until(lambda: client.get(f"{API}/campaigns/{campaign}").status_code == 404)
    found["deleted_s"] = time.monotonic() - began
    _until(lambda: _count(app, Result) <= LEVELS**2)
    found["results_removed_s"] = time.monotonic() - began
    _until(lambda: _count(app, Pack) <= LEVELS**2)
    found["files_removed_s"] = time.monotonic() - began
    return found


def _count(app: Any, model: Any, campaign: str | None = None) -> int:
    query = select(func.count()).select_from(model)
    if campaign is not None:
        query = query.where(model.campaign_id == uuid.UUID(campaign))
    with app.state.sessions() as session:
        return int(session.scalars(query).one())


def _database_bytes(app: Any) -> int:
    with app.state.sessions() as session:
        return int(session.scalars(text("SELECT pg_database_size(current_database())")).one())


def _until(there: Callable[[], bool], patience_s: float = 3600.0) -> None:
    until_s = time.monotonic() + patience_s
    while not there():
        assert time.monotonic() < until_s, "it takes too long"
        time.sleep(1.0)


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
