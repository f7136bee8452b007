"""What became so far of the runs that were carried out again."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session
from weir_engine.states import OPEN

from weir_orchestrator.db import Card, Certificate, Reproduction, Run

__all__ = ["Tally", "Verdict", "last_ended", "tally_of", "verdict_of"]

Verdict = Literal["same", "different", "incomplete"]
"""same: every run that the card shows; incomplete: some could not be compared, and none differs."""


@dataclass
class Tally:
    """same: runs with equal bytes. differing: {run, again, key, files} of each without, its ids in
    the card and now. failed: reason -> runs that ended without being compared."""

    same: int = 0
    differing: list[dict[str, Any]] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)

    @property
    def ended(self) -> int:
        """Runs of which it is known."""
        return self.same + len(self.differing) + self.failed.total()


def tally_of(session: Session, made: Reproduction, card: Card) -> Tally:
    """Stored when it has ended; before, from its runs."""
    if made.ended_at is not None:
        return Tally(made.same, list(made.differing), Counter(dict(made.failed)))
    campaigns = [uuid.UUID(each) for each in made.campaigns]
    query = (
        select(Run.id, Run.key, Run.state, Run.reason, Certificate.differing)
        .outerjoin(Certificate, Certificate.run_id == Run.id)
        .where(Run.campaign_id.in_(campaigns), Run.state.not_in(OPEN))
        .order_by(Run.campaign_id, Run.position)
    )
    shown = {each["key"]: each["id"] for each in reversed(card.runs)}
    tally = Tally()
    for run_id, key, state, reason, differing in session.execute(query):
        if differing:
            told = {"run": shown[key], "again": run_id, "key": key, "files": differing}
            tally.differing.append(told)
        elif differing is not None:
            tally.same += 1
        else:
            tally.failed[reason or f"{state} without having been compared"] += 1
    return tally


def last_ended(session: Session, card: Card) -> Reproduction | None:
    """The last of a card's that has a verdict."""
    query = select(Reproduction).where(
        Reproduction.card_id == card.id, Reproduction.ended_at.is_not(None)
    )
    return session.scalar(query.order_by(Reproduction.ended_at.desc()).limit(1))


def verdict_of(made: Reproduction) -> Verdict | None:
    """Of one that has ended."""
    if made.ended_at is None:
        return None
    if made.differing:
        return "different"
    return "incomplete" if made.failed or made.left_out else "same"
