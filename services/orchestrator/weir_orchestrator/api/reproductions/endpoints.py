"""/cards/{card}/reproductions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from weir_orchestrator.api.dependencies import AsksAs, SessionOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import CardId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.api.reproductions.schemas import ReproductionEstimate, ReproductionOut
from weir_orchestrator.api.reproductions.service import Reproductions
from weir_orchestrator.errors import (
    Conflict,
    NotAllowed,
    NotFound,
    NotSignedIn,
    QuotaExceeded,
    Unprocessable,
)

__all__ = ["router"]

router = APIRouter(tags=["cards"])


async def _reproductions(session: SessionOf, who: AsksAs) -> Reproductions:
    return Reproductions(session, who)


Here = Annotated[Reproductions, Depends(_reproductions)]


@router.post(
    "/cards/{card}/reproductions",
    status_code=201,
    responses=documented(NotSignedIn, NotAllowed, NotFound, Conflict, Unprocessable, QuotaExceeded),
)
def reproduce_card(here: Here, card: CardId) -> ReproductionOut:
    """Let workers carry a card's runs out again, and compare every file with the stored one."""
    return here.begin(card)


@router.get(
    "/cards/{card}/reproductions",
    response_model=Page[ReproductionOut],
    responses=documented(NotSignedIn, NotFound, Unprocessable) | UNCHANGED,
)
def list_reproductions(
    request: Request, here: Here, card: CardId, limit: Limit = 20, cursor: Cursor = None
) -> Response:
    """How far a card's reproductions are, and their verdicts, newest first."""
    return answer(request, here.page(card, limit, cursor))


@router.get(
    "/cards/{card}/reproductions/estimate",
    responses=documented(NotSignedIn, NotAllowed, NotFound, Unprocessable),
)
def estimate_reproduction(here: Here, card: CardId) -> ReproductionEstimate:
    """What carrying a card's runs out again would cost, and which of them cannot be compared."""
    return here.estimate(card)
