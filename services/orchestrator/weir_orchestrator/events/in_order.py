"""Reading events as they are committed: each once, ids ascending, none left out.

Postgres gives out an id when a row is inserted and shows the row when its transaction commits, so
a smaller id may show later. Where ids are missing between rows, what comes after the gap waits
until every transaction that was writing events when the gap was seen has ended: the missing rows
are there then, or never will be. Those transactions are known by their lock on the table
(RowExclusiveLock, taken before the first id and let go after the rows show). SQLite has one writer
at a time and never shows ids out of order.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Event

__all__ = ["InOrder"]

_HOLD_S: Final = 300.0
"""A transaction that stays open for longer loses its events; it must not hold up all others."""
_WRITERS: Final = text(
    "SELECT DISTINCT virtualtransaction FROM pg_locks JOIN pg_database ON oid = database "
    "WHERE datname = current_database() AND relation = 'event'::regclass "
    "AND mode = 'RowExclusiveLock' AND granted"
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Gap:
    """What is missing up to the id `until` is lost once all `writers` have ended."""

    until: int
    writers: frozenset[str]
    since_s: float


class InOrder:
    """A reader with a position: the last id that was given out. Not safe to share by threads.

    Sessions must be of the isolation level READ COMMITTED, Postgres's default.
    """

    def __init__(self, sessions: sessionmaker[Session], position: int | None = None) -> None:
        """Read from after `position`; None: from what is committed once `position` is set."""
        self._sessions = sessions
        self._gap: _Gap | None = None
        self.position = position

    @property
    def waits(self) -> bool:
        """Whether events may be there that could not be given out yet: read again soon."""
        return self.position is None or self._gap is not None

    def read(self, at_most: int = 1000) -> list[Event]:
        """What came since the last call, in order."""
        with self._sessions() as session:
            if self.position is None and not self._begin(session):
                return []
            settled = self._settled(session)
            rows = list(
                session.scalars(
                    select(Event).where(Event.id > self.position).order_by(Event.id).limit(at_most)
                )
            )
            found = self._release(rows, settled)
            if len(found) < len(rows) and self._gap is None:
                self._gap = _Gap(rows[-1].id, _writers(session), time.monotonic())
        return found

    def _begin(self, session: Session) -> bool:
        """Whether the position is known: nothing with a smaller id is still to come."""
        if self._gap is None:
            newest = session.scalar(select(func.max(Event.id))) or 0
            self._gap = _Gap(newest, _writers(session), time.monotonic())
        if (settled := self._settled(session)) is None:
            return False
        self.position = settled
        return True

    def _settled(self, session: Session) -> int | None:
        """Up to which id nothing is missing any more that could still come."""
        gap = self._gap
        if gap is None:
            return None
        if gap.writers and gap.writers & _writers(session):
            if time.monotonic() - gap.since_s < _HOLD_S:
                return None
            _log.warning("a transaction writes events for over %g s: not waited for", _HOLD_S)
        self._gap = None
        return gap.until

    def _release(self, rows: list[Event], settled: int | None) -> list[Event]:
        assert self.position is not None
        found = []
        for row in rows:
            if row.id > max(self.position, settled or 0) + 1:
                break
            self.position = row.id
            found.append(row)
        return found


def _writers(session: Session) -> frozenset[str]:
    if session.get_bind().dialect.name == "sqlite":
        return frozenset()
    return frozenset(session.scalars(_WRITERS))
