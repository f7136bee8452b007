"""Reports as the API shows them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field
from weir_engine.states import RunState

__all__ = ["ReportOut"]


class GroupMean(BaseModel):
    """A metric over a combination's replicates. client: its rank; null: a metric of the run."""

    levels: dict[str, Any]
    metric: str
    client: int | None
    unit: str
    n: int
    mean: float
    ci95: tuple[float, float] | None
    more_replicates_needed: bool
    paper: float | None = Field(description="The paper's own number, where it has one.")


class TroubleOut(BaseModel):
    """A run that is not averaged, and why."""

    key: str
    levels: dict[str, Any]
    state: RunState
    reason: str


class ReportOut(BaseModel):
    """All numbers of a report, in the metrics' own units; findings: of the paper, judged."""

    campaign: str
    factors: list[str]
    states: dict[str, int]
    groups: list[GroupMean]
    troubles: list[TroubleOut]
    findings: list[dict[str, Any]]
