"""Errors of the platform that a client is told, one class per kind, with the status of its answer.

ApiError
├── NotSignedIn         401
├── NotAllowed          403
├── NotFound            404  also what other teams own: its existence is not told
├── TooSlow             408
├── Conflict            409  the thing's state does not allow it
├── TooLarge            413
├── Unprocessable       422  `problems` lists field, value, allowed, remedy
├── TooManyRequests     429
├── QuotaExceeded       429
└── Unavailable         503  database or object store cannot be reached

How an answer is made of them: api/problems.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from math import isfinite
from typing import Annotated, Any, ClassVar, Final

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field
from weir.errors import WeirError

__all__ = [
    "MOST_PROBLEMS",
    "ApiError",
    "Conflict",
    "FieldProblem",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "QuotaExceeded",
    "SignInRefused",
    "TooLarge",
    "TooManyRequests",
    "TooSlow",
    "Unavailable",
    "Unprocessable",
]


MOST_PROBLEMS: Final = 100
"""That one answer tells of."""
_LONGEST: Final = 300
_LONGEST_VALUE: Final = 200
_LARGEST: Final = 2**63


def shown(value: Any) -> Any:
    """A value as an answer can carry it: no infinity, no number without end, and no whole file."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) <= _LARGEST and isfinite(value):
        return value
    return _cut(_LONGEST_VALUE)(_text_of(value))


def _text_of(value: Any) -> str:
    try:
        # Input may hold surrogates, which no encoding has.
        return str(value).encode(errors="backslashreplace").decode()
    except ValueError:  # a number of more digits than Python writes
        return "a number of too many digits"


def _cut(longest: int) -> Callable[[str], str]:
    def cut(text: str) -> str:
        return text if len(text) <= longest else f"{text[: longest - 1]}…"

    return cut


_Words = Annotated[str, BeforeValidator(_text_of), AfterValidator(_cut(_LONGEST))]


class FieldProblem(BaseModel):
    """One thing that is wrong with the input. What is long is cut: the input may be."""

    path: _Words = Field(
        examples=["gateway.downlink.rate"], description="Where in the input; empty: all of it."
    )
    value: Annotated[Any, BeforeValidator(shown)] = Field(
        default=None, examples=["8"], description="What stood there."
    )
    allowed: _Words = Field(
        default="", examples=["a rate such as 8Mbit/s"], description="What may stand there."
    )
    remedy: _Words = Field(default="", examples=["give the unit"], description="What to do.")


class ApiError(WeirError):
    """Base of what the API answers instead of a result."""

    status: ClassVar[int] = 500
    kind: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong here"

    def __init__(self, detail: str, problems: Iterable[FieldProblem] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.problems = list(islice(problems, MOST_PROBLEMS))

    def headers(self) -> dict[str, str]:
        """Headers of the answer."""
        return {}


class NotSignedIn(ApiError):
    status, kind, title = 401, "not-signed-in", "Sign in first"

    def headers(self) -> dict[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class SignInRefused(NotSignedIn):
    title = "You could not be signed in"


class NotAllowed(ApiError):
    status, kind, title = 403, "not-allowed", "This needs more rights"


class NotFound(ApiError):
    status, kind, title = 404, "not-found", "There is no such thing"


class TooSlow(ApiError):
    status, kind, title = 408, "too-slow", "The input came too slowly"


class Conflict(ApiError):
    status, kind, title = 409, "conflict", "Its state does not allow this"


class TooLarge(ApiError):
    status, kind, title = 413, "too-large", "The input is too large"


class Unprocessable(ApiError):
    status, kind, title = 422, "unprocessable", "The input has errors"


class TooManyRequests(ApiError):
    status, kind, title = 429, "too-many-requests", "Too many requests"

    def __init__(self, detail: str, retry_after_s: int) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s

    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after_s)}


class QuotaExceeded(ApiError):
    status, kind, title = 429, "quota-exceeded", "The team's quota does not allow this"


class Unavailable(ApiError):
    status, kind, title = 503, "unavailable", "A part of the service cannot be reached"

    def headers(self) -> dict[str, str]:
        return {"Retry-After": "5"}
