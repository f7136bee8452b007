"""Sending what is due, beside everything else: a slow receiver keeps nobody else waiting.

A try is noted before it is made, so that a process that dies over it leaves one try less and
nothing undone. At most one message at a time goes to a webhook.
"""

from __future__ import annotations

import logging
import random
import threading
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import bindparam, func, or_, select, update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Webhook, WebhookDelivery, utc_now
from weir_orchestrator.db.base import UtcDateTime
from weir_orchestrator.db.dialect import now
from weir_orchestrator.events import emit
from weir_orchestrator.settings import Settings
from weir_orchestrator.webhooks.plan import TEST, Planner
from weir_orchestrator.webhooks.sign import signed
from weir_orchestrator.webhooks.transport import TIMEOUT_S, NotDelivered, post

__all__ = ["STEPS", "Deliverer"]

STEPS: Final = tuple(
    timedelta(seconds=seconds) for seconds in (5, 60, 5 * 60, 30 * 60, 2 * 3600, 8 * 3600)
)
"""Between one try and the next, each up to a tenth longer; after the last one it has failed."""
_TRY: Final = timedelta(minutes=1)
"""Longer than a try takes: after it, one that is still under way died."""
_AT_ONCE: Final = 8
_POLL_S: Final = 2.0
_AFTER_ERROR_S: Final = 5.0
_GONE: Final = 410
_DUE: Final = (
    select(func.min(WebhookDelivery.id))
    .join(Webhook)
    .where(
        WebhookDelivery.state == "pending",
        WebhookDelivery.next_at <= bindparam("now", type_=UtcDateTime()),
        or_(Webhook.enabled, WebhookDelivery.kind == TEST),
        Webhook.id.not_in(bindparam("busy", expanding=True)),
    )
    .group_by(WebhookDelivery.webhook_id)
    .limit(bindparam("free"))
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Try:
    """One message on its way."""

    delivery_id: int
    webhook_id: uuid.UUID
    team_id: uuid.UUID
    campaign_id: uuid.UUID | None
    url: str
    secrets: tuple[str, ...]
    kind: str
    payload: dict[str, Any]
    number: int


class Deliverer:
    """Plans and sends from threads of its own, between `start` and `stop`."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        reading: sessionmaker[Session],
        settings: Settings,
        steps: Sequence[timedelta] = STEPS,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        """steps: between one try and the next; timeout_s: of a try."""
        self._steps = steps
        self._timeout_s = timeout_s
        self._sessions = sessions
        self._reading = reading
        self._to_private = settings.webhooks_to_private
        self._planner = Planner(sessions, reading, settings)
        self._stopping = threading.Event()
        self._busy: set[uuid.UUID] = set()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="webhook")
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends when the tries that are under way have."""
        self._stopping.set()
        self._thread.join()
        self._pool.shutdown(cancel_futures=True)

    def _run(self) -> None:
        wait_s = 0.0
        while not self._stopping.wait(wait_s):
            try:
                more = self._planner.plan()
                for each in self.claim():
                    self._pool.submit(self._try, each)
                wait_s = 0.0 if more else _POLL_S
            except Exception as error:
                _log.warning("webhooks: %s", type(error).__name__)
                wait_s = _AFTER_ERROR_S

    def claim(self) -> list[Try]:
        """The oldest that is due for every webhook that none is being sent to, noted as tried."""
        with self._lock:
            busy, free = set(self._busy), _AT_ONCE - len(self._busy)
        asked = {"now": utc_now(), "busy": list(busy), "free": free}
        with self._reading() as session:
            ids = list(session.scalars(_DUE, asked)) if free > 0 else []
        return [claimed for each in ids if (claimed := self._note_try(each)) is not None]

    def _note_try(self, delivery_id: int) -> Try | None:
        with self._sessions.begin() as session:
            moment = now(session)
            row = session.scalar(
                select(WebhookDelivery)
                .where(
                    WebhookDelivery.id == delivery_id,
                    WebhookDelivery.state == "pending",
                    WebhookDelivery.next_at <= moment,
                )
                .with_for_update(skip_locked=True)
            )
            if row is None:
                return None
            webhook = session.get_one(Webhook, row.webhook_id)
            row.attempts += 1
            row.next_at = moment + _TRY
            noted = Try(
                delivery_id=row.id,
                webhook_id=webhook.id,
                team_id=webhook.team_id,
                campaign_id=row.campaign_id,
                url=webhook.url,
                secrets=_secrets(webhook, moment),
                kind=row.kind,
                payload=row.payload,
                number=row.attempts,
            )
        with self._lock:
            self._busy.add(noted.webhook_id)
        return noted

    def _try(self, this: Try) -> None:
        status, error = None, ""
        try:
            message_id = f"msg_{this.webhook_id.hex}_{this.delivery_id}"
            headers, body = signed(message_id, this.payload, this.secrets, utc_now())
            try:
                status = post(
                    this.url,
                    headers,
                    body,
                    to_private=self._to_private,
                    timeout_s=self._timeout_s,
                )
            except NotDelivered as reason:
                error = str(reason)
            self._note_end(this, status, error)
        except Exception as unexpected:
            _log.warning("webhook delivery %d: %s", this.delivery_id, type(unexpected).__name__)
        finally:
            with self._lock:
                self._busy.discard(this.webhook_id)

    def _note_end(self, this: Try, status: int | None, error: str) -> None:
        delivered = status is not None and 200 <= status < 300
        if status is not None and 300 <= status < 400:
            error = "redirects are not followed: give the address that it leads to"
        last = status == _GONE or this.kind == TEST or this.number > len(self._steps)
        with self._sessions.begin() as session:
            moment = now(session)
            values: dict[str, Any] = {"status_code": status, "error": error, "next_at": None}
            if delivered:
                values |= {"state": "delivered", "delivered_at": moment}
            elif last:
                values |= {"state": "failed"}
            else:
                step = self._steps[this.number - 1] * random.uniform(1, 1.1)
                values |= {"next_at": moment + step}
            mine = update(WebhookDelivery).where(
                WebhookDelivery.id == this.delivery_id,
                WebhookDelivery.state == "pending",
                WebhookDelivery.attempts == this.number,
            )
            changed = mine.values(**values).returning(WebhookDelivery.id)
            if session.execute(changed).first() is None:
                return
            if status == _GONE:
                off = update(Webhook).where(Webhook.id == this.webhook_id)
                session.execute(off.values(enabled=False))
            if delivered or last:
                told = {
                    "webhook_id": str(this.webhook_id),
                    "delivery_id": this.delivery_id,
                    "kind": this.kind,
                    "state": "delivered" if delivered else "failed",
                }
                emit(session, this.team_id, this.campaign_id, "webhook.delivery", told)


def _secrets(webhook: Webhook, moment: datetime) -> tuple[str, ...]:
    """Those that sign now, the newest first."""
    until = webhook.old_secret_until
    if webhook.old_secret is None or until is None or until <= moment:
        return (webhook.secret,)
    return (webhook.secret, webhook.old_secret)
