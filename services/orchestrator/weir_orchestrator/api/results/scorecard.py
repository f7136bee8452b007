"""Every metric of a campaign against one level of a factor: what the factor does to each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy.orm import Session
from weir.metrics import CATALOG
from weir_engine.levels import text

from weir_orchestrator.api.results import queries
from weir_orchestrator.api.results.compare import paired
from weir_orchestrator.api.results.pairing import COMPARED, Column, levelled, pooled_levels
from weir_orchestrator.api.results.schemas import Score, Scorecard, metric_out
from weir_orchestrator.api.runs.levels import combinations, require_factor
from weir_orchestrator.api.runs.metrics import require_metric
from weir_orchestrator.db import Campaign
from weir_orchestrator.errors import FieldProblem, Unprocessable

__all__ = ["scorecard"]

MOST_PAIRS: Final = 20_000


def scorecard(
    session: Session,
    campaign: Campaign,
    chosen: dict[str, frozenset[str]],
    factor: str,
    level: str,
    by: Sequence[str] | None,
    names: Sequence[str],
    client: int | None,
) -> Scorecard:
    """by: factors whose levels are kept apart, default all others; the rest is pooled.

    names: metrics; none: all that any run has. Raises Unprocessable.
    """
    for path, field in [(factor, "factor"), *((path, "by") for path in by or ())]:
        require_factor(campaign, path, field)
    for name in names:
        require_metric(name)
    apart = [path for path in (campaign.factors if by is None else by) if path != factor]
    levels = combinations(session, campaign, chosen)
    asked = list(names) or list(CATALOG)
    _require_level(levels.values(), factor, level)
    groups = len({tuple(text(own[path]) for path in (*apart, factor)) for own in levels.values()})
    if groups * len(asked) > MOST_PAIRS:
        raise _too_many(groups * len(asked))
    kept = [*apart, factor]
    pooled = pooled_levels(levels, kept)
    pairs: list[tuple[Column, Column]] = []
    of: list[str] = []
    for name in asked:
        numbers = levels if chosen else None
        found = queries.measured(session, campaign, name, client, numbers, *COMPARED)
        columns = levelled((found, levels), kept, pooled)
        for key, column in columns.items():
            base = columns.get((*key[:-1], level))
            if key[-1] != level and base is not None:
                pairs.append((base, column))
                of.append(name)
    scored = [
        Score(metric=name, **pair.model_dump())
        for name, pair in zip(of, paired(pairs, of), strict=True)
    ]
    return Scorecard(
        campaign_id=campaign.id,
        client=client,
        factor=factor,
        level=level,
        by=apart,
        metrics=[metric_out(name) for name in asked if name in {*of}],
        scores=scored,
    )


def _require_level(found: Any, factor: str, level: str) -> None:
    known = list(dict.fromkeys(text(own[factor]) for own in found))
    if level not in known:
        problem = FieldProblem(path="against", value=level, allowed=", ".join(known) or "none")
        raise Unprocessable("1 problem", [problem])


def _too_many(pairs: int) -> Unprocessable:
    problem = FieldProblem(
        path="by",
        value=f"{pairs} comparisons",
        allowed=f"at most {MOST_PAIRS}",
        remedy="name fewer factors or metrics, or fix levels by level.<factor>",
    )
    return Unprocessable("1 problem", [problem])
