"""More replicates of some combinations of a campaign that has finished."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir.expand import seed_of
from weir.runkey import key_of_seed

from weir_orchestrator.db import Campaign, Combination, Run, utc_now
from weir_orchestrator.lifecycle import table
from weir_orchestrator.lifecycle.campaigns import move, settle
from weir_orchestrator.lifecycle.runs import add_runs

__all__ = ["extend", "lacking"]

Lacking = dict[int, list[int]]
"""Number of a combination -> replicates that it has no run of."""


def lacking(
    session: Session, campaign: Campaign, combinations: Collection[int], replicates: int
) -> Lacking:
    """What these combinations lack of so many replicates."""
    query = select(Run.combination, Run.replicate).where(
        Run.campaign_id == campaign.id, Run.combination.in_(combinations)
    )
    there: dict[int, set[int]] = defaultdict(set)
    for number, replicate in session.execute(query):
        there[number].add(replicate)
    wanted = {
        number: [replicate for replicate in range(replicates) if replicate not in there[number]]
        for number in sorted(combinations)
    }
    return {number: missing for number, missing in wanted.items() if missing}


def extend(session: Session, campaign: Campaign, wanted: Lacking) -> None:
    """Queue these runs, with the seeds that they would have had from the start.

    They stand behind the campaign's others. Call it with the campaign's row locked. Raises
    Conflict for a campaign that has not finished.
    """
    query = select(Combination).where(
        Combination.campaign_id == campaign.id, Combination.number.in_(wanted)
    )
    last = select(func.max(Run.position)).where(Run.campaign_id == campaign.id)
    position = int(session.scalars(last).one())
    now = utc_now()
    rows: list[dict[str, Any]] = []
    film_s = 0.0
    for combination in session.scalars(query.order_by(Combination.number)):
        experiment = combination.experiment
        kernel_hash = combination.kernel_hash or campaign.kernel_hash
        key = key_of_seed(experiment, kernel_hash, campaign.roles_hash)
        for replicate in wanted[combination.number]:
            seed = seed_of(
                campaign.spec["seed"], campaign.spec.get("replicate_seeds") or (), replicate
            )
            position += 1
            film_s += float(experiment["duration_s"])
            rows.append(
                {
                    "campaign_id": campaign.id,
                    "position": position,
                    "combination": combination.number,
                    "replicate": replicate,
                    "seed": seed,
                    "key": key(seed),
                    "clock": experiment["clock"],
                    "queued_at": now,
                }
            )
    move(session, campaign, table.EXTEND)
    add_runs(session, rows)
    campaign.counts = campaign.ended_at = None
    campaign.run_count += len(rows)
    campaign.expanded += len(rows)
    campaign.film_s += film_s
    campaign.asked_film_s += film_s
    settle(session, campaign)
