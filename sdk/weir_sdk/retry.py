"""When a request is sent again, and after how long."""

from __future__ import annotations

from typing import Any, Final

import tenacity

from weir_sdk.call import Call
from weir_sdk.errors import ApiError, ConnectionLost, TooManyRequests, Unavailable

__all__ = ["policy", "worth_another_try"]

_LONGEST_S: Final = 60.0
_BACK_OFF: Final = tenacity.wait_random_exponential(multiplier=0.5, max=10.0)


def policy(call: Call[Any], tries: int) -> dict[str, Any]:
    """Options for tenacity's Retrying or AsyncRetrying."""
    return {
        "retry": tenacity.retry_if_exception(lambda error: worth_another_try(call, error)),
        "wait": _pause_s,
        "stop": tenacity.stop_after_attempt(tries),
        "reraise": True,
    }


def worth_another_try(call: Call[Any], error: BaseException) -> bool:
    """Whether the same request can do better later, and cannot do harm twice.

    429 is answered before anything is done; 503 may come at the end of it.
    """
    if isinstance(error, TooManyRequests):
        return (error.retry_after_s or 0.0) <= _LONGEST_S
    if isinstance(error, ConnectionLost):
        return call.repeatable or not error.sent
    return isinstance(error, Unavailable) and call.repeatable


def _pause_s(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_s if isinstance(error, ApiError) else None
    return _BACK_OFF(state) if asked is None else asked
