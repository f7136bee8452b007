"""How many runs of a campaign are in which state."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlalchemy import CompoundSelect, Select, func, literal, select, union_all
from sqlalchemy.orm import Session
from weir_engine.states import STATES

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.db.blocks import MadeBlock, behind, made_blocks

__all__ = ["count_states"]

_QUEUED: Final = "queued"
_SUCCEEDED: Final = "succeeded"
_OTHERS: Final = tuple(state for state in STATES if state not in (_QUEUED, _SUCCEEDED))


def count_states(
    session: Session, campaign_ids: Iterable[uuid.UUID]
) -> dict[uuid.UUID, dict[str, int]]:
    """Campaign -> state -> number of runs, counted now.

    Of a million, those that wait and those of blocks are not looked at one by one.
    """
    ids = list(campaign_ids)
    while True:
        blocks = made_blocks(session, ids)
        counts = _counted(session, blocks)
        # Where there were none, one statement has counted all.
        if not any(blocks.values()) or made_blocks(session, ids) == blocks:
            return counts


def _counted(
    session: Session, blocks: Mapping[uuid.UUID, Sequence[MadeBlock]]
) -> dict[uuid.UUID, dict[str, int]]:
    """blocks: by campaign."""
    counts = {
        each: Counter({_SUCCEEDED: sum(block.succeeded for block in made)})
        for each, made in blocks.items()
    }
    queued = select(Campaign.id, literal(_QUEUED), Campaign.expanded)
    of_state = select(Run.campaign_id, Run.state, func.count())
    of_state = of_state.group_by(Run.campaign_id, Run.state)
    without = [each for each, made in blocks.items() if not made]
    # One statement, so that all of it is of one moment.
    query: CompoundSelect[uuid.UUID, str, int] = union_all(
        queued.where(Campaign.id.in_(blocks)),
        of_state.where(Run.campaign_id.in_(blocks), Run.state.in_(_OTHERS)),
        of_state.where(Run.campaign_id.in_(without), Run.state == _SUCCEEDED),
        *(_behind(each, made[-1].end) for each, made in blocks.items() if made),
    )
    for campaign_id, state, number in session.execute(query):
        counts[campaign_id][state] += number
    for of in counts.values():
        of[_QUEUED] -= of.total() - of[_QUEUED]  # what is written, and in no other state
    return {each: dict(+of) for each, of in counts.items()}


def _behind(campaign_id: uuid.UUID, end: int) -> Select[uuid.UUID, str, int]:
    """How many succeeded that are in no block."""
    count = select(literal(campaign_id), literal(_SUCCEEDED), func.count())
    here = (Run.campaign_id == campaign_id, Run.state == _SUCCEEDED, behind(end))
    return count.where(*here)
