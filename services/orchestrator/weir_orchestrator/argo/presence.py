"""The dispatcher among the workers: one that carries out nothing itself.

Pods come and go. By this row, whoever looks for campaigns that nobody can carry out
(weir_orchestrator.housekeeping.stranded) knows at any time what they could.
"""

from __future__ import annotations

import os
import platform
import time
import uuid
from collections.abc import Callable
from typing import Final

from sqlalchemy import update
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Worker
from weir_orchestrator.db.dialect import now
from weir_orchestrator.work.claim import Versions

__all__ = ["Presence"]

_BEAT_S: Final = 3.0


class Presence:
    """`keep()` is called again and again, more often than leases end."""

    def __init__(self, sessions: sessionmaker[Session], versions: Callable[[], Versions]) -> None:
        self._sessions = sessions
        self._versions = versions
        self._id = uuid.uuid4()
        self._told_at = -_BEAT_S

    def keep(self) -> None:
        """Say that the dispatcher is there, if that was not said just now."""
        if time.monotonic() - self._told_at < _BEAT_S:
            return
        can = self._versions()
        with self._sessions.begin() as session:
            row = Worker(
                id=self._id,
                host=platform.node(),
                pid=os.getpid(),
                jobs=0,
                roles_hash=can.roles,
                kernels=list(can.kernels),
                clocks=list(can.clocks),
                state="up",
                seen_at=now(session),
            )
            session.merge(row)
        self._told_at = time.monotonic()

    def end(self) -> None:
        """Say that it goes."""
        with self._sessions.begin() as session:
            session.execute(update(Worker).where(Worker.id == self._id).values(state="gone"))
