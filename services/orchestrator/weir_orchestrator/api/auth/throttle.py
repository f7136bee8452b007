"""How often sign-in may be tried: per account and per address, counted in this process."""

from __future__ import annotations

import math
import time
from typing import Final

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from weir_orchestrator.api.problems import TooManyRequests

__all__ = ["PER_ACCOUNT", "PER_ADDRESS", "Throttle"]

PER_ACCOUNT: Final = RateLimitItemPerMinute(10)
PER_ADDRESS: Final = RateLimitItemPerMinute(60)


class Throttle:
    """One per application."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def sign_in(self, account: str, address: str | None) -> None:
        """Count one try. Raises TooManyRequests."""
        self._hit(PER_ADDRESS, "address", address or "unknown")
        self._hit(PER_ACCOUNT, "account", account)

    def _hit(self, limit: RateLimitItem, *what: str) -> None:
        if not self._limiter.hit(limit, *what):
            wait_s = self._limiter.get_window_stats(limit, *what).reset_time - time.time()
            wait_s = max(1, math.ceil(wait_s))
            raise TooManyRequests(f"too many tries to sign in; wait {wait_s} s", wait_s)
