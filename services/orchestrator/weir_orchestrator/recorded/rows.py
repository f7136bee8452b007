"""A campaign's runs as rows of a report or of a comparison."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import msgspec
from sqlalchemy import Text, func, select
from sqlalchemy import cast as as_type
from sqlalchemy.orm import Session
from weir_engine.row import Row
from weir_engine.search.results import results

from weir_orchestrator.db import Campaign, Result, Run
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.recorded.combinations import Numbered, of_combinations
from weir_orchestrator.recorded.files import RunFiles
from weir_orchestrator.recorded.kept import files_of_campaign
from weir_orchestrator.recorded.search import search_of

if TYPE_CHECKING:
    from weir.metrics import Metrics

__all__ = ["rows_of", "rows_with_files"]

MOST_RUNS: Final = 50_000
"""All their metrics are held in memory: about 10 kB each."""
_COLUMNS: Final = (
    *(Run.key, Run.combination, Run.replicate, Run.seed, Run.clock, Run.state, Run.reason),
    # Read here, by what reads JSON three times as fast as the standard library does.
    *(as_type(Result.metrics, Text), Result.digest),
)
_NOWHERE: Final = Path()
_NOT_PICTURED: Final = frozenset(
    f"{name}.parquet"
    for name in (
        *("queue", "queue_10ms", "queue_seconds", "upstream", "upstream_10ms", "upstream_seconds"),
        *("retransmits", "tcp_seconds"),
    )
)


def rows_of(session: Session, campaign: Campaign, levels: Numbered) -> list[Row]:
    """The runs of these combinations in order, with their numbers and without their directories;
    of a search its results (`weir_engine.search.results`), as `weir_engine.rows` has them.

    Raises Unprocessable for more runs than one report can hold.
    """
    here = (Run.campaign_id == campaign.id) & of_combinations(levels)
    if (session.scalar(select(func.count()).where(here)) or 0) > MOST_RUNS:
        problem = FieldProblem(
            path="level", allowed=f"up to {MOST_RUNS} runs", remedy="choose levels of a factor"
        )
        raise Unprocessable("1 problem", [problem])
    query = select(*_COLUMNS).outerjoin(Result, Result.id == Run.result_id).where(here)
    found = session.execute(query.order_by(Run.position))
    decode = msgspec.json.Decoder().decode
    rows = [
        Row(
            key=key,
            levels=levels[combination],
            replicate=replicate,
            seed=seed,
            state=state,
            reason=reason,
            path=_NOWHERE,
            metrics=cast("Metrics", decode(metrics)) if metrics else None,
            kept_digest=digest,
            clock=clock,
        )
        for key, combination, replicate, seed, clock, state, reason, metrics, digest in found
    ]
    search = search_of(campaign)
    return results(search, rows) if search else rows


def rows_with_files(
    session: Session, objects: ObjectStore, campaign: Campaign, levels: Numbered, scratch: Path
) -> list[Row]:
    """The same, whose run directories come below `scratch` when they are asked for.

    Raises Unprocessable.
    """
    files_of = files_of_campaign(session, objects, campaign.id)
    return [
        replace(
            row,
            path=scratch / row.key,
            bring=partial(_bring, files_of(row.key), scratch / row.key),
        )
        for row in rows_of(session, campaign, levels)
    ]


def _bring(files: RunFiles, folder: Path, name: str | None) -> None:
    wanted = [name] if name else [each for each in files.listed() if each not in _NOT_PICTURED]
    files.fetch(folder, [each for each in wanted if not (folder / each).exists()])
