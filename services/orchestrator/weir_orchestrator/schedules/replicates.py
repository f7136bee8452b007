"""More replicates of what a night cannot tell, until it can or its schedule's budget is spent.

Looking, running more and looking again keeps the bound on false alarms, because what is looked at
are e-values (weir.evidence), and because a round is decided by what all replicates so far say:
replicates share their seeds among combinations, so each round brings the same ones of all that it
is about, and a combination that was left out of one is left out of all that follow.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from math import ceil

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from weir_engine.levels import identity
from weir_engine.regression import Judgement

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, MoreReplicates, Run, Team
from weir_orchestrator.recorded.combinations import all_combinations
from weir_orchestrator.submission import quota

__all__ = ["ask_for_more", "next_round", "told"]


def next_round(
    judgement: Judgement, replicates: Mapping[str, int], most: int
) -> tuple[set[str], int]:
    """Which combinations, by identity, get more replicates, and how many these have then.

    replicates: how many each combination has. most: the budget. A round at most doubles them: how
    many would be enough is told from the shares seen, which a few more may change.
    """
    now = max(replicates.values(), default=0)
    wanted: dict[str, int] = {}
    for one in judgement.judged:
        combination = identity(one.levels)
        if one.replicates is not None and replicates.get(combination) == now:
            enough = ceil(one.replicates * now / one.n)  # not every pair has the metric
            if now < enough <= most:
                wanted[combination] = max(enough, wanted.get(combination, 0))
    return set(wanted), min(most, 2 * now, max(wanted.values(), default=now))


def ask_for_more(
    session: Session,
    campaign_id: uuid.UUID,
    baseline_id: uuid.UUID,
    judgement: Judgement,
    most: int,
) -> bool:
    """Whether the verdict is to wait, for more replicates that were queued on both sides.

    Not where the two need different labs, of which only one is there, or a quota is in the way.
    """
    wanted, replicates = next_round(judgement, _replicates(session, campaign_id), most)
    if not wanted:
        return False
    both = select(Campaign).where(Campaign.id.in_({campaign_id, baseline_id}))
    locked = both.order_by(Campaign.id).with_for_update(key_share=True)
    held = {each.id: each for each in session.scalars(locked)}
    if len(held) < 2 or not _may_grow(*held.values()):
        return False
    baseline, finished = held[baseline_id], lifecycle.table.FINISH.new
    if held[campaign_id].state not in finished or baseline.state in lifecycle.ENDED_EARLY:
        return False
    row = session.get(MoreReplicates, campaign_id) or MoreReplicates(
        campaign_id=campaign_id, baseline_id=baseline_id, rounds=0, runs=0
    )
    row.baseline_id = baseline_id
    session.add(row)
    if baseline.state in lifecycle.GOING_ON:
        return True  # another night has it extended: this one is looked at again after that
    lacking = {
        each.id: lifecycle.lacking(session, each, _numbers(session, each.id, wanted), replicates)
        for each in held.values()
    }
    if _refused(session, held, lacking):
        return False
    runs = sum(len(some) for each in lacking.values() for some in each.values())
    for each in held.values():
        if lacking[each.id]:
            lifecycle.extend(session, each, lacking[each.id])
    row.rounds, row.runs = row.rounds + 1, row.runs + runs
    return runs > 0


def told(session: Session, campaign_id: uuid.UUID) -> list[str]:
    """What was done about a night that could not tell, in a sentence."""
    row = session.get(MoreReplicates, campaign_id)
    if row is None or row.runs == 0:
        return []
    rounds = "1 round" if row.rounds == 1 else f"{row.rounds} rounds"
    return [f"{row.runs} runs were added on both sides in {rounds}, where it could not be told"]


def _replicates(session: Session, campaign_id: uuid.UUID) -> dict[str, int]:
    counted = (
        select(Run.combination, func.count())
        .where(Run.campaign_id == campaign_id)
        .group_by(Run.combination)
    )
    counts = dict(session.execute(counted).all())
    levels = all_combinations(session, campaign_id)
    return {identity(levels[number]): count for number, count in counts.items()}


def _numbers(session: Session, campaign_id: uuid.UUID, wanted: set[str]) -> list[int]:
    levels = all_combinations(session, campaign_id)
    return [number for number, each in levels.items() if identity(each) in wanted]


def _may_grow(a: Campaign, b: Campaign) -> bool:
    """Of one lab. Where a question says how many are enough, it would drop what is added, and a
    search looks at the replicates that it began with."""
    same_lab = (a.kernel_hash, a.roles_hash) == (b.kernel_hash, b.roles_hash)
    told = any(each.spec.get(name) for each in (a, b) for name in ("question", "search"))
    return same_lab and not told


def _refused(
    session: Session,
    campaigns: Mapping[uuid.UUID, Campaign],
    lacking: Mapping[uuid.UUID, Mapping[int, list[int]]],
) -> bool:
    team = session.get_one(Team, next(iter(campaigns.values())).team_id)
    for each in campaigns.values():
        runs = sum(map(len, lacking[each.id].values()))
        film_s = runs * each.film_s / each.run_count
        if quota.refusals(session, team, runs=each.run_count + runs, film_s=film_s):
            return True
    return False
