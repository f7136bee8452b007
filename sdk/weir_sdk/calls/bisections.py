"""Looking for the commit that made a schedule's night worse."""

from __future__ import annotations

from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, body, path
from weir_sdk.models import BisectionOut

__all__ = ["begin_bisection", "list_bisections", "show_bisection"]


def begin_bisection(
    schedule: UUID | str,
    bad: UUID | str,
    good: UUID | str | None = None,
    subject: str | None = None,
) -> Call[BisectionOut]:
    """Look for the first bad commit between two nights, by default from the bad one's baseline.

    subject: which file, where several changed.
    """
    given = body(bad=str(bad), good=str(good) if good else None, subject=subject)
    return Call("POST", path("schedules", schedule, "bisections"), Json(BisectionOut), json=given)


def list_bisections(schedule: UUID | str, limit: int = 100) -> Call[Page[BisectionOut]]:
    """A schedule's bisections, newest first."""
    where = path("schedules", schedule, "bisections")
    return Call("GET", where, Json(Page[BisectionOut]), asked(limit=limit))


def show_bisection(bisection: UUID | str) -> Call[BisectionOut]:
    """How far it is, and what it found."""
    return Call("GET", path("bisections", bisection), Json(BisectionOut))
