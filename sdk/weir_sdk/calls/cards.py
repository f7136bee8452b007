"""Views that a team keeps as cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, body, nothing, path, raw, text
from weir_sdk.models import CardDetail, CardOut, LinkOut, ReproductionEstimate, ReproductionOut

__all__ = [
    "change_card",
    "delete_card",
    "estimate_reproduction",
    "list_cards",
    "list_reproductions",
    "make_card",
    "reproduce_card",
    "share_card",
    "show_card",
    "show_card_page",
    "show_card_picture",
    "unshare_card",
]


def make_card(team: str, view: Mapping[str, Any]) -> Call[CardDetail]:
    """Keep a view, told as the reference has it: name, title, view, numbers, campaigns and more."""
    return Call("POST", path("teams", team, "cards"), Json(CardDetail), json=dict(view))


def list_cards(team: str, limit: int = 100) -> Call[Page[CardOut]]:
    """A team's cards, newest first."""
    where = path("teams", team, "cards")
    return Call("GET", where, Json(Page[CardOut]), asked(limit=limit))


def show_card(card: UUID | str) -> Call[CardDetail]:
    """A card with its numbers and what it was made of."""
    return Call("GET", path("cards", card), Json(CardDetail))


def show_card_picture(card: UUID | str) -> Call[bytes]:
    """Its picture, SVG or PNG."""
    return Call("GET", path("cards", card, "picture"), raw)


def show_card_page(card: UUID | str) -> Call[str]:
    """It as one HTML file."""
    return Call("GET", path("cards", card, "page"), text)


def change_card(
    card: UUID | str, name: str | None = None, text: str | None = None
) -> Call[CardDetail]:
    """Rename it, or say something else of it; what is None stays."""
    json = body(name=name, text=text)
    return Call("PATCH", path("cards", card), Json(CardDetail), json=json)


def delete_card(card: UUID | str) -> Call[None]:
    """Forget it; its link ends."""
    return Call("DELETE", path("cards", card), nothing)


def share_card(card: UUID | str) -> Call[LinkOut]:
    """Let everyone with a new link see it; the link so far ends."""
    return Call("POST", path("cards", card, "link"), Json(LinkOut))


def unshare_card(card: UUID | str) -> Call[None]:
    """Let its link end."""
    return Call("DELETE", path("cards", card, "link"), nothing)


def estimate_reproduction(card: UUID | str) -> Call[ReproductionEstimate]:
    """What carrying its runs out again at the server would cost, and which cannot be compared."""
    where = path("cards", card, "reproductions", "estimate")
    return Call("GET", where, Json(ReproductionEstimate))


def reproduce_card(card: UUID | str) -> Call[ReproductionOut]:
    """Have its runs carried out again at the server, and every file compared with the stored one.

    Answered at once; `list_reproductions` has the verdict when there is one.
    """
    return Call("POST", path("cards", card, "reproductions"), Json(ReproductionOut))


def list_reproductions(card: UUID | str, limit: int = 20) -> Call[Page[ReproductionOut]]:
    """How far its reproductions are, and their verdicts, newest first."""
    where = path("cards", card, "reproductions")
    return Call("GET", where, Json(Page[ReproductionOut]), asked(limit=limit))
