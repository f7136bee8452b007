"""How the results of a schedule's campaigns go, night by night."""

from __future__ import annotations

from uuid import UUID

from weir_sdk.call import Call, Json, Page, asked, path
from weir_sdk.models import Board, Change, RunPair, TrendOut

__all__ = ["list_changes", "list_pairs", "show_board", "show_trend"]


def show_board(schedule: UUID | str, night: UUID | str | None = None) -> Call[Board]:
    """Every metric of every combination in the newest night, or in that campaign's."""
    params = asked(night=str(night) if night else None)
    return Call("GET", path("schedules", schedule, "board"), Json(Board), params)


def list_changes(schedule: UUID | str, limit: int = 500) -> Call[Page[Change]]:
    """The nights on which a metric of a combination changed, newest first."""
    where = path("schedules", schedule, "changes")
    return Call("GET", where, Json(Page[Change]), asked(limit=limit))


def show_trend(trend: int, nights: int = 400) -> Call[TrendOut]:
    """One metric of one combination, night by night."""
    return Call("GET", path("trends", trend), Json(TrendOut), asked(nights=nights))


def list_pairs(trend: int, night: UUID | str | None = None) -> Call[list[RunPair]]:
    """The runs behind a night's verdict in pairs, that of the median difference first."""
    params = asked(night=str(night) if night else None)
    return Call("GET", path("trends", trend, "pairs"), Json(list[RunPair]), params)
