"""Choosing runs by the levels of their combination: `level.<factor path>=<level as text>`."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, Final

from fastapi import Depends, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from weir.spec.search_levels import number_of
from weir_engine.levels import text

from weir_orchestrator.db import Campaign, Combination
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.recorded.combinations import Numbered, known_combinations
from weir_orchestrator.recorded.search import search_of

__all__ = ["IN_OPENAPI", "LevelsAsked", "Numbered", "combinations"]

_PREFIX: Final = "level."
_MOST: Final = 50

IN_OPENAPI: Final[dict[str, Any]] = {
    "parameters": [
        {
            "name": "level",
            "in": "query",
            "description": (
                "Only runs at this level: `level.<factor path>=<level as text>`, such as "
                "`level.server.congestion_control=illinois`. Of several for one factor any will do."
            ),
            "style": "form",
            "explode": True,
            "schema": {"type": "object", "additionalProperties": {"type": "string"}},
        }
    ]
}
"""For `openapi_extra=`: FastAPI has no parameter whose name is open."""


async def _asked(request: Request) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    given = [pair for pair in request.query_params.multi_items() if pair[0].startswith(_PREFIX)]
    if len(given) > _MOST:
        allowed = f"at most {_MOST} levels"
        raise Unprocessable("1 problem", [FieldProblem(path="level", allowed=allowed)])
    for name, level in given:
        found.setdefault(name.removeprefix(_PREFIX), set()).add(level)
    return {path: frozenset(levels) for path, levels in found.items()}


LevelsAsked = Annotated[dict[str, frozenset[str]], Depends(_asked)]
"""Factor path -> the levels, as text, of which one is wanted."""


def combinations(
    session: Session, campaign: Campaign, asked: dict[str, frozenset[str]] | None = None
) -> Numbered:
    """A campaign's combinations in order, those at the levels asked for; of a search by rising
    levels of what is searched. Raises Unprocessable."""
    for path in asked or {}:
        require_factor(campaign, path, f"{_PREFIX}{path}")
    found = known_combinations(session, campaign.id)
    for path, wanted in (asked or {}).items():
        found = {number: levels for number, levels in found.items() if text(levels[path]) in wanted}
    if (search := search_of(campaign)) is None:
        return found
    # They are written as bisection comes to them.
    level = search.factor
    return dict(sorted(found.items(), key=lambda each: number_of(each[1][level])))


def levels_of(session: Session, campaign_id: uuid.UUID, numbers: set[int]) -> Numbered:
    """The levels of some combinations."""
    query = select(Combination.number, Combination.levels).where(
        Combination.campaign_id == campaign_id, Combination.number.in_(numbers)
    )
    return dict(session.execute(query).all())


def require_factor(campaign: Campaign, path: str, field: str) -> None:
    """Raises Unprocessable for what is no factor of the campaign."""
    if path not in campaign.factors:
        allowed = ", ".join(campaign.factors) or "none: this campaign has no factors"
        problem = FieldProblem(path=field, value=path, allowed=allowed, remedy="name a factor")
        raise Unprocessable("1 problem", [problem])
