"""Campaigns: check, submit, watch over, steer."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from weir_sdk.call import IDEMPOTENCY_KEY, Call, Json, Page, asked, body, nothing, path
from weir_sdk.models import (
    CampaignOut,
    CombinationOut,
    DocumentOut,
    EstimateOut,
    Progress,
    RerunOut,
    TagOut,
    Validation,
)

__all__ = [
    "Bad",
    "campaign",
    "cancel_campaign",
    "change_campaign",
    "clone_campaign",
    "delete_campaign",
    "estimate_campaign",
    "list_campaigns",
    "list_tags",
    "pause_campaign",
    "rerun_campaign",
    "resume_campaign",
    "show_campaign",
    "show_campaign_document",
    "show_campaign_grid",
    "show_campaign_progress",
    "submit_campaign",
    "validate_campaign",
]

Bad = Literal["failed", "invalid", "cancelled"]


def campaign(
    document: str,
    files: Mapping[str, str] | None = None,
    subjects: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    priority: int = 0,
) -> dict[str, Any]:
    """A campaign as the API takes it.

    document: YAML or JSON text. files: name in the document -> SHA-256 of an uploaded file.
    subjects: name of a file that is under test -> its version, as a commit.
    overrides: dotted path in the experiment -> value. replicates, seed: instead of the document's.
    """
    return body(
        document=document,
        files=dict(files or {}),
        subjects=dict(subjects or {}),
        overrides=dict(overrides or {}),
        replicates=replicates,
        seed=seed,
        priority=priority,
    )


def validate_campaign(team: str, campaign: Mapping[str, Any]) -> Call[Validation]:
    """Check a `campaign`; what is wrong with it is the answer."""
    where = path("teams", team, "campaigns", "validate")
    return Call("POST", where, Json(Validation), json=campaign, harmless=True)


def estimate_campaign(team: str, campaign: Mapping[str, Any]) -> Call[EstimateOut]:
    """What a `campaign` would cost, and whether the quotas allow it."""
    where = path("teams", team, "campaigns", "estimate")
    return Call("POST", where, Json(EstimateOut), json=campaign, harmless=True)


def submit_campaign(
    team: str, campaign: Mapping[str, Any], idempotency_key: str | None = None
) -> Call[CampaignOut]:
    """Submit a `campaign`. With the key of an earlier submission within a day, that one is told."""
    headers = {IDEMPOTENCY_KEY: idempotency_key or str(uuid.uuid4())}
    where = path("teams", team, "campaigns")
    return Call("POST", where, Json(CampaignOut), json=campaign, headers=headers)


def list_campaigns(
    team: str,
    state: Sequence[str] | None = None,
    name: str | None = None,
    name_part: str | None = None,
    limit: int = 100,
    tag: Sequence[str] | None = None,
    archived: bool = False,
) -> Call[Page[CampaignOut]]:
    """A team's campaigns, newest first; name: the whole one, name_part: what it contains.

    tag: they have all of these. archived: those that are, and not the others.
    """
    params = asked(
        state=state, name=name, name_part=name_part, tag=tag, archived=archived, limit=limit
    )
    return Call("GET", path("teams", team, "campaigns"), Json(Page[CampaignOut]), params)


def list_tags(team: str, limit: int = 100) -> Call[Page[TagOut]]:
    """Tags of a team's campaigns, and how many have each."""
    return Call("GET", path("teams", team, "tags"), Json(Page[TagOut]), asked(limit=limit))


def show_campaign(campaign: UUID | str) -> Call[CampaignOut]:
    """A campaign and how many of its runs are in which state."""
    return Call("GET", path("campaigns", campaign), Json(CampaignOut))


def show_campaign_document(campaign: UUID | str) -> Call[DocumentOut]:
    """A campaign as it was submitted."""
    return Call("GET", path("campaigns", campaign, "document"), Json(DocumentOut))


def show_campaign_grid(campaign: UUID | str, limit: int = 1000) -> Call[Page[CombinationOut]]:
    """Every combination of levels with the states of its runs."""
    where = path("campaigns", campaign, "grid")
    return Call("GET", where, Json(Page[CombinationOut]), asked(limit=limit))


def show_campaign_progress(campaign: UUID | str) -> Call[Progress]:
    """How far it is, how fast it goes, and when it will be over."""
    return Call("GET", path("campaigns", campaign, "progress"), Json(Progress))


def pause_campaign(campaign: UUID | str) -> Call[CampaignOut]:
    """Start no further run; those that run are finished."""
    return Call("POST", path("campaigns", campaign, "pause"), Json(CampaignOut))


def resume_campaign(campaign: UUID | str) -> Call[CampaignOut]:
    """Go on after a pause."""
    return Call("POST", path("campaigns", campaign, "resume"), Json(CampaignOut))


def cancel_campaign(campaign: UUID | str) -> Call[CampaignOut]:
    """End it; runs that run are finished."""
    return Call("POST", path("campaigns", campaign, "cancel"), Json(CampaignOut))


def rerun_campaign(
    campaign: UUID | str, only: Sequence[Bad] = ("failed", "invalid")
) -> Call[RerunOut]:
    """Queue again what ended in one of these states."""
    where = path("campaigns", campaign, "rerun")
    return Call("POST", where, Json(RerunOut), json={"only": list(only)})


def clone_campaign(campaign: UUID | str, **changes: Any) -> Call[CampaignOut]:
    """Submit it anew; changes: document, files, overrides, replicates, seed, priority."""
    return Call("POST", path("campaigns", campaign, "clone"), Json(CampaignOut), json=changes)


def change_campaign(
    campaign: UUID | str,
    name: str | None = None,
    tags: Sequence[str] | None = None,
    notes: str | None = None,
    archived: bool | None = None,
) -> Call[CampaignOut]:
    """Rename it, tag it, note something down, archive it; what is None stays."""
    json = body(
        name=name, tags=None if tags is None else list(tags), notes=notes, archived=archived
    )
    return Call("PATCH", path("campaigns", campaign), Json(CampaignOut), json=json)


def delete_campaign(campaign: UUID | str) -> Call[None]:
    """Forget a campaign that has ended; results stay."""
    return Call("DELETE", path("campaigns", campaign), nothing)
