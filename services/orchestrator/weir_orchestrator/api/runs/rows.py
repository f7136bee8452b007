"""Columns of runs, and a metric of each, out of their rows: of those that are in no block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, literal, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from weir_orchestrator.api.runs import metrics
from weir_orchestrator.db import Campaign, Result, ResultValues, Run
from weir_orchestrator.db.columns import among
from weir_orchestrator.db.packed import columns
from weir_orchestrator.recorded.blocks import Place
from weir_orchestrator.recorded.combinations import Numbered, of_combinations

__all__ = ["Name", "of_rows"]

Name = Literal["position", "run", "combination", "seed", "digest"]
"""Of a column, as in `Block`."""
_MOST_APART: Final = 2
"""In the mean, ids of results that are asked for by their range."""
_OF_RUNS: Final = {"run": Run.id, "combination": Run.combination, "seed": Run.seed}
_OF_RESULTS: Final = {"digest": Result.digest}


def of_rows(
    session: Session,
    campaign: Campaign,
    place: Place,
    numbers: Numbered | None,
    names: Sequence[Name],
    state: str,
    here: ColumnElement[bool] | None = None,
) -> list[NDArray[Any]]:
    """(n,) of each column, and the values last, in the campaign's order; runs without the metric
    are left out.

    numbers: only runs of these combinations. state: one of FINISHED. here: what else they fulfil.
    """
    of_runs = [each for each in names if each in _OF_RUNS]
    of_results = [each for each in names if each in _OF_RESULTS]
    query = select(Run.position, Run.result_id, *(_OF_RUNS[each] for each in of_runs))
    # The state stands in the statement: for any, Postgres would look at all of the campaign's runs.
    # That they have a result follows from it: said as well, it would look at all that have one.
    of_state = Run.state == literal(state, literal_execute=True)
    query = query.where(Run.campaign_id == campaign.id, of_state)
    if here is not None:
        query = query.where(here)
    if numbers is not None:
        query = query.where(of_combinations(numbers))
    position, results, *own = columns(session, query)
    values, *others = _of_results(session, place, results, [_OF_RESULTS[n] for n in of_results])
    in_order = np.argsort(position)
    in_order = in_order[~np.isnan(values[in_order])]
    found = {
        "position": position,
        **dict(zip(of_runs, own, strict=True)),
        **dict(zip(of_results, others, strict=True)),
    }
    return [column[in_order] for column in (*(found[each] for each in names), values)]


def _of_results(
    session: Session,
    place: Place,
    results: NDArray[np.int64],
    wanted: Sequence[InstrumentedAttribute[int]],
) -> list[NDArray[Any]]:
    """(n,) of each its value, NaN: it has none; then these of its columns."""
    if not len(results):
        return [np.zeros(0), *(np.zeros(0, np.int64) for _ in wanted)]
    ids, of_run = np.unique(results, return_inverse=True)
    measured = metrics.values(place, _is_one_of(ResultValues.result_id, ids))
    query = select(measured.c.result_id, measured.c.value)
    if wanted:
        joined = query.join(Result, Result.id == measured.c.result_id).add_columns(*wanted)
        query = joined.where(_is_one_of(Result.id, ids))
    found, value, *own = columns(session, query)
    at = np.searchsorted(ids, found)
    ours = ids[at] == found
    values = np.full(len(ids), np.nan)
    others = [np.zeros(len(ids), np.int64) for _ in wanted]
    for of_all, of_found in zip((values, *others), (value, *own), strict=True):
        of_all[at[ours]] = of_found[ours]
    return [each[of_run] for each in (values, *others)]


def _is_one_of(column: InstrumentedAttribute[int], ids: NDArray[np.int64]) -> ColumnElement[bool]:
    """Or one of few others. ids: rising.

    A campaign's results mostly stand together, and are read soonest by their range; but runs that
    share results of earlier campaigns have others far away, with all results between them."""
    least, most = int(ids[0]), int(ids[-1])
    if most - least > _MOST_APART * len(ids):
        return among(column, ids.tolist())
    return metrics.within(column, least, most)
