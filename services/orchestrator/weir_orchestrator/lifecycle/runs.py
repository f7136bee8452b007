"""Moving runs from state to state. A run ends exactly once, until somebody asks for it again.

Where what ends runs gives each an end of its own: `ending`.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, delete, insert, select, update
from sqlalchemy.orm import Session

from weir_orchestrator.db import Block, Campaign, Certificate, Result, Run, utc_now
from weir_orchestrator.db.base import Json, printable
from weir_orchestrator.db.columns import among
from weir_orchestrator.db.dialect import clock
from weir_orchestrator.events import emit
from weir_orchestrator.lifecycle import table

__all__ = [
    "add_runs",
    "drop_blocks",
    "drop_runs",
    "end_runs",
    "hold_campaigns",
    "queue_again",
    "requeue_runs",
    "start_runs",
    "tell_ends",
]

# Asked for every claim, and building it takes longer than Postgres needs for the answer.
_START: Final = (
    update(Run)
    .where(among(Run.id, "of_runs"), Run.state == table.CLAIM.old[0])
    .values(state=table.CLAIM.new[0], reason="", attempts=Run.attempts + 1, started_at=clock())
    .execution_options(synchronize_session=False)
)


def add_runs(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Write a campaign's runs, given without their state. Those whose key has a result are over
    before they begin, unless they are to certify it."""
    query = select(Result.key, Result.outcome, Result.reason, Result.wall_s, Result.id)
    keys = {row["key"] for row in rows}
    finished = query.where(among(Result.key, keys), Result.outcome.in_(table.KNOW.new))
    # Locked: until these runs are there, it would be removed as if no campaign referred to it.
    held = finished.with_for_update(of=Result, read=True, skip_locked=True)
    known = {key: found for key, *found in session.execute(held)}
    queued = (table.ADD.new[0], "", None, None)
    for row in rows:
        is_over = row["key"] in known and not row.setdefault("certifies", False)
        state, reason, wall_s, result_id = known[row["key"]] if is_over else queued
        ended_at = row["queued_at"] if is_over else None
        row.update(state=state, reason=reason, attempts=0, replaces=False)
        row.update(result_id=result_id, wall_s=wall_s, ended_at=ended_at)
    session.execute(insert(Run), rows)


def start_runs(
    session: Session, team_id: uuid.UUID, campaign_id: uuid.UUID, runs: Mapping[int, int]
) -> None:
    """A worker begins queued runs of a campaign that it holds the leases and the rows' locks of.

    runs: id -> position.
    """
    session.execute(_START, {"of_runs": list(runs)})
    data = [{"run_id": run_id, "position": position} for run_id, position in runs.items()]
    emit(session, team_id, campaign_id, str(table.CLAIM.event), *data)


def end_runs(
    session: Session,
    which: ColumnElement[bool],
    by: table.Transition,
    reason: str,
    outcome: str = "",
    result_id: int | None = None,
    **others: Any,
) -> set[uuid.UUID]:
    """End those of some runs that a transition ends, each with an event; their campaigns.

    outcome, result_id: of runs that succeeded or are invalid. others: what else of these runs to
    set. `settle_if_over` of the campaigns is for the transaction after this one: it locks them.
    """
    hold_campaigns(session, which)
    reason = printable(reason)
    runs = session.execute(
        select(Run.id, Run.campaign_id, Run.position, Campaign.team_id)
        .join(Campaign, Campaign.id == Run.campaign_id)
        .where(which, Run.state.in_(by.old))
        .order_by(Run.id)
        .with_for_update(of=Run)
    ).all()
    if not runs:
        return set()
    state = outcome or by.new[0]
    assert state in by.new, f"{by.action} does not lead to {state}"
    session.execute(
        update(Run)
        .where(among(Run.id, [run.id for run in runs]))
        .values(state=state, reason=reason, result_id=result_id, ended_at=clock(), **others),
        execution_options={"synchronize_session": False},
    )
    tell_ends(session, ((run, by, state, reason) for run in runs))
    return {run.campaign_id for run in runs}


def tell_ends(
    session: Session, ended: Iterable[tuple[Row[*tuple[Any, ...]], table.Transition, str, str]]
) -> None:
    """Events of runs (id, campaign_id, position, team_id) that a transition took to a state."""
    data: dict[tuple[uuid.UUID, uuid.UUID, str], list[Json]] = defaultdict(list)
    for run, by, state, reason in ended:
        told = {"run_id": run.id, "position": run.position, "state": state, "reason": reason}
        data[run.team_id, run.campaign_id, str(by.event)].append(told)
    for (team_id, campaign_id, kind), some in data.items():
        emit(session, team_id, campaign_id, kind, *some)


def hold_campaigns(session: Session, which: ColumnElement[bool]) -> None:
    """Lock the campaigns of some runs as events of theirs will, before the runs are locked."""
    of = select(Run.campaign_id).where(which)
    held = select(Campaign.id).where(Campaign.id.in_(of)).order_by(Campaign.id)
    session.execute(held.with_for_update(read=True, key_share=True))


def drop_blocks(session: Session, campaigns: Collection[uuid.UUID]) -> None:
    """Of campaigns that are held, as runs that had ended change."""
    session.execute(delete(Block).where(Block.campaign_id.in_(campaigns)))


def queue_again(session: Session, run_id: int, *, tried: bool) -> None:
    """Let a run that was begun be claimed again; one that was cancelled stays cancelled.

    tried: that it was begun counts as an attempt. Call it with the lease and the row's lock.
    """
    attempts = Run.attempts if tried else Run.attempts - 1
    session.execute(
        update(Run)
        .where(Run.id == run_id, Run.state.in_(table.GIVE_BACK.old))
        .values(state=table.GIVE_BACK.new[0], started_at=None, attempts=attempts)
    )


def drop_runs(session: Session, some: Select[int], reason: str) -> int:
    """Cancel runs that have not begun, by their ids; how many."""
    ended = session.scalars(
        update(Run)
        .where(Run.id.in_(some), Run.state.in_(table.DROP.old))
        .values(state=table.DROP.new[0], reason=reason, ended_at=utc_now())
        .returning(Run.id),
        execution_options={"synchronize_session": False},
    )
    return len(ended.all())


def requeue_runs(session: Session, campaign: Campaign, only: Collection[str]) -> int:
    """Queue those of a campaign's runs again that ended in one of these states; how many."""
    ended = [state for state in only if state in table.QUEUE.old]
    some = select(Run.id).where(Run.campaign_id == campaign.id, Run.state.in_(ended))
    session.execute(delete(Certificate).where(Certificate.run_id.in_(some)))
    drop_blocks(session, [campaign.id])
    again = (
        update(Run)
        .where(Run.campaign_id == campaign.id, Run.state.in_(ended))
        .values(
            state=table.QUEUE.new[0],
            replaces=Run.state == "invalid",
            reason="",
            attempts=0,
            result_id=None,
            wall_s=None,
            queued_at=utc_now(),
            started_at=None,
            ended_at=None,
        )
    )
    return int(session.execute(again).rowcount)  # type: ignore[attr-defined]
