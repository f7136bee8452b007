"""Views that a team keeps as cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, body, nothing, path, raw, text
from weir_sdk.models import CardDetail, CardOut, LinkOut

__all__ = [
    "change_card",
    "delete_card",
    "list_cards",
    "make_card",
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
