"""Ending the runs of many keys at once, each by the result that its key got."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.db.base import printable
from weir_orchestrator.db.columns import ColumnsUpdate, among
from weir_orchestrator.db.dialect import clock
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.runs import drop_blocks, hold_campaigns, tell_ends

__all__ = ["Ending", "end_with_results"]

_WAITING: Final = (
    select(
        *(Run.id, Run.campaign_id, Run.position, Run.key, Run.state, Run.wall_s), Campaign.team_id
    )
    .join(Campaign, Campaign.id == Run.campaign_id)
    .where(
        among(Run.key, "of_keys"),
        Run.state.in_({*table.SUCCEED.old, *table.REPLACE.old}),
        ~Run.certifies,
    )
    .order_by(Run.id)
    .with_for_update(of=Run)
)
_END: Final = ColumnsUpdate(
    Run,
    "id",
    ("state", "reason", "result_id", "wall_s"),
    {"replaces": False, "ended_at": clock()},
)


@dataclass(frozen=True)
class Ending:
    """The result that a key got: by SUCCEED or REPLACE, succeeded or invalid.

    run_id: of the run that was carried out, in wall_s; others of its key took no time.
    """

    by: table.Transition
    outcome: str
    reason: str
    result_id: int
    run_id: int
    wall_s: float


def end_with_results(session: Session, results: Mapping[str, Ending]) -> set[uuid.UUID]:
    """End every run that waits for one of these keys, with an event each; their campaigns.

    Runs that certify a result end apart. `settle_if_over` of the campaigns is for the transaction
    after this one: it locks them.
    """
    hold_campaigns(session, among(Run.key, results))
    waiting = session.execute(_WAITING, {"of_keys": list(results)}).all()
    ended = [(run, results[run.key]) for run in waiting if run.state in results[run.key].by.old]
    if not ended:
        return set()
    assert all(end.outcome in end.by.new for _, end in ended)
    columns = {
        "id": [run.id for run, _ in ended],
        "state": [end.outcome for _, end in ended],
        "reason": [end.reason for _, end in ended],
        "result_id": [end.result_id for _, end in ended],
        "wall_s": [end.wall_s if run.id == end.run_id else run.wall_s for run, end in ended],
    }
    _END(session, columns)
    changed = {run.campaign_id for run, end in ended if end.by is table.REPLACE}
    if changed:
        drop_blocks(session, changed)
    tell_ends(session, ((run, end.by, end.outcome, printable(end.reason)) for run, end in ended))
    return {run.campaign_id for run, _ in ended}
