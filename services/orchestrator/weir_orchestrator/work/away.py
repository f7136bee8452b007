"""Database and object store may be away for a while: what waits for them is tried again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from weir_engine.errors import CannotRun

__all__ = ["AWAY", "LONGEST_WAIT_S", "patiently", "said"]

AWAY: Final = (OperationalError, InterfaceError, PoolTimeout, CannotRun)
"""Database or store cannot be used now."""
LONGEST_WAIT_S: Final = 5.0
_log = logging.getLogger(__name__)


def patiently(what: str, do: Callable[[], None], given_up: Callable[[], bool]) -> bool:
    """Do it once they are there; False where it is given up before that. what: waits meanwhile."""
    wait_s = 0.1
    while True:
        try:
            do()
        except AWAY as error:
            _log.warning("%s: %s", what, said(error))
            if given_up():
                return False
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        else:
            return True


def said(error: BaseException) -> str:
    """One line without the statement and its values."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]
