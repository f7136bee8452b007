"""Submitting 10,000 and 1,000,000 runs, and writing them down, on a real Postgres.

10,000 runs twice: 100 combinations x 100 replicates, and 10,000 combinations with one run each.
A million: 10,000 combinations x 100. Asked of the application in its own process, JSON and all.
Bound: accepted within 2 s (the median of five). Writing the runs happens in the background;
that time has no bound. A million is refused at once, too, where the team's quota is smaller.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from fastapi.testclient import TestClient
from sqlalchemy import func, select, update
from weir_bench.common import middle, show
from weir_orchestrator.api.app import make_app
from weir_orchestrator.db import Membership, Run, Team, User, schema
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import Expander
from weir_testing.servers import postgres

BOUND_S = 2.0
REPEATS = 5
EXPERIMENT = {
    "duration": "180s",
    "content": {"ladder": ["1Mbit/s", "2Mbit/s", "3Mbit/s", "4Mbit/s"], "segment": "2s"},
    "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
    "clients": [{"player": "bola"}, {"player": "bola", "start": "30s"}],
}


def main(json: bool = False) -> int:
    """Submit, expand, print; 1 where a bound is missed."""
    with _platform() as (client, app):
        found: dict[str, float] = {}
        for name, levels, replicates in (
            ("10k_replicates", 10, 100),
            ("10k_combinations", 100, 1),
        ):
            found |= _measure(client, app, name, _document(name, levels, replicates), REPEATS)
        with app.state.sessions.begin() as session:
            session.execute(update(Team).values(max_runs_per_campaign=999_999))
        million = _document("million", 100, 100)
        found["million_refused_s"] = _refused_s(client, million)
        with app.state.sessions.begin() as session:
            session.execute(update(Team).values(max_runs_per_campaign=1_000_000))
        found |= _measure(client, app, "million", million, 1)
        found["memory_mib"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    show(found, json)
    return 0 if all(v <= BOUND_S for k, v in found.items() if k.endswith("_accepted_s")) else 1


def _document(name: str, levels: int, replicates: int) -> str:
    """levels x levels combinations."""
    return yaml.safe_dump(
        {
            "name": name.replace("_", "-"),
            "experiment": EXPERIMENT,
            "factors": {
                "gateway.downlink.rate": [f"{4 + n / 10}Mbit/s" for n in range(levels)],
                "gateway.path.rtt.mean": [f"{20 + n}ms" for n in range(levels)],
            },
            "replicates": replicates,
        }
    )


def _measure(
    client: TestClient, app: Any, name: str, document: str, repeats: int
) -> dict[str, float]:
    accepted = []
    for _ in range(repeats):
        began = time.perf_counter()
        answer = client.post("/api/v1/teams/bench/campaigns", json={"document": document})
        accepted.append(time.perf_counter() - began)
        assert answer.status_code == 201, answer.text
        last = answer.json()
        if len(accepted) < repeats:
            client.post(f"/api/v1/campaigns/{last['id']}/cancel").raise_for_status()
    began = time.perf_counter()
    expander = Expander(app.state.sessions, app.state.objects, app.state.settings)
    while expander.expand_some():
        pass
    expanded_s = time.perf_counter() - began
    with app.state.reading() as session:
        written = session.scalar(
            select(func.count()).where(Run.campaign_id == client.get(_of(last)).json()["id"])
        )
    assert written == last["run_count"], written
    return {
        f"{name}_accepted_s": middle(accepted),
        f"{name}_written_s": round(expanded_s, 2),
        f"{name}_runs_per_s": round(written / expanded_s),
    }


def _of(campaign: dict[str, Any]) -> str:
    return f"/api/v1/campaigns/{campaign['id']}"


def _refused_s(client: TestClient, document: str) -> float:
    began = time.perf_counter()
    answer = client.post("/api/v1/teams/bench/campaigns", json={"document": document})
    assert answer.status_code == 429, answer.text
    return round(time.perf_counter() - began, 4)


@contextmanager
def _platform() -> Iterator[tuple[TestClient, Any]]:
    with tempfile.TemporaryDirectory() as folder, postgres.run() as server:
        app = make_app(Settings(data=Path(folder), database=server.create()))
        schema.upgrade(app.state.engine)
        with app.state.sessions.begin() as session:
            team = Team(slug="bench", name="bench", max_runs_per_campaign=1_000_000)
            user = User(email="bench@example.org", name="bench", is_admin=True)
            session.add_all([team, user])
            session.flush()
            session.add(Membership(team_id=team.id, user_id=user.id, role="admin"))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            yield client, app
        app.state.engine.dispose()
