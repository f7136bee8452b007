"""How often sign-in may be tried: per account and per address, however many processes answer."""

from __future__ import annotations

import math
import time
from typing import Final

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.api.auth.try_counts import TryCounts
from weir_orchestrator.errors import TooManyRequests

__all__ = ["PER_ACCOUNT", "PER_ADDRESS", "Throttle"]

PER_ACCOUNT: Final = RateLimitItemPerMinute(10)
PER_ADDRESS: Final = RateLimitItemPerMinute(60)
"""Within a minute from the first try on, so twice as many may fall into one."""


class Throttle:
    """One per application; those of one database count together."""

    def __init__(self, sessions: sessionmaker[Session]) -> None:
        self._limiter = FixedWindowRateLimiter(TryCounts(sessions))

    def sign_in(self, account: str, address: str | None) -> None:
        """Count one try. Raises TooManyRequests."""
        self._hit(PER_ADDRESS, "address", address or "unknown")
        self._hit(PER_ACCOUNT, "account", account)

    def _hit(self, limit: RateLimitItem, *what: str) -> None:
        if not self._limiter.hit(limit, *what):
            left_s = self._limiter.get_window_stats(limit, *what).reset_time - time.time()
            # The database's clock may differ from this machine's.
            wait_s = min(max(1, math.ceil(left_s)), limit.get_expiry())
            raise TooManyRequests(f"too many tries to sign in; wait {wait_s} s", wait_s)
