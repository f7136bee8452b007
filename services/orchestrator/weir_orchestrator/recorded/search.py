"""How far a campaign's search is, by its runs and the two metrics that decide."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.metrics import Metrics
from weir.spec.search import Search
from weir_engine.row import Row
from weir_engine.search.look import Look, looks
from weir_engine.search.most import most_runs

from weir_orchestrator.db import Campaign, Metric, ResultValues, Run
from weir_orchestrator.db.dialect import number_at
from weir_orchestrator.recorded.combinations import all_combinations

__all__ = ["Tally", "looks_of", "search_of", "tally"]

_COLUMNS: Final = (Run.key, Run.combination, Run.replicate, Run.seed, Run.state, Run.reason)


@dataclass(frozen=True)
class Tally:
    """How far a search is. most_runs: that it may come to. exceptions: levels beyond the found ones
    that fail."""

    subjects: int
    ended: int
    levels_tried: int
    most_runs: int
    exceptions: int


def search_of(campaign: Campaign) -> Search | None:
    """None: it does not search."""
    asked = campaign.spec.get("search")
    return Search.model_validate(asked) if asked else None


def looks_of(session: Session, campaign: Campaign, search: Search) -> list[Look]:
    """Of every subject, in the campaign's order."""
    levels = all_combinations(session, campaign.id)
    measured = _measured(session, campaign, search)
    runs = session.execute(
        select(*_COLUMNS, Run.result_id)
        .where(Run.campaign_id == campaign.id)
        .order_by(Run.position)
    )
    rows = [
        Row(
            key=key,
            levels=levels[combination],
            replicate=replicate,
            seed=seed,
            state=state,
            reason=reason,
            path=Path(),
            metrics=measured[result_id] if result_id is not None else None,
        )
        for key, combination, replicate, seed, state, reason, result_id in runs
    ]
    return looks(search, rows)


def tally(search: Search, looks: list[Look]) -> Tally:
    """Of all its subjects together."""
    return Tally(
        subjects=len(looks),
        ended=sum(look.end is not None for look in looks),
        levels_tried=sum(len(look.trials) for look in looks),
        most_runs=most_runs(search, 2 * sum(len(look.subject.replicates) for look in looks)),
        exceptions=sum(len(look.end.exceptions) for look in looks if look.end),
    )


def _measured(session: Session, campaign: Campaign, search: Search) -> dict[int, Metrics]:
    """Id of a result -> its metrics, of which the search reads no others."""
    wanted = [name for name in (search.passes.metric, search.start) if name]
    ids = dict(session.execute(select(Metric.name, Metric.id).where(Metric.name.in_(wanted))).all())
    query = (
        select(
            *(ResultValues.result_id, ResultValues.rank),
            *(number_at(ResultValues.numbers, number) for number in ids.values()),
        )
        .join(Run, Run.result_id == ResultValues.result_id)
        .where(Run.campaign_id == campaign.id)
    )
    found: dict[int, dict[int, dict[str, Any]]] = defaultdict(dict)
    for result_id, rank, *numbers in session.execute(query):
        named = zip(ids, numbers, strict=True)
        if known := {name: value for name, value in named if value is not None}:
            found[result_id][rank] = known
    metrics: dict[int, Metrics] = defaultdict(lambda: cast("Metrics", {"run": {}, "clients": []}))
    for result_id, by_rank in found.items():
        clients = [values for rank, values in by_rank.items() if rank > 0]
        metrics[result_id] = cast("Metrics", {"run": by_rank.get(0, {}), "clients": clients})
    return metrics
