"""From events to deliveries: each event is looked at once, also when housekeepers die."""

from __future__ import annotations

import uuid
from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Campaign, Event, EventCursor, Webhook, WebhookDelivery
from weir_orchestrator.db.dialect import now
from weir_orchestrator.events import InOrder
from weir_orchestrator.lifecycle import ENDED, count_states
from weir_orchestrator.settings import Settings

__all__ = ["FAILURES_EVERY", "KINDS", "TEST", "Planner"]

KINDS: Final = ("campaign.ended", "campaign.worse", "run.failed", "schedule.failed")
TEST: Final = "test"
FAILURES_EVERY: Final = timedelta(minutes=1)
"""Between two messages on a campaign's failed runs; what fails meanwhile is in the next one."""
_CURSOR: Final = "webhooks"
_ANYTHING_NEW: Final = select(
    select(func.max(Event.id)).scalar_subquery() > EventCursor.position
).where(EventCursor.name == _CURSOR)
_RUNS_TOLD: Final = 10
_REASON: Final = 500


class Planner:
    """reading: read-only sessions, for use inside of another one's transaction."""

    def __init__(
        self, sessions: sessionmaker[Session], reading: sessionmaker[Session], settings: Settings
    ) -> None:
        self._sessions = sessions
        self._reading = reading
        self._link = settings.public_url.rstrip("/")
        self._reader: InOrder | None = None

    def plan(self) -> bool:
        """Write deliveries of what happened since the last time; whether there is more."""
        if not self._anything_new():
            return False
        with self._sessions.begin() as session:
            mine = select(EventCursor).where(EventCursor.name == _CURSOR)
            cursor = session.scalar(mine.with_for_update(skip_locked=True))
            if cursor is None:
                return False
            if self._reader is None or self._reader.position != cursor.position:
                self._reader = InOrder(self._reading, cursor.position)
            found = self._reader.read()
            self._write(session, found)
            assert self._reader.position is not None
            cursor.position = self._reader.position
        return bool(found)

    def _anything_new(self) -> bool:
        with self._reading() as session:
            return bool(session.scalars(_ANYTHING_NEW).one())

    def _write(self, session: Session, found: list[Event]) -> None:
        teams = {event.team_id for event in found}
        query = select(Webhook).where(Webhook.team_id.in_(teams), Webhook.enabled)
        webhooks = defaultdict(list)
        for webhook in session.scalars(query):
            webhooks[webhook.team_id].append(webhook)
        if not webhooks:
            return
        failures: dict[uuid.UUID, list[Event]] = defaultdict(list)
        for event in (event for event in found if event.team_id in webhooks):
            of_team = webhooks[event.team_id]
            if event.kind == "campaign.state" and event.data["state"] in ENDED:
                if (about := self._about(session, event)) is not None:
                    self._add(session, of_team, "campaign.ended", event, about)
            elif event.kind == "campaign.judged" and event.data.get("alarming"):
                if (about := self._about(session, event)) is not None:
                    about["night"] = event.data
                    self._add(session, of_team, "campaign.worse", event, about)
            elif event.kind == "schedule.tick" and event.data["outcome"] == "failed":
                detail = event.data["detail"][: 4 * _REASON]
                about = {"schedule": {**event.data, "detail": detail}}
                self._add(session, of_team, "schedule.failed", event, about)
            elif event.kind == "run.ended" and event.data["state"] == "failed":
                assert event.campaign_id is not None
                failures[event.campaign_id].append(event)
        for campaign_id, events in failures.items():
            for webhook in webhooks[events[0].team_id]:
                if "run.failed" in webhook.events:
                    self._add_failures(session, webhook, campaign_id, events)

    def _add(
        self, session: Session, webhooks: list[Webhook], kind: str, event: Event, about: Any
    ) -> None:
        for webhook in webhooks:
            if kind in webhook.events:
                session.add(
                    WebhookDelivery(
                        webhook_id=webhook.id,
                        campaign_id=event.campaign_id,
                        kind=kind,
                        payload=_payload(kind, event.at, about),
                    )
                )

    def _add_failures(
        self, session: Session, webhook: Webhook, campaign_id: uuid.UUID, events: list[Event]
    ) -> None:
        """To the message that waits to be sent, or in a new one, due a minute after the last."""
        same = (
            WebhookDelivery.campaign_id == campaign_id,
            WebhookDelivery.kind == "run.failed",
            WebhookDelivery.webhook_id == webhook.id,
        )
        newest = select(WebhookDelivery).where(*same).order_by(WebhookDelivery.id.desc()).limit(1)
        last = session.scalar(newest.with_for_update())
        runs = [
            {**event.data, "reason": event.data["reason"][:_REASON]}
            for event in events[:_RUNS_TOLD]
        ]
        if last is not None and last.state == "pending" and last.attempts == 0:
            data = last.payload["data"]
            told = {"failed": data["failed"] + len(events), "runs": [*data["runs"], *runs]}
            told["runs"] = told["runs"][:_RUNS_TOLD]
            last.payload = {**last.payload, "data": {**data, **told}}
            return
        about = self._about(session, events[0])
        if about is None:
            return
        moment = now(session)
        due = max(moment, last.due_at + FAILURES_EVERY) if last is not None else moment
        about |= {"failed": len(events), "runs": runs}
        session.add(
            WebhookDelivery(
                webhook_id=webhook.id,
                campaign_id=campaign_id,
                kind="run.failed",
                payload=_payload("run.failed", events[0].at, about),
                due_at=due,
                next_at=due,
            )
        )
        session.flush()

    def _about(self, session: Session, event: Event) -> dict[str, Any] | None:
        campaign = session.get(Campaign, event.campaign_id) if event.campaign_id else None
        if campaign is None:
            return None
        counts = campaign.counts or count_states(session, [campaign.id])[campaign.id]
        about: dict[str, Any] = {
            "id": str(campaign.id),
            "name": campaign.name,
            "state": campaign.state,
            "run_count": campaign.run_count,
            "counts": counts,
        }
        if self._link:
            about["url"] = f"{self._link}/campaigns/{campaign.id}"
        return {"campaign": about}


def _payload(kind: str, at: datetime, data: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "timestamp": at.isoformat(), "data": data}
