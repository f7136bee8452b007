"""Counters of rate limits in the database, so that they hold over all processes of the API."""

from __future__ import annotations

from datetime import timedelta

from limits.storage import Storage
from sqlalchemy import case, delete, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.api.auth.secrets import digest
from weir_orchestrator.db import TryCount
from weir_orchestrator.db.dialect import insert, now

__all__ = ["TryCounts"]


class TryCounts(Storage):
    """What the limits library counts with. Each method is a transaction of its own."""

    STORAGE_SCHEME = None

    def __init__(self, sessions: sessionmaker[Session]) -> None:
        super().__init__()
        self._sessions = sessions

    @property
    def base_exceptions(self) -> type[Exception]:
        return SQLAlchemyError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count; the first count of a window decides when it ends. One statement: none is lost."""
        with self._sessions.begin() as session:
            moment = now(session)
            ends_at = moment + timedelta(seconds=expiry)
            first = {"count": amount, "ends_at": ends_at}
            over = TryCount.ends_at <= moment
            following = {
                "count": case((over, amount), else_=TryCount.count + amount),
                "ends_at": case((over, ends_at), else_=TryCount.ends_at),
            }
            counted = (
                insert(session, TryCount)
                .values(key=digest(key), **first)
                .on_conflict_do_update(index_elements=[TryCount.key], set_=following)
                .returning(TryCount.count)
            )
            return session.scalars(counted).one()

    def get(self, key: str) -> int:
        with self._sessions() as session:
            mine = select(TryCount.count).where(TryCount.key == digest(key))
            return session.scalar(mine.where(TryCount.ends_at > now(session))) or 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, in seconds since 1970; now where nothing was counted."""
        with self._sessions() as session:
            mine = select(TryCount.ends_at).where(TryCount.key == digest(key))
            return (session.scalar(mine) or now(session)).timestamp()

    def check(self) -> bool:
        with self._sessions() as session:
            session.execute(select(TryCount.key).limit(1))
        return True

    def reset(self) -> None:
        with self._sessions.begin() as session:
            session.execute(delete(TryCount))

    def clear(self, key: str) -> None:
        with self._sessions.begin() as session:
            session.execute(delete(TryCount).where(TryCount.key == digest(key)))
