"""Answers over 60,000 stored runs with all their metrics, on a real Postgres; drawn numbers.

Two campaigns of 30,000 runs. Asked of the application in its own process, as a client with an API
token does, JSON and all; once of rows alone, as while a campaign goes on, and then with the blocks
that the housekeeper makes of it. Bounds, of both: a page of runs 50 ms (p95), a metric by two
factors 300 ms, two campaigns compared 1 s; 180,000 TCP samples as curves have none but are told.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import select
from weir_bench.asked import API, p95, people, times
from weir_bench.common import reference_run, show
from weir_bench.stored import FACTORS, settle, store_campaign, store_tcp
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import Run, make_sessions, schema
from weir_orchestrator.housekeeping.blocks import make_next
from weir_orchestrator.settings import Settings
from weir_testing.servers import postgres

PAGES = 200


def main(json: bool = False) -> int:
    """Store, ask, print; 1 where a bound is missed."""
    with tempfile.TemporaryDirectory() as folder, postgres.run() as server:
        settings = Settings(data=Path(folder), database=server.create(), auth="login")
        app = make_app(settings)
        schema.upgrade(app.state.engine)
        team_id, token = people(app)
        experiment = dict(reference_run().experiment)
        campaigns = [store_campaign(app.state.engine, team_id, experiment, no) for no in (0, 1)]
        settle(app.state.engine)
        with make_sessions(app.state.engine)() as session:
            key = session.scalars(select(Run.key).order_by(Run.id).limit(1)).one()
        store_tcp(app.state.objects, key)
        with TestClient(app, headers={"Authorization": f"Bearer {token}"}) as client:
            found = {f"rows_{name}": each for name, each in _measure(client, campaigns).items()}
            while make_next(make_sessions(app.state.engine)):
                pass
            settle(app.state.engine)
            found |= _measure(client, campaigns)
        app.state.engine.dispose()
    show(found, json)
    bounds_ms = {"page_p95_ms": 50, "aggregate_p95_ms": 300, "compare_p95_ms": 1000}
    kept = (
        found[f"{of}{name}"] <= bound for name, bound in bounds_ms.items() for of in ("", "rows_")
    )
    return 0 if all(kept) else 1


def _measure(client: TestClient, campaigns: list[str]) -> dict[str, float]:
    of = f"{API}/campaigns/{campaigns[0]}"
    cc, rate, *_ = FACTORS
    chosen = {f"level.{cc}": "illinois"}
    metric = {"metric": "mean_bitrate_bps"}
    by_two = {**metric, "rows": cc, "columns": rate}
    pages = _pages(client, f"{of}/runs", {"metric": ["mean_bitrate_bps", "jain"]})
    filtered = _pages(client, f"{of}/runs", {"sort": "-wall_s", **chosen})
    by_metric = _pages(client, f"{of}/runs", {"sort": "-mean_bitrate_bps", "client": 1})
    aggregates = times(client, f"{of}/aggregate", {**by_two, "client": 1})
    over_clients = times(client, f"{of}/aggregate", by_two)
    both = {"a": campaigns[0], "b": campaigns[1], **metric, "client": 1}
    table = times(client, f"{of}/table.csv", {}, 1)
    run = client.get(f"{of}/runs", params={"limit": 1}).json()["items"][0]["id"]
    curves = {"kinds": "cwnd,ssthresh,srtt,rwnd", "points": 2000}
    return {
        "page_p95_ms": p95(pages),
        "page_filtered_sorted_p95_ms": p95(filtered),
        "page_by_metric_p95_ms": p95(by_metric),
        "aggregate_p95_ms": p95(aggregates),
        "aggregate_mean_of_clients_p95_ms": p95(over_clients),
        "values_p95_ms": p95(times(client, f"{of}/values", {**by_two, "client": 1})),
        "compare_p95_ms": p95(times(client, f"{API}/compare", both)),
        "table_30000_runs_s": round(table[0] / 1000, 2),
        "series_180000_samples_p95_ms": p95(times(client, f"{API}/runs/{run}/series", curves)),
    }


def _pages(client: TestClient, url: str, asked: dict[str, Any]) -> list[float]:
    """Milliseconds of each of many pages of 50 runs, one after the other."""
    spent, cursor = [], None
    for _ in range(PAGES):
        params = {"limit": 50, **asked, **({"cursor": cursor} if cursor else {})}
        started = time.perf_counter()
        answer = client.get(url, params=params)
        spent.append((time.perf_counter() - started) * 1000)
        assert answer.status_code == 200, answer.text
        cursor = answer.json()["next"]
    return spent


if __name__ == "__main__":
    sys.exit(main("--json" in sys.argv))
