"""Keeping views, and showing what was kept."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal, Role
from weir_orchestrator.api.auth.secrets import digest, new_secret
from weir_orchestrator.api.cards.made_of import made_of, refused
from weir_orchestrator.api.cards.picture import bytes_of
from weir_orchestrator.api.cards.schemas import (
    MOST_CARDS,
    CardCampaign,
    CardChange,
    CardDetail,
    CardIn,
    CardOut,
    CardRun,
    Numbers,
)
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.db import Card, Team, User
from weir_orchestrator.errors import NotFound, QuotaExceeded

__all__ = ["Cards", "shared_card"]


def shared_card(session: Session, secret: str) -> Card:
    """The card that a link shows. Raises NotFound."""
    card = session.scalar(select(Card).where(Card.link == digest(secret)))
    if card is None:
        raise NotFound("no such card, or its link has ended")
    return card


class Cards:
    """On behalf of `who`, in one session."""

    def __init__(self, session: Session, who: Principal) -> None:
        self._session = session
        self._who = who

    def make(self, team: Team, given: CardIn) -> CardDetail:
        """Raises NotAllowed, QuotaExceeded, Unprocessable."""
        self._who.require(team.id, "submit")
        self._refuse_too_many(team)
        width = len(given.numbers.columns)
        for index, row in enumerate(given.numbers.rows):
            if len(row) != width:
                raise refused(f"numbers.rows.{index}", len(row), f"a row of {width} cells")
        if given.view.split("/")[2] != team.slug:
            raise refused("view", given.view, f"an address in /teams/{team.slug}/")
        campaigns, runs = made_of(self._session, team, given)
        picture = given.picture
        card = Card(
            team_id=team.id,
            name=given.name,
            text=given.text,
            title=given.title,
            view=given.view,
            picture=bytes_of(picture) if picture else None,
            picture_type=picture.type if picture else None,
            numbers=given.numbers.model_dump(),
            campaigns=[each.model_dump(mode="json") for each in campaigns],
            runs=[each.model_dump() for each in runs],
            created_by=self._who.user_id,
        )
        self._session.add(card)
        self._session.flush()
        self._log("card.make", card, name=card.name)
        return self.detail(card.id)

    def page(self, team: Team, limit: int, cursor: str | None) -> Page[CardOut]:
        """Newest first. Raises Unprocessable."""
        query = _listed().where(Card.team_id == team.id)
        query = query.order_by(Card.created_at.desc(), Card.id.desc())
        rows, after = page_of(self._session, query, limit, cursor)
        return Page(items=[CardOut(**_told(row)) for row in rows], next=after)

    def detail(self, card_id: uuid.UUID) -> CardDetail:
        """Raises NotFound."""
        card = self.find(card_id)
        row = self._session.execute(_listed().where(Card.id == card.id)).one()
        return CardDetail(
            **_told(row),
            numbers=Numbers.model_validate(card.numbers),
            campaigns=[CardCampaign.model_validate(each) for each in card.campaigns],
            runs=[CardRun.model_validate(each) for each in card.runs],
        )

    def find(self, card_id: uuid.UUID, needed: Role = "read") -> Card:
        """Raises NotFound, NotAllowed."""
        card = self._session.get(Card, card_id)
        self._who.require(card.team_id if card else None, needed, "card")
        assert card is not None
        return card

    def change(self, card_id: uuid.UUID, change: CardChange) -> CardDetail:
        """Rename it, or say something else. Raises NotFound, NotAllowed."""
        card = self.find(card_id, "submit")
        if change.name is not None:
            card.name = change.name
        if change.text is not None:
            card.text = change.text
        self._session.flush()
        self._log("card.change", card, name=card.name)
        return self.detail(card_id)

    def remove(self, card_id: uuid.UUID) -> None:
        """With its link. Raises NotFound, NotAllowed."""
        card = self.find(card_id, "submit")
        self._log("card.delete", card, name=card.name)
        self._session.delete(card)

    def share(self, card_id: uuid.UUID) -> str:
        """The secret of its new link; the one so far ends. Raises NotFound, NotAllowed."""
        card = self.find(card_id, "submit")
        secret = new_secret()
        card.link = digest(secret)
        self._log("card.share", card)
        return secret

    def unshare(self, card_id: uuid.UUID) -> None:
        """Let its link end. Raises NotFound, NotAllowed."""
        card = self.find(card_id, "submit")
        card.link = None
        self._log("card.unshare", card)

    def _refuse_too_many(self, team: Team) -> None:
        kept = select(func.count()).where(Card.team_id == team.id)
        if self._session.scalars(kept).one() >= MOST_CARDS:
            raise QuotaExceeded(f"the team keeps {MOST_CARDS} cards, which is all; delete one")

    def _log(self, action: str, card: Card, **detail: object) -> None:
        audit_log.log(self._session, self._who, action, card.team_id, card.id, **detail)


def _listed() -> Select[*tuple[Any, ...]]:
    """What lists show of cards; pictures and keys are not read for it."""
    return select(
        Card.id,
        Card.name,
        Card.text,
        Card.title,
        Card.view,
        Card.picture_type,
        Card.link,
        User.email,
        Card.created_at,
    ).outerjoin(User, User.id == Card.created_by)


def _told(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    shown = row._mapping
    return {
        **{name: shown[name] for name in ("id", "name", "text", "title", "view", "created_at")},
        "has_picture": shown["picture_type"] is not None,
        "shared": shown["link"] is not None,
        "created_by": shown["email"],
    }
