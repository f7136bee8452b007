"""Errors of the API: problem details (RFC 9457), one class per kind, documented in the OpenAPI.

ApiError
├── NotSignedIn         401
├── NotAllowed          403
├── NotFound            404  also what other teams own: its existence is not told
├── Conflict            409  the thing's state does not allow it
├── TooLarge            413
├── Unprocessable       422  `problems` lists field, value, allowed, remedy
├── TooManyRequests     429
├── QuotaExceeded       429
└── Unavailable         503  database or object store cannot be reached
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any, ClassVar

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.exceptions import HTTPException
from weir.errors import SpecError, WeirError
from weir_orchestrator.objects import StoreUnavailable

__all__ = [
    "ApiError",
    "Conflict",
    "FieldProblem",
    "NotAllowed",
    "NotFound",
    "NotSignedIn",
    "ProblemDetails",
    "QuotaExceeded",
    "TooLarge",
    "TooManyRequests",
    "Unavailable",
    "Unprocessable",
    "answer",
    "documented",
    "install",
]

MEDIA_TYPE = "application/problem+json"
# Input with such a field is not repeated in the answer, wherever its error is.
_SECRET = "password"


class FieldProblem(BaseModel):
    """One thing that is wrong with the input."""

    path: str = Field(examples=["gateway.downlink.rate"])
    value: Any = Field(default=None, examples=["8"])
    allowed: str = Field(default="", examples=["a rate such as 8Mbit/s"])
    remedy: str = Field(default="", examples=["give the unit"])


class ProblemDetails(BaseModel):
    """RFC 9457. `type` names the kind of error; `problems` is there for bad input."""

    type: str = Field(examples=["/problems/unprocessable"])
    title: str = Field(examples=["The input has errors"])
    status: int = Field(examples=[422])
    detail: str = Field(examples=["1 problem"])
    problems: list[FieldProblem] = []


class ApiError(WeirError):
    """Base of what the API answers instead of a result."""

    status: ClassVar[int] = 500
    kind: ClassVar[str] = "internal"
    title: ClassVar[str] = "Something went wrong here"

    def __init__(self, detail: str, problems: Iterable[FieldProblem] = ()) -> None:
        super().__init__(detail)
        self.detail = detail
        self.problems = list(problems)

    def headers(self) -> dict[str, str]:
        """Headers of the answer."""
        return {}


class NotSignedIn(ApiError):
    status, kind, title = 401, "not-signed-in", "Sign in first"

    def headers(self) -> dict[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class NotAllowed(ApiError):
    status, kind, title = 403, "not-allowed", "This needs more rights"


class NotFound(ApiError):
    status, kind, title = 404, "not-found", "There is no such thing"


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


def documented(*kinds: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    """`responses=` of an endpoint that may answer with these."""
    titles: dict[int, list[str]] = {}
    for kind in kinds:
        titles.setdefault(kind.status, []).append(kind.title)
    return {
        status: {
            "model": ProblemDetails,
            "description": "; ".join(found),
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
        }
        for status, found in titles.items()
    }


def install(app: FastAPI) -> None:
    """Have the app answer every error as problem details."""
    app.add_exception_handler(ApiError, _of_api)
    app.add_exception_handler(SpecError, _of_spec)
    app.add_exception_handler(RequestValidationError, _of_validation)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(OperationalError, _of_database)
    app.add_exception_handler(NoConnection, _of_database)
    app.add_exception_handler(DataError, _of_data)
    app.add_exception_handler(StoreUnavailable, _of_store)


def from_spec(error: SpecError) -> Unprocessable:
    """A campaign's errors as an answer."""
    found = [
        FieldProblem(path=p.path, value=p.value, allowed=p.allowed, remedy=p.remedy)
        for p in error.problems
    ]
    return Unprocessable(_counted(len(found)), found)


def answer(error: ApiError) -> JSONResponse:
    """An error as the response that tells it."""
    content = ProblemDetails(
        type=f"/problems/{error.kind}",
        title=error.title,
        status=error.status,
        detail=error.detail,
        problems=error.problems,
    )
    return JSONResponse(
        jsonable_encoder(content), error.status, error.headers(), media_type=MEDIA_TYPE
    )


def _of_api(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)
    return answer(error)


def _of_spec(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, SpecError)
    return answer(from_spec(error))


def _of_validation(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    each_path = [_text(".".join(map(str, each["loc"][1:]))) for each in error.errors()]
    secret = any(_SECRET in name for name in (*each_path, *_names(error.body)))
    found = [
        FieldProblem(
            path=path or str(each["loc"][0]),
            value=None if secret else _shown(each.get("input")),
            allowed=each["msg"],
        )
        for path, each in zip(each_path, error.errors(), strict=True)
    ]
    return answer(Unprocessable(_counted(len(found)), found))


def _of_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        # FastAPI's answer to a body that it cannot decode, which no endpoint documents.
        return answer(Unprocessable("the body cannot be read: send JSON in UTF-8"))
    content = {
        "type": "about:blank",
        "title": str(error.detail),
        "status": error.status_code,
        "detail": f"{request.method} {request.url.path}",
    }
    return JSONResponse(content, error.status_code, error.headers, media_type=MEDIA_TYPE)


def _of_database(request: Request, error: Exception) -> JSONResponse:
    return answer(Unavailable("the database cannot be reached now; try again"))


def _of_data(request: Request, error: Exception) -> JSONResponse:
    return answer(Unprocessable("a value does not fit: it is too large, or holds a NUL character"))


def _of_store(request: Request, error: Exception) -> JSONResponse:
    return answer(Unavailable("the object store cannot be reached now; try again"))


def _names(body: Any) -> list[str]:
    return [str(name) for name in body] if isinstance(body, dict) else []


def _counted(number: int) -> str:
    return "1 problem" if number == 1 else f"{number} problems"


def _shown(value: Any) -> Any:
    """A value as an answer can carry it: no infinity, and no whole file."""
    if value is None or isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return value
    return _text(str(value)[:200])


def _text(value: str) -> str:
    """Input may hold surrogates, which no encoding has."""
    return value.encode(errors="backslashreplace").decode()
