"""/library: what there is to choose from."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import RootModel
from weir.spec.schema import json_schema

from weir_orchestrator.api.dependencies import AsksAs
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.library import service
from weir_orchestrator.api.library.schemas import Choices, ShippedOut
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import NotSignedIn
from weir_orchestrator.submission import library

__all__ = ["router"]

router = APIRouter(prefix="/library", tags=["library"])

RESPONSES = documented(NotSignedIn) | UNCHANGED


class ShippedCampaigns(RootModel[list[ShippedOut]]):
    """All campaigns that are shipped."""


class CampaignSchema(RootModel[dict[str, Any]]):
    """A JSON Schema."""


@router.get("/campaigns", response_model=ShippedCampaigns, responses=RESPONSES)
def list_shipped_campaigns(request: Request, who: AsksAs) -> Response:
    """The campaigns that come with Weir, each standing alone."""
    shipped = [ShippedOut.model_validate(each) for each in library.campaigns()]
    return answer(request, ShippedCampaigns(shipped))


@router.get("/schema", response_model=CampaignSchema, responses=RESPONSES)
def show_campaign_schema(request: Request, who: AsksAs) -> Response:
    """JSON Schema (draft 2020-12) of a campaign file, for editors."""
    return answer(request, CampaignSchema(json_schema()))


@router.get("/choices", response_model=Choices, responses=RESPONSES)
def list_choices(request: Request, who: AsksAs) -> Response:
    """Names that a campaign may use: players and their options, queues, metrics and others."""
    return answer(request, service.choices())
