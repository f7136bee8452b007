"""Beginning and reading reproductions of cards."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator import reproductions
from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.cards.service import Cards
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.api.reproductions.schemas import (
    DifferingRun,
    NotCompared,
    ReproductionEstimate,
    ReproductionOut,
)
from weir_orchestrator.db import Card, Reproduction, User
from weir_orchestrator.reproductions import plan_of, tally_of, verdict_of
from weir_orchestrator.submission.estimate import expected_wall_s, jobs_up

__all__ = ["Reproductions"]


class Reproductions:
    """On behalf of `who`, in one session."""

    def __init__(self, session: Session, who: Principal) -> None:
        self._session = session
        self._who = who
        self._cards = Cards(session, who)

    def estimate(self, card_id: uuid.UUID) -> ReproductionEstimate:
        """Raises NotFound, NotAllowed."""
        card = self._cards.find(card_id, "submit")
        plan = plan_of(self._session, card)
        jobs = jobs_up(self._session)
        wall_s = 0.0
        if plan.runs:
            again = [plan.experiment(run) for runs in plan.again.values() for run in runs]
            wall_s = expected_wall_s(self._session, again) * plan.runs / jobs
        refusals = reproductions.refusals(self._session, card, plan)
        return ReproductionEstimate(
            runs=plan.runs,
            film_s=sum(plan.films_s().values()),
            wall_s=wall_s,
            jobs=jobs,
            left_out=_not_compared(plan.left_out.items()),
            allowed=not refusals,
            refusals=refusals,
        )

    def begin(self, card_id: uuid.UUID) -> ReproductionOut:
        """Raises NotFound, NotAllowed, Conflict, Unprocessable, QuotaExceeded."""
        card = self._cards.find(card_id, "submit")
        made = reproductions.begin(self._session, card, self._who.user_id)
        told = {"name": card.name, "runs": made.runs, "campaigns": made.campaigns}
        audit_log.log(self._session, self._who, "card.reproduce", card.team_id, card.id, **told)
        email = select(User.email).where(User.id == made.created_by)
        return self._out(made, card, self._session.scalar(email))

    def page(self, card_id: uuid.UUID, limit: int, cursor: str | None) -> Page[ReproductionOut]:
        """Newest first. Raises NotFound, Unprocessable."""
        card = self._cards.find(card_id)
        query = (
            select(Reproduction, User.email)
            .outerjoin(User, User.id == Reproduction.created_by)
            .where(Reproduction.card_id == card.id)
            .order_by(Reproduction.created_at.desc(), Reproduction.id.desc())
        )
        rows, after = page_of(self._session, query, limit, cursor)
        return Page(items=[self._out(made, card, email) for made, email in rows], next=after)

    def _out(self, made: Reproduction, card: Card, email: str | None) -> ReproductionOut:
        tally = tally_of(self._session, made, card)
        return ReproductionOut(
            id=made.id,
            verdict=verdict_of(made),
            runs=made.runs,
            ended=tally.ended,
            same=tally.same,
            differing=[DifferingRun(**each) for each in tally.differing],
            failed=_not_compared(tally.failed.items()),
            left_out=_not_compared(made.left_out),
            campaigns=[uuid.UUID(each) for each in made.campaigns],
            created_by=email,
            created_at=made.created_at,
            ended_at=made.ended_at,
        )


def _not_compared(some: Iterable[tuple[str, int]]) -> list[NotCompared]:
    return [NotCompared(reason=reason, runs=runs) for reason, runs in some]
