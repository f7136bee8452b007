"""A campaign's results as CSV: a row per run and client, written as it is read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker
from weir.metrics import CATALOG
from weir_engine.csv_text import inert
from weir_engine.row import Row, flat

from weir_orchestrator.db import Campaign, Result, Run
from weir_orchestrator.recorded.combinations import Numbered, of_combinations

__all__ = ["csv_of"]

_AT_ONCE: Final = 500


def csv_of(
    sessions: sessionmaker[Session], campaign: Campaign, levels: Numbered, states: set[str]
) -> Iterator[str]:
    """Lines, the names first. Every part is read in a transaction of its own."""
    names = _names(campaign)
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, names, restval="", extrasaction="ignore")
    writer.writerow({name: inert(name) for name in names})
    after = -1
    while True:
        with sessions() as session:
            rows = _read(session, campaign, levels, states, after)
        for _, row in rows:
            writer.writerows(
                {name: inert(value) for name, value in line.items()}
                for line in flat(campaign.name, row)
            )
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
        if len(rows) < _AT_ONCE:
            return
        after = rows[-1][0]


def _read(
    session: Session, campaign: Campaign, levels: Numbered, states: set[str], after: int
) -> list[tuple[int, Row]]:
    query = (
        select(Run, Result.metrics)
        .join(Result, Result.id == Run.result_id)
        .where(Run.campaign_id == campaign.id, Run.state.in_(states), Run.position > after)
        .where(of_combinations(levels))
        .order_by(Run.position)
        .limit(_AT_ONCE)
    )
    return [(run.position, _row(run, levels, metrics)) for run, metrics in session.execute(query)]


def _row(run: Run, levels: Numbered, metrics: Any) -> Row:
    own = levels[run.combination]
    return Row(run.key, own, run.replicate, run.seed, run.state, run.reason, Path(), metrics)


def _names(campaign: Campaign) -> list[str]:
    """The same columns whatever was measured, so that parts and campaigns fit together."""
    head = ["campaign", "key", "replicate", "seed", "outcome", *campaign.factors]
    clients = [name for name, info in CATALOG.items() if info.scope == "client"]
    runs = [name for name, info in CATALOG.items() if info.scope == "run"]
    return [*head, "client", "rank", *clients, *runs]
