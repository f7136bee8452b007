"""Which runs a page sorted by a metric may have: of very many, found by their numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray
from sqlakeyset import unserialize_bookmark
from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session
from weir_engine.states import FINISHED

from weir_orchestrator.api.paging import UNREADABLE
from weir_orchestrator.api.runs.foremost import foremost
from weir_orchestrator.api.runs.rows import of_rows
from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.recorded.blocks import Place, in_blocks
from weir_orchestrator.recorded.combinations import Numbered

__all__ = ["near"]


def near(
    session: Session,
    campaign: Campaign,
    place: Place,
    states: Collection[str],
    numbers: Numbered | None,
    *,
    descending: bool,
    limit: int,
    cursor: str | None,
) -> ColumnElement[bool] | None:
    """What the runs of a page fulfil, and the one after it, and few others.

    They are sorted by the metric, and where that is equal by their position; runs without it come
    last. states: in one of these; none: in any. numbers: of these combinations. None: nothing that
    is shorter to say than all of them.
    """
    try:
        after = _mark(cursor)
    except UNREADABLE:
        return None  # whoever reads the page tells
    finished = [state for state in FINISHED if not states or state in states]
    found = [
        foremost(position, number, limit + 1, descending=descending, after=after)
        for position, number in _measured(session, campaign, place, finished, numbers)
    ]
    positions = np.concatenate([np.zeros(0, np.int64), *found])
    if len(positions) <= limit:
        return None
    return Run.position.in_(positions.tolist())


def _measured(
    session: Session,
    campaign: Campaign,
    place: Place,
    states: Collection[str],
    numbers: Numbered | None,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Positions and numbers of runs in these states; of none where there are no blocks: all rows of
    so few runs are sorted as soon."""
    names = ["position", *([] if numbers is None else ["combination"])]
    kept = in_blocks(session, campaign.id, place, names)
    if not kept.end:
        return
    for state in states:
        here = None
        if state == "succeeded":
            position, number = kept.columns["position"], kept.values
            if numbers is not None:
                chosen = np.isin(kept.columns["combination"], list(numbers))
                position, number = position[chosen], number[chosen]
            yield position, number
            if kept.end >= campaign.expanded:
                continue
            here = kept.later()
        position, number = of_rows(session, campaign, place, numbers, ["position"], state, here)
        yield position, number


def _mark(cursor: str | None) -> tuple[float, int] | None:
    """Value and position after which a page begins; None: it is the first. Raises UNREADABLE."""
    marker = unserialize_bookmark(cursor or ">")
    if marker.backwards:
        raise ValueError("pages go forward")
    if marker.place is None:
        return None
    value, at = marker.place
    return float(value), int(at)
