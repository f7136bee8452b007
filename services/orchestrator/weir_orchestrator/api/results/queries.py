"""A metric of every run that succeeded, as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir_engine.states import STATES

from weir_orchestrator.api.runs import metrics
from weir_orchestrator.api.runs.rows import Name, of_rows
from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.lifecycle import count_states
from weir_orchestrator.recorded.blocks import in_blocks
from weir_orchestrator.recorded.combinations import Numbered, of_combinations

__all__ = ["Measured", "measured", "states"]

_SUCCEEDED: Final = "succeeded"


@dataclass(frozen=True)
class Measured:
    """(n,) numbers in the campaign's order; a run without the metric is left out.

    columns: the combination and what else was asked for, as in `Block`. Runs of one digest are the
    same.
    """

    columns: Mapping[Name, NDArray[np.int64]]
    value: NDArray[np.float64]


def measured(
    session: Session,
    campaign: Campaign,
    name: str,
    client: int | None,
    numbers: Numbered | None,
    *asked: Name,
) -> Measured:
    """asked: columns beside the combination. numbers: only runs of these combinations.

    Raises Unprocessable.
    """
    metrics.require_metric(name)
    place = metrics.place_of(session, name, client)
    names: list[Name] = ["combination", *asked]
    kept = in_blocks(session, campaign.id, place, names)
    known = ~np.isnan(kept.values)
    if numbers is not None:
        known &= np.isin(kept.columns["combination"], list(numbers))
    found = Measured({each: kept.columns[each][known] for each in names}, kept.values[known])
    if kept.end and kept.end >= campaign.expanded:
        return found
    here = kept.later() if kept.end else None
    *rest, values = of_rows(session, campaign, place, numbers, names, _SUCCEEDED, here)
    return Measured(
        {
            each: np.concatenate((found.columns[each], own))
            for each, own in zip(names, rest, strict=True)
        },
        np.concatenate((found.value, values)),
    )


def states(session: Session, campaign: Campaign, numbers: Numbered | None) -> Counter[str]:
    """Runs by state, of all but those that succeeded."""
    if numbers is None:
        counts = Counter(count_states(session, [campaign.id])[campaign.id])
        del counts[_SUCCEEDED]
        return counts
    # Named one by one, as an index finds these: all but one would be looked for in all of it.
    others = [state for state in STATES if state != _SUCCEEDED]
    query = select(Run.state, func.count()).where(Run.campaign_id == campaign.id)
    query = query.where(Run.state.in_(others), of_combinations(numbers))
    return Counter(dict(session.execute(query.group_by(Run.state)).all()))
