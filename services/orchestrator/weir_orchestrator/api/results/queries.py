"""A metric of every run that succeeded, as columns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir_engine.states import STATES

from weir_orchestrator.api.runs import metrics
from weir_orchestrator.db import Campaign, Result, Run
from weir_orchestrator.db.packed import columns
from weir_orchestrator.recorded.combinations import Numbered, of_combinations

__all__ = ["Measured", "measured", "states"]

_SUCCEEDED = "succeeded"
_COLUMNS = ("run", "combination", "seed", "digest")


@dataclass(frozen=True)
class Measured:
    """(n,) columns in the campaign's order; a run without the metric is left out.

    digest: of the run's result; runs of one digest are the same.
    """

    run: NDArray[np.int64]
    combination: NDArray[np.int64]
    seed: NDArray[np.int64]
    digest: NDArray[np.int64]
    value: NDArray[np.float64]

    def of(self, rows: NDArray[np.intp]) -> Measured:
        """Some of them."""
        return Measured(
            self.run[rows],
            self.combination[rows],
            self.seed[rows],
            self.digest[rows],
            self.value[rows],
        )

    def distinct(self) -> int:
        """How many different runs they are."""
        return len(np.unique(self.digest))


def measured(
    session: Session, campaign: Campaign, name: str, client: int | None, numbers: Numbered | None
) -> Measured:
    """numbers: only runs of these combinations. Raises Unprocessable."""
    metrics.require_metric(name)
    kept = metrics.in_blocks_of(session, campaign, name, client, _COLUMNS)
    known = ~np.isnan(kept.values)
    if numbers is not None:
        known &= np.isin(kept.columns["combination"], list(numbers))
    first = (*(kept.columns[each][known] for each in _COLUMNS), kept.values[known])
    rest = _of_rows(session, campaign, name, client, numbers, kept.end)
    return Measured(*(np.concatenate(both) for both in zip(first, rest, strict=True)))


def _of_rows(
    session: Session,
    campaign: Campaign,
    name: str,
    client: int | None,
    numbers: Numbered | None,
    from_position: int,
) -> list[NDArray[Any]]:
    """The columns of `Measured`, of the runs from a position on."""
    here = Run.position >= from_position if from_position else None
    values = metrics.values(session, campaign, name, client, here)
    query = (
        select(Run.position, Run.id, Run.combination, Run.seed, Result.digest, values.c.value)
        .join(values, values.c.result_id == Run.result_id)
        .join(Result, Result.id == Run.result_id)
        .where(Run.campaign_id == campaign.id, Run.state == _SUCCEEDED)
    )
    if here is not None:
        query = query.where(here)
    if numbers is not None:
        query = query.where(of_combinations(numbers))
    position, *found = columns(session, query)
    in_order = np.argsort(position)
    return [column[in_order] for column in found]


def states(session: Session, campaign: Campaign, numbers: Numbered | None) -> Counter[str]:
    """Runs by state, of all but those that succeeded."""
    # Named one by one, as an index finds these: all but one would be looked for in all of it.
    others = [state for state in STATES if state != _SUCCEEDED]
    query = select(Run.state, func.count()).where(Run.campaign_id == campaign.id)
    query = query.where(Run.state.in_(others))
    if numbers is not None:
        query = query.where(of_combinations(numbers))
    return Counter(dict(session.execute(query.group_by(Run.state)).all()))
