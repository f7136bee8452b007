"""A worker's heartbeat: keeps its leases, and tells its row what has changed."""

from __future__ import annotations

import uuid
from collections.abc import Set
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Worker
from weir_orchestrator.work import lease

__all__ = ["Heartbeat"]

_AT_MOST_S: Final = 2.0


class Heartbeat:
    """Every database error goes through; what could not be told then is told the next time."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        worker_id: uuid.UUID,
        leased_for: timedelta,
        **told: Any,
    ) -> None:
        """told: columns of the worker's row as they were when it was registered."""
        self._sessions = sessions
        self._worker_id = worker_id
        self._leased_for = leased_for
        self._told = told
        self.every_s = min(_AT_MOST_S, leased_for.total_seconds() / 4)

    def beat(self, held: Set[str]) -> set[str]:
        """Keep their leases; keys among held that are the worker's no longer, or that nobody wants.

        held: taken before this, so that what is claimed meanwhile is not taken for lost.
        """
        with self._sessions.begin() as session:
            kept = lease.keep(session, self._worker_id, self._leased_for, held)
            unwanted = lease.unwanted(session, self._worker_id)
        return unwanted | (held - kept)

    def tell(self, **what: Any) -> None:
        """Write those columns of the worker's row that are not as they were told last."""
        new = {name: value for name, value in what.items() if self._told.get(name) != value}
        if not new:
            return
        with self._sessions.begin() as session:
            session.execute(update(Worker).where(Worker.id == self._worker_id).values(**new))
        self._told |= new
