"""Queueing a card's runs, to be carried out again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Card, Combination, Reproduction, Run, Team, utc_now
from weir_orchestrator.errors import Conflict, FieldProblem, QuotaExceeded, Unprocessable
from weir_orchestrator.reproductions.plan import Plan, plan_of
from weir_orchestrator.submission import quota

__all__ = ["begin", "refusals"]

_LONGEST_NAME: Final = 94
_DESCRIPTION: Final = (
    "Carried out again for the card “{}”: each run fails whose files are not the stored ones."
)


def begin(session: Session, card: Card, by: uuid.UUID | None) -> Reproduction:
    """Let workers carry out a card's runs again.

    Raises Conflict while that goes on already, Unprocessable where none can be, QuotaExceeded.
    """
    # Locked: of two at once, the second sees the first.
    session.refresh(card, with_for_update=True)
    going_on = select(Reproduction.id).where(
        Reproduction.card_id == card.id, Reproduction.ended_at.is_(None)
    )
    if session.scalar(going_on.limit(1)) is not None:
        raise Conflict("the card's runs are being carried out again already; wait for the verdict")
    plan = plan_of(session, card)
    if not plan.runs:
        raise Unprocessable("none of the card's runs can be carried out again", _problems(plan))
    if refused := refusals(session, card, plan):
        raise QuotaExceeded("; ".join(refused))
    films_s = plan.films_s()
    campaigns = [
        _queue(session, session.get_one(Campaign, of), runs, films_s[of], card, by)
        for of, runs in plan.again.items()
    ]
    made = Reproduction(
        card_id=card.id,
        campaigns=[str(each.id) for each in campaigns],
        runs=plan.runs,
        left_out=[list(each) for each in plan.left_out.items()],
        created_by=by,
    )
    session.add(made)
    session.flush()
    return made


def refusals(session: Session, card: Card, plan: Plan) -> list[str]:
    """Why the quotas of the card's team have no room for the plan."""
    team = session.get_one(Team, card.team_id)
    most = max(map(len, plan.again.values()), default=0)
    return quota.refusals(session, team, runs=most, film_s=sum(plan.films_s().values()))


def _queue(
    session: Session,
    of: Campaign,
    runs: Sequence[Run],
    film_s: float,
    card: Card,
    by: uuid.UUID | None,
) -> Campaign:
    """A campaign of these runs of another, whose results they do not share but certify.

    What it asks or searches is left out: an answer would end it, and a search bring further runs.
    """
    numbers = sorted({run.combination for run in runs})
    spec = {name: value for name, value in of.spec.items() if name not in {"question", "search"}}
    campaign = Campaign(
        team_id=of.team_id,
        name=f"{of.name[:_LONGEST_NAME]}.again",
        description=_DESCRIPTION.format(card.name),
        document=of.document,
        files=dict(of.files),
        subjects=dict(of.subjects),
        overrides=dict(of.overrides),
        asked_replicates=of.asked_replicates,
        asked_seed=of.asked_seed,
        spec=spec,
        factors=list(of.factors),
        kernel_hash=of.kernel_hash,
        roles_hash=of.roles_hash,
        priority=of.priority,
        combination_count=len(numbers),
        replicates=of.replicates,
        run_count=len(runs),
        asked_film_s=film_s,
        created_by=by,
        cloned_from=of.id,
    )
    lifecycle.begin(session, campaign)
    _copy_combinations(session, of, campaign, numbers)
    now = utc_now()
    rows: list[dict[str, Any]] = [
        {
            "campaign_id": campaign.id,
            "position": position,
            "combination": run.combination,
            "replicate": run.replicate,
            "seed": run.seed,
            "key": run.key,
            "clock": run.clock,
            "certifies": True,
            "queued_at": now,
        }
        for position, run in enumerate(runs)
    ]
    lifecycle.add_runs(session, rows)
    campaign.expanded, campaign.film_s = len(rows), film_s
    lifecycle.expanded(session, campaign)
    return campaign


def _copy_combinations(
    session: Session, of: Campaign, campaign: Campaign, numbers: Sequence[int]
) -> None:
    columns = ("number", "levels", "experiment", "kernel_hash")
    some = select(*(getattr(Combination, name) for name in columns)).where(
        Combination.campaign_id == of.id, Combination.number.in_(numbers)
    )
    rows = [{**row._mapping, "campaign_id": campaign.id} for row in session.execute(some)]
    session.execute(insert(Combination), rows)


def _problems(plan: Plan) -> list[FieldProblem]:
    return [
        FieldProblem(
            path="card",
            value=f"{runs} runs",
            allowed=f"runs that can be compared; of these, {reason}",
            remedy="keep a card of runs that were made here lately; what another version made, "
            "`weir reproduce` compares on a machine with that version",
        )
        for reason, runs in plan.left_out.items()
    ]
