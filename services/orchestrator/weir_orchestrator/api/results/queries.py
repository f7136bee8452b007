"""A metric of every run that succeeded, as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session
from weir_engine.states import STATES

from weir_orchestrator.api.runs import metrics
from weir_orchestrator.db import Campaign, Result, ResultValues, Run
from weir_orchestrator.db.columns import among
from weir_orchestrator.db.packed import columns
from weir_orchestrator.recorded.blocks import Place, in_blocks
from weir_orchestrator.recorded.combinations import Numbered, of_combinations

__all__ = ["Measured", "measured", "states"]

_SUCCEEDED = "succeeded"
Name = Literal["run", "combination", "seed", "digest"]
_MOST_APART: Final = 2
"""In the mean, ids of results that are asked for by their range."""
_OF_RUNS: Final = {"run": Run.id, "combination": Run.combination, "seed": Run.seed}


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
    *rest, values = _of_rows(session, campaign, place, numbers, names, here)
    return Measured(
        {
            each: np.concatenate((found.columns[each], own))
            for each, own in zip(names, rest, strict=True)
        },
        np.concatenate((found.value, values)),
    )


def _of_rows(
    session: Session,
    campaign: Campaign,
    place: Place,
    numbers: Numbered | None,
    names: Sequence[Name],
    here: ColumnElement[bool] | None,
) -> list[NDArray[Any]]:
    """Columns and values of the runs that fulfil this."""
    of_runs = [each for each in names if each != "digest"]
    query = select(Run.position, Run.result_id, *(_OF_RUNS[each] for each in of_runs))
    query = query.where(
        Run.campaign_id == campaign.id, Run.state == _SUCCEEDED, Run.result_id.is_not(None)
    )
    if here is not None:
        query = query.where(here)
    if numbers is not None:
        query = query.where(of_combinations(numbers))
    position, results, *own = columns(session, query)
    digests, values = _of_results(session, place, results)
    in_order = np.argsort(position)
    in_order = in_order[~np.isnan(values[in_order])]
    found = {**dict(zip(of_runs, own, strict=True)), "digest": digests}
    return [column[in_order] for column in (*(found[each] for each in names), values)]


def _of_results(
    session: Session, place: Place, results: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(n,) of each its digest, and its value; NaN: it has none."""
    if not len(results):
        return np.zeros(0, np.int64), np.zeros(0)
    ids, of_run = np.unique(results, return_inverse=True)
    measured = metrics.values(place, _is_one_of(ResultValues.result_id, ids))
    query = select(Result.id, Result.digest, measured.c.value)
    query = query.join(measured, measured.c.result_id == Result.id)
    found, digest, value = columns(session, query.where(_is_one_of(Result.id, ids)))
    at = np.searchsorted(ids, found)
    ours = ids[at] == found
    digest_of, value_of = np.zeros(len(ids), np.int64), np.full(len(ids), np.nan)
    digest_of[at[ours]], value_of[at[ours]] = digest[ours], value[ours]
    return digest_of[of_run], value_of[of_run]


def _is_one_of(column: InstrumentedAttribute[int], ids: NDArray[np.int64]) -> ColumnElement[bool]:
    """Or one of few others. ids: rising.

    A campaign's results mostly stand together, and are read soonest by their range; but runs that
    share results of earlier campaigns have others far away, with all results between them."""
    least, most = int(ids[0]), int(ids[-1])
    if most - least > _MOST_APART * len(ids):
        return among(column, ids.tolist())
    return metrics.within(column, least, most)


def states(session: Session, campaign: Campaign, numbers: Numbered | None) -> Counter[str]:
    """Runs by state, of all but those that succeeded."""
    # Named one by one, as an index finds these: all but one would be looked for in all of it.
    others = [state for state in STATES if state != _SUCCEEDED]
    query = select(Run.state, func.count()).where(Run.campaign_id == campaign.id)
    query = query.where(Run.state.in_(others))
    if numbers is not None:
        query = query.where(of_combinations(numbers))
    return Counter(dict(session.execute(query.group_by(Run.state)).all()))
