"""Weak ETags for what is polled: an unchanged answer is not sent again (RFC 9110, 13.1.2)."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from fastapi import Request, Response
from pydantic import BaseModel

__all__ = ["UNCHANGED", "answer"]

UNCHANGED: Final[dict[int | str, dict[str, Any]]] = {
    304: {"description": "Unchanged since the answer whose ETag is in If-None-Match."}
}
"""For `responses=` of an endpoint that answers so."""

_PRIVATE: Final = "private, no-cache"


def answer(request: Request, content: BaseModel) -> Response:
    """The content as JSON with its ETag, or 304 where the asker has it already."""
    body = content.model_dump_json().encode()
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": _PRIVATE}
    if _has(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def _has(asked: str, tag: str) -> bool:
    opaque = tag.removeprefix("W/")
    known = {each.strip().removeprefix("W/") for each in asked.split(",")}
    return "*" in known or opaque in known
