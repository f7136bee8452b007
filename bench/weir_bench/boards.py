"""A schedule's board over many nights x 200 combinations x 40 metrics, on a real Postgres.

Points are drawn numbers; 24 replicates of three nights are there as results.
"""

from __future__ import annotations

import tempfile
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import delete, insert, select, text
from weir.metrics import CATALOG
from weir_bench.asked import API, p95, people, times
from weir_bench.common import reference_run, show
from weir_bench.stored import FACTORS, settle, store_campaign
from weir_engine.levels import identity
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import (
    Baseline,
    Campaign,
    Combination,
    Night,
    Schedule,
    Trend,
    make_sessions,
    schema,
    utc_now,
)
from weir_orchestrator.schedules import judge_next
from weir_orchestrator.settings import Settings
from weir_testing.servers import postgres

__all__ = ["measure"]

METRICS = list(CATALOG)[-40:]
"""21 of clients and 19 of runs."""
LEVELS = {name: levels[:10] for name, levels in FACTORS.items() if len(levels) == 10} | {
    "gateway.path.rtt.mean": FACTORS["gateway.path.rtt.mean"]
}
"""10 x 10 x 2."""
REPLICATES = 24
JUDGED = 5
"""Times."""
_POINTS = text(
    "INSERT INTO trend_point (campaign_id, trend_id, n, mean, low, high, verdict, before,"
    " difference, since_id, mark)"
    " SELECT night.campaign_id, trend.id, 24, 1 + random(), 0.9, 2.1, 'no matter', 1.5,"
    " random() - 0.5, :first, CASE WHEN random() < 0.0005 THEN 'worse' ELSE '' END"
    " FROM night CROSS JOIN trend"
)


def measure(nights: int, as_json: bool) -> int:
    """Store, ask, print; 1 where a bound is missed."""
    with tempfile.TemporaryDirectory() as folder, postgres.run() as server:
        settings = Settings(data=Path(folder), database=server.create(), auth="login")
        app = make_app(settings)
        schema.upgrade(app.state.engine)
        team_id, token = people(app)
        started = time.perf_counter()
        schedule, night, baseline = _store(app, team_id, nights)
        stored_s = time.perf_counter() - started
        judged, judged_cpu_ms = _with_cpu(lambda: _judged(app.state.sessions, uuid.UUID(night)))
        with TestClient(app, headers={"Authorization": f"Bearer {token}"}) as client:
            here = f"{API}/schedules/{schedule}"
            points = client.get(f"{here}/board").json()["points"]
            compared, compared_cpu_ms = _with_cpu(
                lambda: times(
                    client, f"{API}/campaigns/{night}/regressions", {"baseline": baseline}
                )
            )
            found = {
                "points_of_a_night": len(points),
                "board_p95_ms": p95(times(client, f"{here}/board", {})),
                "changes_p95_ms": p95(times(client, f"{here}/changes", {})),
                "trend_p95_ms": p95(
                    times(client, f"{API}/trends/{points[0]['trend']}", {"nights": nights})
                ),
                "judged_p95_ms": p95(judged),
                "judged_cpu_ms": judged_cpu_ms,
                "compared_p95_ms": p95(compared),
                "compared_cpu_ms": compared_cpu_ms,
                "stored_s": round(stored_s),
            }
        app.state.engine.dispose()
    show(found, as_json)
    kept = found["board_p95_ms"] <= 1000
    return 0 if kept and max(found["judged_p95_ms"], found["compared_p95_ms"]) <= 2000 else 1


def _store(app: Any, team_id: uuid.UUID, nights: int) -> tuple[uuid.UUID, str, str]:
    """The schedule, its newest night, which is not judged, and the one before."""
    engine = app.state.engine
    experiment = dict(reference_run().experiment)
    first, baseline, night = (
        store_campaign(engine, team_id, experiment, no, LEVELS, REPLICATES, METRICS)
        for no in range(3)
    )
    begin = utc_now() - timedelta(days=nights)
    with make_sessions(engine).begin() as session:
        schedule = Schedule(team_id=team_id, name="nightly", cron="30 2 * * *", document="")
        session.add(schedule)
        session.flush()
        session.add(Baseline(schedule_id=schedule.id, kind="last-good"))
        of_schedule = {"schedule_id": schedule.id}
        between = [
            {
                **{"id": uuid.uuid4(), "team_id": team_id, "name": "stored", "document": ""},
                **{"factors": list(LEVELS), "kernel_hash": "k", "roles_hash": "r"},
                **{"combination_count": 200, "replicates": REPLICATES, "run_count": 4800},
                **{"state": "finished", "created_at": begin + timedelta(days=day), **of_schedule},
            }
            for day in range(1, nights - 1)
        ]
        session.execute(insert(Campaign), between)
        for name, day in ((first, 0), (baseline, nights - 1), (night, nights)):
            campaign = session.get_one(Campaign, uuid.UUID(name))
            campaign.schedule_id = schedule.id
            campaign.created_at = begin + timedelta(days=day)
        judged = [uuid.UUID(first), *(each["id"] for each in between), uuid.UUID(baseline)]
        session.execute(
            insert(Night), [{"campaign_id": each, "verdict": "not worse"} for each in judged]
        )
        combinations = select(Combination.levels).where(Combination.campaign_id == uuid.UUID(night))
        trends = [
            {**of_schedule, "combination": identity(levels), "metric": metric, "levels": levels}
            for levels in session.scalars(combinations)
            for metric in METRICS
        ]
        session.execute(insert(Trend), trends)
        session.execute(_POINTS, {"first": uuid.UUID(first)})
    settle(engine)
    return schedule.id, night, baseline


def _with_cpu(spent: Callable[[], list[float]]) -> tuple[list[float], float]:
    """What it says, and the mean processor time of each, in ms."""
    started = time.process_time()
    found = spent()
    return found, round((time.process_time() - started) * 1000 / len(found), 1)


def _judged(sessions: Any, night: uuid.UUID) -> list[float]:
    """Milliseconds of each time that the night is judged; it stays judged."""
    spent = []
    for _ in range(JUDGED):
        with sessions.begin() as session:
            session.execute(delete(Night).where(Night.campaign_id == night))
        started = time.perf_counter()
        assert judge_next(sessions)
        spent.append((time.perf_counter() - started) * 1000)
    return spent
