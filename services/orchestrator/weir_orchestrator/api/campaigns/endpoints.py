"""/teams/{team}/campaigns and /campaigns/{campaign}."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from weir_orchestrator.api.campaigns.progress_schemas import Progress
from weir_orchestrator.api.campaigns.queries import Wanted
from weir_orchestrator.api.campaigns.schemas import (
    CampaignChange,
    CampaignEdit,
    CampaignIn,
    CampaignOut,
    CombinationOut,
    DocumentOut,
    EstimateOut,
    Rerun,
    RerunOut,
    Tag,
    TagOut,
    Validation,
)
from weir_orchestrator.api.campaigns.service import Campaigns, submission_of
from weir_orchestrator.api.campaigns.whatif import WhatIf
from weir_orchestrator.api.dependencies import AsksAs, Objects, OfTeam, SessionOf, SettingsOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import CampaignId, RunId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import (
    Conflict,
    NotAllowed,
    NotFound,
    NotSignedIn,
    QuotaExceeded,
    Unprocessable,
)
from weir_orchestrator.lifecycle import CampaignState

__all__ = ["router"]

router = APIRouter(tags=["campaigns"])

REFUSALS = (NotSignedIn, NotAllowed, NotFound, Unprocessable)


async def _campaigns(
    session: SessionOf, objects: Objects, settings: SettingsOf, who: AsksAs
) -> Campaigns:
    return Campaigns(session, objects, settings, who)


Here = Annotated[Campaigns, Depends(_campaigns)]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,200}$",
        description="Sent again with the same body within a day, it makes no second campaign.",
    ),
]


@router.post("/teams/{team}/campaigns/validate", responses=documented(*REFUSALS))
def validate_campaign(here: Here, who: AsksAs, team: OfTeam, body: CampaignIn) -> Validation:
    """Check a campaign; nothing is stored. What is wrong with it is the answer, not an error."""
    who.require(team.id, "submit")
    return here.validate(team, body)


@router.post("/teams/{team}/campaigns/estimate", responses=documented(*REFUSALS))
def estimate_campaign(here: Here, who: AsksAs, team: OfTeam, body: CampaignIn) -> EstimateOut:
    """What a campaign would cost, and whether the team's quotas allow it; nothing is stored."""
    who.require(team.id, "submit")
    return here.estimate(team, body)


@router.post(
    "/teams/{team}/campaigns",
    status_code=201,
    responses={
        200: {"model": CampaignOut, "description": "Submitted before with this Idempotency-Key"},
        **documented(*REFUSALS, Conflict, QuotaExceeded),
    },
)
def submit_campaign(
    here: Here, who: AsksAs, team: OfTeam, body: CampaignIn, response: Response, key: Key = None
) -> CampaignOut:
    """Submit a campaign. It is answered at once; its runs are written in the background."""
    who.require(team.id, "submit")
    campaign, new = here.submit(team, submission_of(body), key)
    response.status_code = 201 if new else 200
    return here.shown([campaign])[0]


