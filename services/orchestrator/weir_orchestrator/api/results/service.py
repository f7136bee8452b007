"""Questions over many runs."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.api.results import queries
from weir_orchestrator.api.results.compare import contrasts, differences, pairs
from weir_orchestrator.api.results.groups import (
    QUANTILES,
    by_levels,
    listings,
    share_between,
    summed_up,
)
from weir_orchestrator.api.results.pairing import COMPARED
from weir_orchestrator.api.results.schemas import (
    Aggregate,
    Comparison,
    Contrasts,
    Effect,
    Effects,
    RunComparison,
    Values,
    metric_out,
)
from weir_orchestrator.api.runs.levels import combinations, require_factor
from weir_orchestrator.api.runs.service import experiment_of
from weir_orchestrator.db import Campaign, Result, Run
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.recorded.collection import not_collected

__all__ = ["aggregate", "compare", "compare_runs", "contrast", "effects", "values"]

Chosen = dict[str, frozenset[str]]


def aggregate(
    session: Session,
    campaign: Campaign,
    chosen: Chosen,
    metric: str,
    client: int | None,
    rows: str | None,
    columns: str | None,
) -> Aggregate:
    """Raises Unprocessable."""
    factors = _factors(campaign, rows=rows, columns=columns)
    levels = combinations(session, campaign, chosen)
    numbers = levels if chosen else None
    found = queries.measured(session, campaign, metric, client, numbers, "digest")
    return Aggregate(
        campaign_id=campaign.id,
        metric=metric_out(metric),
        client=client,
        rows=rows,
        columns=columns,
        quantiles=list(QUANTILES),
        groups=summed_up(by_levels(found, levels, factors), found),
        not_averaged=dict(queries.states(session, campaign, numbers)),
    )


def effects(session: Session, campaign: Campaign, metric: str, client: int | None) -> Effects:
    """Raises Unprocessable."""
    levels = combinations(session, campaign)
    found = queries.measured(session, campaign, metric, client, None)
    shares = [
        Effect(factor=path, share=share_between(by_levels(found, levels, [path]), found))
        for path in campaign.factors
    ]
    return Effects(
        campaign_id=campaign.id,
        metric=metric_out(metric),
        client=client,
        effects=sorted(shares, key=lambda each: -(each.share or 0.0)),
    )


def values(
    session: Session,
    campaign: Campaign,
    chosen: Chosen,
    metric: str,
    client: int | None,
    rows: str | None,
    columns: str | None,
    most: int,
) -> Values:
    """Raises Unprocessable."""
    factors = _factors(campaign, rows=rows, columns=columns)
    levels = combinations(session, campaign, chosen)
    numbers = levels if chosen else None
    found = queries.measured(session, campaign, metric, client, numbers, "run", "digest")
    return Values(
        campaign_id=campaign.id,
        metric=metric_out(metric),
        client=client,
        groups=list(listings(by_levels(found, levels, factors), found, most)),
    )


def compare(
    session: Session, a: Campaign, b: Campaign, metric: str, client: int | None
) -> Comparison:
    """Raises Unprocessable."""
    factors = [path for path in a.factors if path in b.factors]
    sides = [
        (
            queries.measured(session, each, metric, client, None, *COMPARED),
            combinations(session, each),
        )
        for each in (a, b)
    ]
    with not_collected():
        found, only_a, only_b = pairs(sides[0], sides[1], factors, metric)
    return Comparison(
        a=a.id,
        b=b.id,
        metric=metric_out(metric),
        client=client,
        factors=factors,
        pairs=found,
        only_a=only_a,
        only_b=only_b,
    )


def contrast(
    session: Session,
    campaign: Campaign,
    chosen: Chosen,
    metric: str,
    client: int | None,
    factors: dict[str, str | None],
    base: dict[str, str],
) -> Contrasts:
    """factors: rows and columns; base: row and column, the levels of the group to compare with.

    Raises Unprocessable.
    """
    paths = _factors(campaign, **factors)
    at = {path: base[_LEVEL_OF[field]] for field, path in factors.items() if path is not None}
    levels = combinations(session, campaign, chosen)
    numbers = levels if chosen else None
    found = queries.measured(session, campaign, metric, client, numbers, *COMPARED)
    compared = contrasts((found, levels), paths, tuple(at.values()), metric)
    if compared is None:
        allowed = "levels of rows and columns at which a run succeeded"
        wrong = [
            FieldProblem(path=_LEVEL_OF[field], value=at[path], allowed=allowed)
            for field, path in factors.items()
            if path is not None
        ]
        raise Unprocessable(
            "there is no such group", wrong or [FieldProblem(path="metric", value=metric)]
        )
    return Contrasts(
        campaign_id=campaign.id,
        metric=metric_out(metric),
        client=client,
        rows=factors["rows"],
        columns=factors["columns"],
        base=at,
        pairs=compared,
    )


_LEVEL_OF: Final = {"rows": "row", "columns": "column"}


def compare_runs(
    session: Session, a: tuple[Run, Campaign], b: tuple[Run, Campaign]
) -> RunComparison:
    """Of runs in any state; metrics of those that have some."""
    return RunComparison(
        a=a[0].id,
        b=b[0].id,
        parameters=differences(_parameters(session, *a), _parameters(session, *b)),
        metrics=differences(_metrics(session, a[0]), _metrics(session, b[0])),
    )


def _factors(campaign: Campaign, **asked: str | None) -> list[str]:
    named = {field: path for field, path in asked.items() if path is not None}
    for field, path in named.items():
        require_factor(campaign, path, field)
    return list(dict.fromkeys(named.values()))


def _parameters(session: Session, run: Run, campaign: Campaign) -> dict[str, object]:
    built = {"kernel_hash": campaign.kernel_hash, "roles_hash": campaign.roles_hash}
    # As text: readers in JavaScript would round a number of more than 53 bits.
    return {"seed": str(run.seed), **built, **experiment_of(session, run)}


def _metrics(session: Session, run: Run) -> dict[str, object]:
    metrics = session.scalar(select(Result.metrics).where(Result.id == run.result_id))
    if metrics is None:
        return {}
    clients = {str(entry["rank"]): entry for entry in metrics["clients"]}
    return {**metrics["run"], "client": clients}
