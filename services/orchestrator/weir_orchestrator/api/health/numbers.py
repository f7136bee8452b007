"""Numbers for Prometheus at /metrics: requests served, and the platform's state when asked.

No label names a team, a user or a campaign: who may scrape need not be who may see those.
"""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from prometheus_fastapi_instrumentator import Instrumentator
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import IS_QUEUED, Campaign, Lease, Result, Run, Worker

__all__ = ["install"]

_BY_STATE: tuple[tuple[str, str, str, Select[str, int]], ...] = (
    (
        "weir_campaigns",
        "Campaigns by state.",
        "state",
        select(Campaign.state, func.count()).group_by(Campaign.state),
    ),
    (
        "weir_workers",
        "Workers by state.",
        "state",
        select(Worker.state, func.count()).group_by(Worker.state),
    ),
    (
        "weir_results",
        "Finished run keys by outcome.",
        "outcome",
        select(Result.outcome, func.count()).group_by(Result.outcome),
    ),
)
_TOTALS: tuple[tuple[str, str, Select[int]], ...] = (
    (
        "weir_runs_queued",
        "Runs that wait for a worker.",
        select(func.count()).select_from(Run).where(IS_QUEUED),
    ),
    ("weir_runs_running", "Runs that a worker holds.", select(func.count()).select_from(Lease)),
    (
        "weir_stored_bytes",
        "Bytes of all results.",
        select(func.coalesce(func.sum(Result.size_bytes), 0)),
    ),
)


def install(app: FastAPI, sessions: sessionmaker[Session]) -> None:
    """Count the app's requests, and answer /metrics."""
    registry = CollectorRegistry()
    registry.register(_Platform(sessions))
    Instrumentator(
        registry=registry, should_group_status_codes=False, excluded_handlers=["/metrics"]
    ).instrument(app)

    def metrics(request: Request) -> Response:
        return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)

    app.add_route("/metrics", metrics, methods=["GET"], include_in_schema=False)


class _Platform(Collector):
    def __init__(self, sessions: sessionmaker[Session]) -> None:
        self._sessions = sessions

    def describe(self) -> Iterable[Metric]:
        """Nothing: registering must not ask the database."""
        return ()

    def collect(self) -> Iterable[Metric]:
        with self._sessions() as session:
            for name, about, label, query in _BY_STATE:
                family = GaugeMetricFamily(name, about, labels=[label])
                for value, count in session.execute(query):
                    family.add_metric([value], count)
                yield family
            for name, about, total in _TOTALS:
                yield GaugeMetricFamily(name, about, value=session.scalar(total))
