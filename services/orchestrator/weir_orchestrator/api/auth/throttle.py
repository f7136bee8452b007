"""How often sign-in may be tried: per account and address, however many processes answer."""

from __future__ import annotations

import ipaddress
import math
import time
from typing import Final

from limits import RateLimitItem, RateLimitItemPerMinute
from limits.strategies import FixedWindowRateLimiter
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.api.auth.try_counts import TryCounts
from weir_orchestrator.errors import TooManyRequests

__all__ = ["PER_ACCOUNT", "PER_ADDRESS", "PER_PAIR", "Throttle", "network"]

PER_PAIR: Final = RateLimitItemPerMinute(10)
"""Of one account from one address."""
PER_ADDRESS: Final = RateLimitItemPerMinute(60)
PER_ACCOUNT: Final = RateLimitItemPerMinute(100)
"""From all addresses together, but not from those that its owner has signed in from: who tries
from many places neither guesses fast nor keeps the owner out.

All within a minute from the first try on, so twice as many may fall into one."""


class Throttle:
    """One per application; those of one database count together."""

    def __init__(self, sessions: sessionmaker[Session]) -> None:
        self._limiter = FixedWindowRateLimiter(TryCounts(sessions))

    def sign_in(self, account: str, address: str | None, is_known: bool = False) -> None:
        """Count one try. is_known: the account was signed in to from there before.

        Raises TooManyRequests.
        """
        where = network(address)
        self._hit(PER_ADDRESS, "address", where)
        self._hit(PER_PAIR, "pair", account, where)
        if not is_known:
            self._hit(PER_ACCOUNT, "account", account)

    def _hit(self, limit: RateLimitItem, *what: str) -> None:
        if not self._limiter.hit(limit, *what):
            left_s = self._limiter.get_window_stats(limit, *what).reset_time - time.time()
            # The database's clock may differ from this machine's.
            wait_s = min(max(1, math.ceil(left_s)), limit.get_expiry())
            raise TooManyRequests(f"too many tries to sign in; wait {wait_s} s", wait_s)


def network(address: str | None) -> str:
    """What counts as one address: of IPv6 the /64, all of which one subscriber has (RFC 6177)."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "unknown"
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
