"""Which runs a page sorted by a metric may have: of very many, found by their blocks."""

from __future__ import annotations

import numpy as np
from sqlakeyset import InvalidPage, unserialize_bookmark
from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.recorded.blocks import Place, in_blocks
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["near"]


def near(
    session: Session,
    campaign: Campaign,
    place: Place,
    numbers: Numbered | None,
    *,
    descending: bool,
    limit: int,
    cursor: str | None,
) -> ColumnElement[bool] | None:
    """What the runs of a page fulfil, and the one after it, and few others.

    They are sorted by the metric, and where that is equal by their position; runs without it come
    last. numbers: of these combinations. None: nothing that is shorter to say than all of them.
    """
    try:
        after = _mark(cursor)
    except (InvalidPage, ValueError, TypeError, KeyError):
        return None  # whoever reads the page tells
    wanted = ("position",) if numbers is None else ("position", "combination")
    kept = in_blocks(session, campaign.id, place, wanted)
    by = -kept.values if descending else kept.values.copy()
    position = kept.columns["position"]
    if numbers is not None:
        by[~np.isin(kept.columns["combination"], list(numbers))] = np.nan
    if after is not None:
        value, at = after
        value = -value if descending else value
        by[~((by > value) | ((by == value) & (position > at)))] = np.nan
    if np.count_nonzero(~np.isnan(by)) <= limit:
        return None
    last = np.partition(by, limit)[limit]  # what is not a number comes last
    # In a block runs are in order: of those that are equal the first ones come first.
    rows = np.concatenate((np.flatnonzero(by < last), np.flatnonzero(by == last)[: limit + 1]))
    these = Run.position.in_(position[rows].tolist())
    return these | kept.later() if kept.end < campaign.expanded else these


def _mark(cursor: str | None) -> tuple[float, float] | None:
    """Value and position after which a page begins; None: it is the first. Raises what
    `unserialize_bookmark` does, ValueError, TypeError."""
    marker = unserialize_bookmark(cursor or ">")
    if marker.backwards:
        raise ValueError("pages go forward")
    if marker.place is None:
        return None
    value, at = map(float, marker.place)
    return value, at
