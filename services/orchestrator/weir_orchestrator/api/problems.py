"""Problem details (RFC 9457): how errors are answered, and documented in the OpenAPI."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.exceptions import HTTPException
from weir.errors import SpecError

from weir_orchestrator.errors import (
    MOST_PROBLEMS,
    ApiError,
    FieldProblem,
    Unavailable,
    Unprocessable,
)
from weir_orchestrator.objects import StoreUnavailable

__all__ = ["ProblemDetails", "answer", "documented", "install"]

MEDIA_TYPE = "application/problem+json"
# Input with such a field is not repeated in the answer, wherever its error is.
_SECRETS = ("password", "secret")


class ProblemDetails(BaseModel):
    """An error, as RFC 9457 has it."""

    type: str = Field(examples=["/problems/unprocessable"], description="Names the kind of error.")
    title: str = Field(examples=["The input has errors"], description="The kind in words.")
    status: int = Field(examples=[422], description="That of HTTP.")
    detail: str = Field(examples=["1 problem"], description="What is wrong this time.")
    problems: list[FieldProblem] = Field(
        default=[], description="Of the input, one by one; empty where it is something else."
    )


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
        for p in error.problems[:MOST_PROBLEMS]
    ]
    return Unprocessable(counted(len(error.problems)), found)


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
    each_path = [".".join(map(str, _place(each, error.body))) for each in error.errors()]
    secret = any(word in name for word in _SECRETS for name in (*each_path, *_names(error.body)))
    found = [
        FieldProblem(
            path=path or str(each["loc"][0]),
            value=None if secret else each.get("input"),
            allowed=each["msg"],
            remedy="/api/v1/docs says what this operation takes",
        )
        for path, each in zip(each_path, error.errors()[:MOST_PROBLEMS], strict=False)
    ]
    return answer(Unprocessable(counted(len(each_path)), found))


def _of_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        # FastAPI's answer to a body that it cannot decode, which no endpoint documents.
        return answer(Unprocessable("the body cannot be read: send JSON in UTF-8"))
    content = {
        "type": "about:blank",
        "title": str(error.detail),
        "status": error.status_code,
        "detail": f"{request.method} {request.url.path[:200]}",
    }
    return JSONResponse(content, error.status_code, error.headers, media_type=MEDIA_TYPE)


def _of_database(request: Request, error: Exception) -> JSONResponse:
    return answer(Unavailable("the database cannot be reached now; try again"))


def _of_data(request: Request, error: Exception) -> JSONResponse:
    return answer(Unprocessable("a value does not fit: it is too large, or holds a NUL character"))


def _of_store(request: Request, error: Exception) -> JSONResponse:
    return answer(Unavailable("the object store cannot be reached now; try again"))


def _place(error: dict[str, Any], body: Any) -> list[str | int]:
    """Where it is in the request, without the names that pydantic gives a union's kinds."""
    part_of: str | int
    place: list[str | int]
    part_of, *place = error["loc"]
    if part_of != "body":
        return place
    found: list[str | int] = []
    for part in place:
        if isinstance(body, dict) and part in body:
            body = body[part]
        elif isinstance(body, list) and part in range(len(body)):
            body = body[int(part)]
        elif error["type"] != "missing" or part != place[-1]:
            continue
        found.append(part)
    return found


def _names(body: Any) -> list[str]:
    """Of the fields at any depth: what is wrong with one may be told with all beside it."""
    found: list[str] = []
    left = [body]
    while left:
        each = left.pop()
        if isinstance(each, dict):
            found += map(str, each)
            left += each.values()
        elif isinstance(each, list):
            left += each
    return found


def counted(number: int) -> str:
    """What is said of that many problems."""
    if number > MOST_PROBLEMS:
        return f"{number} problems, of which {MOST_PROBLEMS} are told"
    return "1 problem" if number == 1 else f"{number} problems"
