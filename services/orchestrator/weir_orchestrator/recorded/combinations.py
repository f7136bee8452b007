"""Combinations of levels as numbers: what the rows of a campaign's runs name."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from operator import itemgetter
from threading import Lock
from typing import Any, Final, TypeAlias

from cachetools import LRUCache, cached
from sqlalchemy import BindParameter, ColumnElement, bindparam, func, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Combination, Run
from weir_orchestrator.db.packed import documents

__all__ = ["Numbered", "all_combinations", "known_combinations", "of_combinations"]

Numbered: TypeAlias = Mapping[int, Mapping[str, Any]]
"""Number of a combination -> its levels."""

_MOST_KEPT: Final = 100_000
"""Combinations of all campaigns, of 350 bytes and more each; what has more is read anew."""


def all_combinations(session: Session, campaign_id: uuid.UUID) -> Numbered:
    """A campaign's combinations in order."""
    query = select(Combination.number, Combination.levels).where(
        Combination.campaign_id == campaign_id
    )
    return dict(sorted(documents(session, query), key=itemgetter(0)))


def known_combinations(session: Session, campaign_id: uuid.UUID) -> Numbered:
    """The same, kept by the process. Not for a session that has written some: it may roll back."""
    here = Combination.campaign_id == campaign_id
    count = session.scalar(select(func.count()).select_from(Combination).where(here))
    return _kept(session, campaign_id, count or 0)


# A campaign's combinations are only ever added to: as many are the same ones.
@cached(
    LRUCache(_MOST_KEPT, getsizeof=len),
    key=lambda _session, campaign_id, count: (campaign_id, count),
    lock=Lock(),
)
def _kept(session: Session, campaign_id: uuid.UUID, count: int) -> Numbered:
    return all_combinations(session, campaign_id)


def of_combinations(numbers: Numbered) -> ColumnElement[bool]:
    """The condition on Run; numbers go into the statement, which has room for 65,535 parameters."""
    chosen: BindParameter[Any] = bindparam(
        "numbers", list(numbers), expanding=True, literal_execute=True
    )
    return Run.combination.in_(chosen)
