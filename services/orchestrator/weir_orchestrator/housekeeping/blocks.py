"""Making blocks: columns of a large campaign's runs, once these have ended.

A block has a row before it is made. Whoever changes runs that have ended holds their campaign and
removes its blocks; the row is written while nobody holds it. So none keeps what was before.
"""

from __future__ import annotations

import math
import uuid
from datetime import timedelta
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.states import OPEN

from weir_orchestrator.db import Block, BlockValues, Campaign, Metric, Result, ResultValues, Run
from weir_orchestrator.db.blocks import BLOCK_RUNS, OVER_CLIENTS
from weir_orchestrator.db.dialect import now, number_at
from weir_orchestrator.db.packed import columns

__all__ = ["make_next"]

_MOST_ROWS: Final = 10 * BLOCK_RUNS
"""Of runs and their clients: where a run has many of these, few such runs fill a database."""
_TRIED_AGAIN_AFTER: Final = timedelta(minutes=10)
_COLUMNS: Final = {
    "position": Run.position,
    "run": Run.id,
    "combination": Run.combination,
    "seed": Run.seed,
    "digest": Result.digest,
}
_NONE: Final = math.inf
"""In place of null, which columns cannot have; JSON has no such number."""


class _Due(NamedTuple):
    campaign_id: uuid.UUID
    number: int


def make_next(
    sessions: sessionmaker[Session], block_runs: int = BLOCK_RUNS, most_rows: int = _MOST_ROWS
) -> bool:
    """Make a block of some campaign whose runs have ended, if any; whether there was one.

    most_rows: of such runs and their clients; of more none is made.
    """
    with sessions() as session:
        due = _due(session, block_runs)
    if due is None or not _begin(sessions, due, block_runs):
        return False
    with sessions.begin() as session:
        own, values = _read(session, due, block_runs, most_rows)
        filled = update(Block).where(*_is(due), Block.run.is_(None)).values(own)
        if own and session.execute(filled.returning(Block.number)).first() is not None and values:
            session.execute(insert(BlockValues), values)
    return True


def _due(session: Session, block_runs: int) -> _Due | None:
    """One that nobody finished, or the next of a campaign that has fewer than it could have."""
    left = select(Block.campaign_id, Block.number).where(
        Block.run.is_(None), Block.made_at < now(session) - _TRIED_AGAIN_AFTER
    )
    if again := session.execute(left.limit(1)).first():
        return _Due(*again)
    made = select(func.count()).where(Block.campaign_id == Campaign.id).scalar_subquery()
    query = select(Campaign.id, made).where(
        Campaign.expanded >= block_runs, (made + 1) * block_runs <= Campaign.expanded
    )
    for campaign_id, number in session.execute(query):
        here = _here(campaign_id, number, block_runs)
        some = select(Run.id).where(here, Run.state.in_(OPEN)).limit(1)
        if session.scalar(some) is None:
            return _Due(campaign_id, number)
    return None


def _begin(sessions: sessionmaker[Session], due: _Due, block_runs: int) -> bool:
    """Write that it is being made; False where the campaign is gone."""
    with sessions.begin() as session:
        held = select(Campaign.id).where(Campaign.id == due.campaign_id).with_for_update()
        if session.scalar(held) is None:
            return False
        session.execute(delete(Block).where(*_is(due)))
        end = (due.number + 1) * block_runs
        session.add(Block(campaign_id=due.campaign_id, number=due.number, end=end))
    return True


def _read(
    session: Session, due: _Due, block_runs: int, most_rows: int
) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """What `Block` and `BlockValues` have; nothing where that would be too much."""
    here = _here(due.campaign_id, due.number, block_runs)
    succeeded = select(Run.result_id).where(here, Run.state == "succeeded")
    of_rank = dict(
        session.execute(
            select(ResultValues.rank, func.count())
            .where(ResultValues.result_id.in_(succeeded))
            .group_by(ResultValues.rank)
        ).all()
    )
    if sum(of_rank.values()) > most_rows:
        return {}, []
    query = select(*_COLUMNS.values()).join(Result, Result.id == Run.result_id)
    of_runs = columns(session, query.where(here, Run.state == "succeeded"))
    order = np.argsort(of_runs[0])
    own = {each: column[order] for each, column in zip(_COLUMNS, of_runs, strict=True)}
    found: dict[tuple[int, int], NDArray[np.float64]] = {}
    ids = session.scalars(select(Metric.id)).all()
    for rank in of_rank:
        for metric_id, value in _of_rank(session, here, ids, rank, own["position"]).items():
            found[rank, metric_id] = value
    for metric_id in ids:
        several = [each for (rank, number), each in found.items() if rank and number == metric_id]
        if several:
            found[OVER_CLIENTS, metric_id] = _mean(several)
    named = due._asdict()
    values = [
        {**named, "rank": rank, "metric_id": metric_id, "packed": value.tobytes()}
        for (rank, metric_id), value in found.items()
    ]
    return {each: column.tobytes() for each, column in own.items()}, values


def _of_rank(
    session: Session,
    here: ColumnElement[bool],
    ids: Any,
    rank: int,
    positions: NDArray[np.int64],
) -> dict[int, NDArray[np.float64]]:
    """Metric -> (n,) of the runs at these positions; NaN: it has none. Without those of no run."""
    numbers = [func.coalesce(number_at(ResultValues.numbers, each), _NONE) for each in ids]
    query = select(Run.position, *numbers).join(
        ResultValues, ResultValues.result_id == Run.result_id
    )
    own = columns(session, query.where(here, Run.state == "succeeded", ResultValues.rank == rank))
    at = np.searchsorted(positions, own[0])
    found = {}
    for metric_id, values in zip(ids, own[1:], strict=True):
        placed = np.full(len(positions), np.nan)
        placed[at] = np.where(np.isinf(values), np.nan, values)
        if not np.isnan(placed).all():
            found[metric_id] = placed
    return found


def _mean(several: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Of those that are known."""
    values = np.stack(several)
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0.0).sum(axis=0)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _here(campaign_id: uuid.UUID, number: int, block_runs: int) -> ColumnElement[bool]:
    first = number * block_runs
    return (Run.campaign_id == campaign_id) & Run.position.between(first, first + block_runs - 1)


def _is(due: _Due) -> tuple[ColumnElement[bool], ...]:
    return Block.campaign_id == due.campaign_id, Block.number == due.number
