"""Finding runs, and what is known of one."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.resolved import Experiment
from weir.whatif import deciders
from weir_engine.perform import TRACEBACK
from weir_engine.states import FINISHED, OPEN

from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.campaigns.cell_events import events_of
from weir_orchestrator.api.paging import page_of
from weir_orchestrator.api.runs import metrics
from weir_orchestrator.api.runs.levels import combinations, levels_of
from weir_orchestrator.api.runs.queries import Only, listed
from weir_orchestrator.api.runs.schemas import (
    ClientMetrics,
    HistoryEntry,
    RunDetail,
    RunMetrics,
    RunOut,
)
from weir_orchestrator.db import Campaign, Combination, Result, Run
from weir_orchestrator.errors import NotFound
from weir_orchestrator.objects import ObjectStore, failed_prefix, running_prefix
from weir_orchestrator.recorded import RunFiles, files_of_key
from weir_orchestrator.recorded.combinations import Numbered

__all__ = [
    "campaign_of",
    "detail",
    "experiment_of",
    "files_of",
    "metrics_of",
    "page",
    "recorded_of",
    "run_of",
]


def campaign_of(session: Session, who: Principal, campaign_id: uuid.UUID) -> Campaign:
    """A campaign that the asker may read. Raises NotFound."""
    campaign = session.get(Campaign, campaign_id)
    who.require(campaign.team_id if campaign else None, "read", "campaign")
    assert campaign is not None
    return campaign


def run_of(session: Session, who: Principal, run_id: int) -> tuple[Run, Campaign]:
    """A run that the asker may read, and its campaign. Raises NotFound."""
    query = select(Run, Campaign).join(Campaign, Campaign.id == Run.campaign_id)
    found = session.execute(query.where(Run.id == run_id)).one_or_none()
    who.require(found[1].team_id if found else None, "read", "run")
    assert found is not None
    return found


def files_of(session: Session, objects: ObjectStore, run: Run) -> RunFiles:
    """What an ended run left. Raises NotFound while it has not ended."""
    if run.state in FINISHED:
        return files_of_key(session, objects, run.key)
    if run.state == "failed":
        return RunFiles(objects, failed_prefix(run.key))
    raise NotFound(f"run {run.id} is {run.state}: it has no files until it ended")


def recorded_of(session: Session, objects: ObjectStore, run: Run) -> RunFiles:
    """What a run recorded; of a running one, so far. Raises NotFound before it has begun."""
    if run.state == "running":
        return RunFiles(objects, running_prefix(run.key))
    return files_of(session, objects, run)


def page(
    session: Session,
    campaign: Campaign,
    states: Collection[str],
    asked: dict[str, frozenset[str]],
    only: Only,
    sort: str,
    names: Sequence[str],
    client: int | None,
    limit: int,
    cursor: str | None,
) -> tuple[list[RunOut], str | None]:
    """Runs of a campaign that fit, with the metrics named. Raises Unprocessable."""
    for name in names:
        metrics.require_metric(name)
    numbers = combinations(session, campaign, asked) if asked else None
    query = listed(session, campaign, states, numbers, only, sort, client, limit, cursor)
    rows, following = page_of(session, query, limit, cursor)
    runs: list[Run] = [row[0] for row in rows]
    levels = numbers or levels_of(session, campaign.id, {run.combination for run in runs})
    made = {run.result_id for run in runs if run.result_id is not None}
    values = metrics.by_result(session, made, names, client)
    return [_shown(run, levels, values, names) for run in runs], following


def detail(session: Session, objects: ObjectStore, run: Run, campaign: Campaign) -> RunDetail:
    """All about a run. Raises Unavailable."""
    levels = levels_of(session, campaign.id, {run.combination})
    made = select(Result.film_s, Result.size_bytes).where(Result.id == run.result_id)
    film_s, size_bytes = session.execute(made).one_or_none() or (None, None)
    kept: dict[str, Any] = {}
    trace = b""
    if run.state in {*FINISHED, "failed"}:
        names = ("run", "host", "checks", "commands")
        files = files_of(session, objects, run)
        found = files.documents(*(f"{name}.json" for name in names))
        kept = dict(zip(names, found, strict=True))
        if run.state == "failed":
            trace = files.content(TRACEBACK) or b""
    experiment = experiment_of(session, run)
    document, host = kept.get("run") or {}, kept.get("host") or {}
    history = [HistoryEntry(**entry) for entry in host.pop("history", None) or _history(run)]
    return RunDetail(
        **_shown(run, levels, {}, ()).model_dump(),
        campaign=campaign.name,
        history=history,
        film_s=film_s,
        size_bytes=size_bytes,
        kernel=document.get("kernel") or {},
        roles=document.get("roles") or {},
        host=host,
        traceback=trace.decode(errors="replace"),
        notes=document.get("notes") or [],
        checks=kept.get("checks") or [],
        commands=kept.get("commands") or [],
        experiment={**experiment},
        events=events_of(experiment),
        whatif_clients=deciders(experiment),
    )


def metrics_of(session: Session, run: Run) -> RunMetrics:
    """Its metrics. Raises NotFound unless it succeeded or is invalid."""
    content = session.scalar(select(Result.metrics).where(Result.id == run.result_id))
    if content is None:
        raise NotFound(f"run {run.id} is {run.state}: it has no metrics")
    return RunMetrics(
        run=content["run"],
        clients=[
            ClientMetrics(
                client=entry["client"],
                rank=entry["rank"],
                values={k: v for k, v in entry.items() if k not in {"client", "rank"}},
            )
            for entry in content["clients"]
        ],
        switch_steps=content.get("switch_steps") or [],
    )


def experiment_of(session: Session, run: Run) -> Experiment:
    """Its resolved experiment."""
    return session.get_one(Combination, (run.campaign_id, run.combination)).experiment


def _shown(
    run: Run, levels: Numbered, values: dict[int, dict[str, float]], names: Iterable[str]
) -> RunOut:
    own = values.get(run.result_id or 0, {})
    fields = {name: getattr(run, name) for name in RunOut.model_fields.keys() - _JOINED}
    of_run = levels.get(run.combination, {})
    return RunOut(**fields, levels=dict(of_run), metrics={name: own.get(name) for name in names})


_JOINED = {"levels", "metrics"}


def _history(run: Run) -> list[dict[str, Any]]:
    """As far as the run's own row tells it."""
    dated = [("queued", run.queued_at), ("running", run.started_at)]
    if run.state not in OPEN:
        dated.append((run.state, run.ended_at))
    return [
        {"state": state, "at": at, "reason": run.reason if state == run.state else ""}
        for state, at in dated
        if at is not None
    ]
