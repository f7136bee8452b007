"""What can go wrong between client and server.

ClientError                 str() is a message for a person
├── ConnectionLost          the server was not reached, or went away; `sent`: the request may have
│                           been carried out
├── BadAnswer               an answer that is not one of Weir's API
└── ApiError                the server's answer: status, title, detail, problems
    ├── NotSignedIn         401
    ├── NotAllowed          403
    ├── NotFound            404  also for what other teams own
    ├── Conflict            409  the thing's state does not allow it
    ├── TooLarge            413
    ├── Unprocessable       422  problems: field, value, allowed, remedy
    ├── TooManyRequests     429
    ├── QuotaExceeded       429
    └── Unavailable         503  database or object store cannot be reached
"""

from __future__ import annotations

from typing import Final

import httpx2
from pydantic import ValidationError

from weir_sdk.models import FieldProblem, ProblemDetails

__all__ = [
    "ApiError",
    "BadAnswer",
    "ClientError",
    "Conflict",
    "ConnectionLost",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "QuotaExceeded",
    "TooLarge",
    "TooManyRequests",
    "Unavailable",
    "Unprocessable",
    "lost",
    "of_answer",
]


class ClientError(Exception):
    """Base of all that this client raises."""


class ConnectionLost(ClientError):
    """No answer. sent: the request may have arrived all the same."""

    def __init__(self, message: str, *, sent: bool) -> None:
        super().__init__(message)
        self.sent = sent


class BadAnswer(ClientError):
    """What answers there is no Weir, or another version of it."""


class ApiError(ClientError):
    """The server's answer instead of a result; retry_after_s: when to ask again, if it says so."""

    def __init__(self, details: ProblemDetails, retry_after_s: float | None = None) -> None:
        self.status = details.status
        self.title = details.title
        self.detail = details.detail
        self.problems = details.problems
        self.retry_after_s = retry_after_s
        told = [f"{self.title}: {self.detail}" if self.detail else self.title]
        super().__init__("\n".join([*told, *map(_told, self.problems)]))


class NotSignedIn(ApiError):
    """Without a token, or with one that is no longer good."""


class NotAllowed(ApiError):
    """The token's scope, or the role in the team, is too small."""


class NotFound(ApiError):
    """It is not there, or another team's."""


class Conflict(ApiError):
    """The thing's state does not allow this."""


class TooLarge(ApiError):
    """The request has too many bytes."""


class Unprocessable(ApiError):
    """The input has errors: see `problems`."""


class TooManyRequests(ApiError):
    """Ask more slowly."""


class QuotaExceeded(ApiError):
    """The team's quota does not allow this."""


class Unavailable(ApiError):
    """A part of the service cannot be reached now."""


_BY_TYPE: Final[dict[str, type[ApiError]]] = {
    "/problems/not-signed-in": NotSignedIn,
    "/problems/not-allowed": NotAllowed,
    "/problems/not-found": NotFound,
    "/problems/conflict": Conflict,
    "/problems/too-large": TooLarge,
    "/problems/unprocessable": Unprocessable,
    "/problems/too-many-requests": TooManyRequests,
    "/problems/quota-exceeded": QuotaExceeded,
    "/problems/unavailable": Unavailable,
}
# Of a proxy before the server.
_BY_STATUS: Final[dict[int, type[ApiError]]] = {
    413: TooLarge,
    429: TooManyRequests,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def _told(problem: FieldProblem) -> str:
    head = problem.path if problem.value is None else f"{problem.path}: {problem.value}"
    head += f" — allowed: {problem.allowed}" if problem.allowed else ""
    return f"{head}\n    {problem.remedy}" if problem.remedy else head


def of_answer(response: httpx2.Response) -> ClientError:
    """The error that an answer (its body read) without success means."""
    status = response.status_code
    try:
        details = ProblemDetails.model_validate_json(response.content)
    except ValidationError:
        if status not in _BY_STATUS:
            return BadAnswer(f"{response.request.url} answered {status}: is there a Weir?")
        details = ProblemDetails(
            type="about:blank", title=response.reason_phrase, status=status, detail="", problems=[]
        )
    kind = _BY_TYPE.get(details.type) or _BY_STATUS.get(status, ApiError)
    after = response.headers.get("retry-after", "")
    return kind(details, float(after) if after.isdecimal() else None)


def lost(error: httpx2.TransportError, where: str) -> ConnectionLost:
    """The error that a failed connection means."""
    before = isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
    told = str(error) or type(error).__name__
    return ConnectionLost(f"{where} cannot be reached: {told}", sent=not before)
