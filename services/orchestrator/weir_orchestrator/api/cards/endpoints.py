"""/teams/{team}/cards and /cards/{card}; for everyone with a link: /shared/{link}."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import HTMLResponse

from weir_orchestrator.api.cards.page import policy, rendered
from weir_orchestrator.api.cards.schemas import CardChange, CardDetail, CardIn, CardOut, LinkOut
from weir_orchestrator.api.cards.service import Cards, shared_card
from weir_orchestrator.api.dependencies import AsksAs, OfTeam, SessionOf
from weir_orchestrator.api.etag import UNCHANGED, answer
from weir_orchestrator.api.ids import CardId
from weir_orchestrator.api.paging import Cursor, Limit, Page
from weir_orchestrator.api.problems import documented
from weir_orchestrator.errors import (
    NotAllowed,
    NotFound,
    NotSignedIn,
    QuotaExceeded,
    Unprocessable,
)
from weir_orchestrator.reproductions import last_ended

__all__ = ["router"]

router = APIRouter(tags=["cards"])

_READING: Final = documented(NotSignedIn, NotFound, Unprocessable)
_CHANGING: Final = documented(NotSignedIn, NotAllowed, NotFound, Unprocessable)
_PRIVATE: Final = {"Cache-Control": "private, no-cache"}
# A link that has ended shows nothing, and no search engine keeps what one showed.
_SHARED: Final = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}


async def _cards(session: SessionOf, who: AsksAs) -> Cards:
    return Cards(session, who)


Here = Annotated[Cards, Depends(_cards)]


@router.post(
    "/teams/{team}/cards",
    status_code=201,
    responses=_CHANGING | documented(QuotaExceeded),
)
def make_card(here: Here, team: OfTeam, body: CardIn) -> CardDetail:
    """Keep a view as a card of the team's."""
    return here.make(team, body)


@router.get("/teams/{team}/cards", response_model=Page[CardOut], responses=_READING | UNCHANGED)
def list_cards(
    request: Request, here: Here, team: OfTeam, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """A team's cards, newest first."""
    return answer(request, here.page(team, limit, cursor))


@router.get("/cards/{card}", response_model=CardDetail, responses=_READING | UNCHANGED)
def show_card(request: Request, here: Here, card: CardId) -> Response:
    """A card with its numbers and what it was made of."""
    return answer(request, here.detail(card))


@router.patch("/cards/{card}", responses=_CHANGING)
def change_card(here: Here, card: CardId, change: CardChange) -> CardDetail:
    """Rename a card, or say something else of it."""
    return here.change(card, change)


@router.delete("/cards/{card}", status_code=204, responses=_CHANGING)
def delete_card(here: Here, card: CardId) -> None:
    """Forget a card; its link ends."""
    here.remove(card)


@router.get(
    "/cards/{card}/picture",
    response_class=Response,
    responses={
        200: {
            "content": {"image/svg+xml": {}, "image/png": {}},
            "description": "As it was drawn when the card was made",
        },
        **_READING,
    },
)
def show_card_picture(here: Here, card: CardId) -> Response:
    """A card's picture."""
    found = here.find(card)
    if found.picture is None:
        raise NotFound("the card has no picture: it is a table")
    return Response(found.picture, media_type=found.picture_type, headers=_PRIVATE)


@router.get("/cards/{card}/page", response_class=HTMLResponse, responses=_READING)
def show_card_page(here: Here, session: SessionOf, card: CardId) -> HTMLResponse:
    """A card as one HTML file, to be kept or sent on."""
    headers = _PRIVATE | {"Content-Security-Policy": policy()}
    found = here.find(card)
    return HTMLResponse(rendered(found, last_ended(session, found)), headers=headers)


@router.post("/cards/{card}/link", status_code=201, responses=_CHANGING)
def share_card(here: Here, card: CardId) -> LinkOut:
    """Let everyone with a new link see the card; the link so far ends."""
    return LinkOut(path=f"/api/v1/shared/{here.share(card)}")


@router.delete("/cards/{card}/link", status_code=204, responses=_CHANGING)
def unshare_card(here: Here, card: CardId) -> None:
    """Let its link end."""
    here.unshare(card)


@router.get(
    "/shared/{link}",
    response_class=HTMLResponse,
    responses=documented(NotFound, Unprocessable),
)
def show_shared_card(
    session: SessionOf,
    link: Annotated[
        str,
        Path(
            min_length=1,
            max_length=64,
            description="As its address was told.",
            examples=["hJ2m3o1mQ0bq0aQyZ8f7dHk2vWc5uTn4xRj9pLs6eKg"],
        ),
    ],
) -> HTMLResponse:
    """A card as a page, for whoever has its link."""
    headers = _SHARED | {"Content-Security-Policy": policy()}
    found = shared_card(session, link)
    return HTMLResponse(rendered(found, last_ended(session, found)), headers=headers)
