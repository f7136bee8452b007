"""Combinations of levels as numbers: what the rows of a campaign's runs name."""

from __future__ import annotations

import uuid
from operator import itemgetter
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, bindparam, select
from sqlalchemy.orm import Session

from weir_orchestrator.db import Combination, Run
from weir_orchestrator.db.packed import documents

__all__ = ["Numbered", "all_combinations", "of_combinations"]

Numbered = dict[int, dict[str, Any]]
"""Number of a combination -> its levels."""


def all_combinations(session: Session, campaign_id: uuid.UUID) -> Numbered:
    """A campaign's combinations in order."""
    query = select(Combination.number, Combination.levels).where(
        Combination.campaign_id == campaign_id
    )
    return dict(sorted(documents(session, query), key=itemgetter(0)))


def of_combinations(numbers: Numbered) -> ColumnElement[bool]:
    """The condition on Run; numbers go into the statement, which has room for 65,535 parameters."""
    chosen: BindParameter[Any] = bindparam(
        "numbers", list(numbers), expanding=True, literal_execute=True
    )
    return Run.combination.in_(chosen)
