"""One dispatcher at a time: who holds a lock of Postgres, for as long as its session lives."""

from __future__ import annotations

import logging
from typing import Final

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

__all__ = ["Leader"]

_LOCK: Final = 7349016
_log = logging.getLogger(__name__)


class Leader:
    """`leads()` is asked before each thing that only one should do."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connection: Connection | None = None

    def leads(self) -> bool:
        """Whether this process holds the lock now, after trying to get it."""
        try:
            if self._connection is None:
                self._connection = self._try()
            else:
                self._connection.execute(text("SELECT 1"))
        except DBAPIError as error:
            _log.warning("no lock: %s", str(error.orig).partition("\n")[0])
            self._drop()
        return self._connection is not None

    def _try(self) -> Connection | None:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        taken = connection.scalar(text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _LOCK})
        if taken:
            _log.info("this dispatcher leads")
            return connection
        connection.close()
        return None

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None
