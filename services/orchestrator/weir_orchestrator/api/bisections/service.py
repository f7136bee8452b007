"""Beginning and reading bisections."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir_engine.errors import BadInput

from weir_orchestrator import schedules
from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.bisections.schemas import BisectionOut, NewBisection, StepOut
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.api.schedules.lookup import campaign_of, schedule_of
from weir_orchestrator.db import Bisection, Night, Schedule
from weir_orchestrator.errors import Unprocessable
from weir_orchestrator.settings import Settings

__all__ = ["Bisections"]


class Bisections:
    """On behalf of `who`, in one session."""

    def __init__(self, session: Session, settings: Settings, who: Principal) -> None:
        self._session = session
        self._settings = settings
        self._who = who

    def begin(self, schedule_id: uuid.UUID, new: NewBisection) -> BisectionOut:
        """Raises NotFound, NotAllowed, Unprocessable, SpecError."""
        schedule = schedule_of(self._session, self._who, schedule_id, "submit")
        bad = campaign_of(self._session, schedule.team_id, new.bad, "bad")
        if (good_id := new.good) is None:
            night = self._session.get(Night, bad.id)
            if night is None or night.baseline_id is None:
                raise Unprocessable("good: the bad night was compared with none; give a good one")
            good_id = night.baseline_id
        good = campaign_of(self._session, schedule.team_id, good_id, "good")
        try:
            found = schedules.begin(
                self._session,
                self._settings,
                schedule,
                good,
                bad,
                new.subject,
                self._who.user_id,
            )
        except BadInput as error:
            raise Unprocessable(str(error)) from error
        told = {"bad": str(bad.id), "good": str(good.id), "subject": found.name}
        audit_log.log(
            self._session, self._who, "schedule.bisect", schedule.team_id, schedule.id, **told
        )
        return _out(found)

    def get(self, bisection_id: uuid.UUID) -> BisectionOut:
        """Raises NotFound."""
        found = self._session.get(Bisection, bisection_id)
        team = self._session.get_one(Schedule, found.schedule_id).team_id if found else None
        self._who.require(team, "read", "bisection")
        assert found is not None
        return _out(found)

    def page(self, schedule_id: uuid.UUID, limit: int, cursor: str | None) -> Page[BisectionOut]:
        """Newest first. Raises NotFound, Unprocessable."""
        schedule_of(self._session, self._who, schedule_id)
        query = select(Bisection).where(Bisection.schedule_id == schedule_id)
        ordered = query.order_by(Bisection.created_at.desc(), Bisection.id)
        rows, following = page_of(self._session, ordered, limit, cursor)
        return Page[BisectionOut](items=[_out(row[0]) for row in rows], next=following)


def _out(found: Bisection) -> BisectionOut:
    own = ("id", "state", "told", "created_at", "ended_at")
    return BisectionOut.model_construct(
        **{name: getattr(found, name) for name in own},
        schedule=found.schedule_id,
        subject=found.name,
        good=found.good_id,
        bad=found.bad_id,
        campaign=found.campaign_id,
        first_bad=found.commits[found.high] if found.state == "found" else None,
        left=found.high - found.low,
        steps=[StepOut.model_validate(each) for each in found.steps],
    )