@router.get(
    "/teams/{team}/campaigns",
    response_model=Page[CampaignOut],
    responses=documented(*REFUSALS) | UNCHANGED,
)
def list_campaigns(
    request: Request,
    here: Here,
    team: OfTeam,
    state: Annotated[list[CampaignState] | None, Query(description="Any of these.")] = None,
    name: Annotated[
        str | None, Query(description="Of this name.", pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")
    ] = None,
    name_part: Annotated[
        str | None,
        Query(description="Names that contain this.", pattern=r"^[^\x00-\x1f\x7f]{1,100}$"),
    ] = None,
    tag: Annotated[list[Tag] | None, Query(max_length=20, description="All of these tags.")] = None,
    archived: Annotated[bool, Query(description="Those that are archived, instead.")] = False,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """A team's campaigns, newest first."""
    wanted = Wanted(state or (), name, name_part, tag or (), archived)
    return answer(request, here.page(team, wanted, limit, cursor))


@router.get(
    "/teams/{team}/tags",
    response_model=Page[TagOut],
    responses=documented(*REFUSALS) | UNCHANGED,
)
def list_tags(
    request: Request, here: Here, team: OfTeam, limit: Limit = 100, cursor: Cursor = None
) -> Response:
    """Tags of a team's campaigns."""
    return answer(request, here.tags(team, limit, cursor))


@router.get(
    "/campaigns/{campaign}",
    response_model=CampaignOut,
    responses=documented(*REFUSALS) | UNCHANGED,
)
def show_campaign(request: Request, here: Here, campaign: CampaignId) -> Response:
    """A campaign and how many of its runs are in which state."""
    return answer(request, here.shown([here.find(campaign)])[0])


@router.patch("/campaigns/{campaign}", responses=documented(*REFUSALS))
def change_campaign(here: Here, campaign: CampaignId, change: CampaignEdit) -> CampaignOut:
    """Rename it, tag it, note something down, archive it. Its runs do not change."""
    return here.shown([here.edit(campaign, change)])[0]


@router.get("/campaigns/{campaign}/document", responses=documented(*REFUSALS))
def show_campaign_document(here: Here, campaign: CampaignId) -> DocumentOut:
    """A campaign as it was submitted."""
    found = here.find(campaign)
    return DocumentOut(
        document=found.document,
        files=found.files,
        overrides=found.overrides,
        replicates=found.asked_replicates,
        seed=found.asked_seed,
        spec=found.spec,
        paper=found.paper,
        cell=here.cell(found),
    )


@router.get(
    "/campaigns/{campaign}/grid",
    response_model=Page[CombinationOut],
    responses=documented(*REFUSALS) | UNCHANGED,
)
def show_campaign_grid(
    request: Request,
    here: Here,
    campaign: CampaignId,
    limit: Annotated[int, Query(ge=1, le=5_000, description="Combinations on a page.")] = 1_000,
    cursor: Cursor = None,
) -> Response:
    """Every combination of levels with the states of its runs: the campaign as a heat map."""
    return answer(request, here.grid(campaign, limit, cursor))


@router.get(
    "/campaigns/{campaign}/progress",
    response_model=Progress,
    responses=documented(*REFUSALS) | UNCHANGED,
)
def show_campaign_progress(request: Request, here: Here, campaign: CampaignId) -> Response:
    """How far a campaign is, how fast it goes, and when it will be over."""
    return answer(request, here.progress(campaign))


@router.post("/campaigns/{campaign}/pause", responses=documented(*REFUSALS, Conflict))
def pause_campaign(here: Here, campaign: CampaignId) -> CampaignOut:
    """Start no further run; those that run are finished."""
    return here.shown([here.do(campaign, "pause")])[0]


@router.post("/campaigns/{campaign}/resume", responses=documented(*REFUSALS, Conflict))
def resume_campaign(here: Here, campaign: CampaignId) -> CampaignOut:
    """Go on after a pause."""
    return here.shown([here.do(campaign, "resume")])[0]


@router.post("/campaigns/{campaign}/cancel", responses=documented(*REFUSALS, Conflict))
def cancel_campaign(here: Here, campaign: CampaignId) -> CampaignOut:
    """End it and its runs. Those that run and that another campaign waits for are finished."""
    return here.shown([here.do(campaign, "cancel")])[0]


@router.post("/campaigns/{campaign}/rerun", responses=documented(*REFUSALS, Conflict))
def rerun_campaign(here: Here, campaign: CampaignId, body: Rerun) -> RerunOut:
    """Queue again what ended in one of these states; succeeded runs are never run again."""
    return RerunOut(queued=here.rerun(campaign, body.only))


@router.post(
    "/campaigns/{campaign}/clone",
    status_code=201,
    responses=documented(*REFUSALS, QuotaExceeded),
)
def clone_campaign(here: Here, campaign: CampaignId, body: CampaignChange) -> CampaignOut:
    """Submit it anew, with changes or without. Runs that have a result are not run again."""
    return here.shown([here.clone(campaign, body)])[0]


@router.post(
    "/runs/{run}/whatif",
    status_code=201,
    responses=documented(*REFUSALS, QuotaExceeded),
)
def ask_what_if(here: Here, run: RunId, body: WhatIf) -> CampaignOut:
    """A campaign of one run: this one, with one client's level in one segment decided otherwise.
    Until then both have the same bytes."""
    return here.shown([here.whatif(run, body)])[0]


@router.delete("/campaigns/{campaign}", status_code=204, responses=documented(*REFUSALS, Conflict))
def delete_campaign(here: Here, campaign: CampaignId) -> None:
    """Forget a campaign that has ended. Results that no other refers to are removed later.

    One of very many runs is `deleting` until these are gone.
    """
    here.remove(campaign)
