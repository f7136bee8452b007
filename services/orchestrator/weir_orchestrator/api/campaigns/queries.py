"""Questions about campaigns to the database."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, defer

from weir_orchestrator.db import (
    Campaign,
    CampaignTag,
    Combination,
    Event,
    IdempotencyKey,
    Run,
    Worker,
    utc_now,
)
from weir_orchestrator.db.campaigns import asks_question, asks_search
from weir_orchestrator.lifecycle import count_states

__all__ = [
    "Wanted",
    "combinations",
    "counted",
    "ended_per_s",
    "kernel_build",
    "locked",
    "of_key",
    "of_team",
    "states_by_combination",
    "tagged",
    "tags_of_team",
    "with_paper",
    "with_question",
    "with_search",
]

_LATELY: Final = (timedelta(minutes=1), timedelta(minutes=15))
_ENOUGH: Final = 5
_LEAST_S: Final = 1.0


@dataclass(frozen=True)
class Wanted:
    """Which campaigns a list shows: in any of the states, with all of the tags."""

    states: Sequence[str] = ()
    name: str | None = None
    name_part: str | None = None
    tags: Sequence[str] = ()
    archived: bool = False


def of_team(team_id: uuid.UUID, wanted: Wanted) -> Select[Any]:
    """A team's campaigns, newest first; without the texts that lists do not show."""
    states, name, name_part = wanted.states, wanted.name, wanted.name_part
    query = select(Campaign).where(
        Campaign.team_id == team_id,
        Campaign.archived_at.is_not(None) if wanted.archived else Campaign.archived_at.is_(None),
    )
    for tag in wanted.tags:
        query = query.where(
            select(CampaignTag)
            .where(CampaignTag.campaign_id == Campaign.id, CampaignTag.tag == tag)
            .exists()
        )
    if states:
        query = query.where(Campaign.state.in_(states))
    if name is not None:
        query = query.where(Campaign.name == name)
    if name_part is not None:
        query = query.where(Campaign.name.icontains(name_part, autoescape=True))
    unseen = (Campaign.document, Campaign.spec, Campaign.paper, Campaign.overrides, Campaign.files)
    return query.options(*map(defer, unseen)).order_by(
        Campaign.created_at.desc(), Campaign.id.desc()
    )


def counted(session: Session, campaigns: Sequence[Campaign]) -> dict[uuid.UUID, dict[str, int]]:
    """Campaign -> state -> number of runs: as stored at its end, else counted now."""
    going_on = [campaign.id for campaign in campaigns if campaign.counts is None]
    fresh = count_states(session, going_on) if going_on else {}
    return fresh | {each.id: each.counts for each in campaigns if each.counts is not None}


def tagged(session: Session, campaigns: Sequence[Campaign]) -> dict[uuid.UUID, list[str]]:
    """Campaign -> its tags, by the alphabet; nothing for those without."""
    asked = CampaignTag.campaign_id.in_([campaign.id for campaign in campaigns])
    found: dict[uuid.UUID, list[str]] = {}
    for row in session.scalars(select(CampaignTag).where(asked).order_by(CampaignTag.tag)):
        found.setdefault(row.campaign_id, []).append(row.tag)
    return found


def tags_of_team(team_id: uuid.UUID) -> Select[str, int]:
    """Tags of a team's campaigns, with how many campaigns have each; archived ones, too."""
    return (
        select(CampaignTag.tag, func.count())
        .join(Campaign, Campaign.id == CampaignTag.campaign_id)
        .where(Campaign.team_id == team_id)
        .group_by(CampaignTag.tag)
        .order_by(CampaignTag.tag)
    )


def kernel_build(session: Session, campaign: Campaign) -> dict[str, Any] | None:
    """What a worker tells of building the kernel that the campaign waits for."""
    query = select(Worker.host, Worker.building).where(
        Worker.state != "gone", Worker.building.is_not(None)
    )
    for host, building in session.execute(query.order_by(Worker.started_at)):
        if building and building["kernel_hash"] == campaign.kernel_hash:
            return {**building, "host": host}
    return None


def with_paper(session: Session, campaigns: Sequence[Campaign]) -> set[uuid.UUID]:
    """Those that were submitted with a paper's numbers, which are not read for it."""
    asked = Campaign.id.in_([campaign.id for campaign in campaigns])
    return set(session.scalars(select(Campaign.id).where(asked, Campaign.paper.is_not(None))))


def with_question(session: Session, campaigns: Sequence[Campaign]) -> set[uuid.UUID]:
    """Those that ask whether one level beats the other one."""
    asked = Campaign.id.in_([campaign.id for campaign in campaigns])
    return set(session.scalars(select(Campaign.id).where(asked, asks_question())))


def with_search(session: Session, campaigns: Sequence[Campaign]) -> set[uuid.UUID]:
    """Those that search for levels of a factor."""
    asked = Campaign.id.in_([campaign.id for campaign in campaigns])
    return set(session.scalars(select(Campaign.id).where(asked, asks_search())))


def locked(session: Session, campaign_id: uuid.UUID) -> Campaign | None:
    """The campaign, which nobody else changes until the transaction ends."""
    return session.get(Campaign, campaign_id, with_for_update=True, populate_existing=True)


def of_key(session: Session, team_id: uuid.UUID, key: str) -> IdempotencyKey | None:
    """What a team's submission with this Idempotency-Key made."""
    return session.get(IdempotencyKey, (team_id, key), populate_existing=True)


def combinations(campaign_id: uuid.UUID) -> Select[int, dict[str, Any]]:
    """Number and levels of a campaign's combinations, in order."""
    query = select(Combination.number, Combination.levels)
    return query.where(Combination.campaign_id == campaign_id).order_by(Combination.number)


def states_by_combination(
    session: Session, campaign_id: uuid.UUID, first: int, last: int
) -> dict[int, dict[str, int]]:
    """Combination -> state -> number of runs, for combinations `first` to `last`."""
    query = (
        select(Run.combination, Run.state, func.count())
        .where(Run.campaign_id == campaign_id, Run.combination.between(first, last))
        .group_by(Run.combination, Run.state)
    )
    found: dict[int, dict[str, int]] = {}
    for number, state, runs in session.execute(query):
        found.setdefault(number, {})[state] = runs
    return found


def ended_per_s(session: Session, campaign_id: uuid.UUID) -> float | None:
    """How many runs of a campaign are carried out in a second, lately: since the first of them that
    began or ended within a minute, or within longer while few ended. None: none ended."""
    now = utc_now()
    for window in _LATELY:
        query = select(
            func.count().filter(Event.kind == "run.ended"),
            func.min(Event.at),
        ).where(
            Event.campaign_id == campaign_id,
            Event.kind.in_(("run.started", "run.ended")),
            Event.at > now - window,
        )
        ended, first = session.execute(query).one()
        if ended >= _ENOUGH:
            break
    return ended / max((now - first).total_seconds(), _LEAST_S) if ended else None
