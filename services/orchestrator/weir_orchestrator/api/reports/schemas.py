"""Reports as the API shows them."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field
from weir_engine.states import RunState

__all__ = ["Regressions", "ReportOut"]


class GroupMean(BaseModel):
    """A metric over a combination's replicates."""

    levels: dict[str, Any] = Field(description="Factor path -> level of the combination.")
    metric: str = Field(description="Name of the metric.")
    client: int | None = Field(description="Its rank; null: of the run.")
    unit: str = Field(description="Of the metric; empty: dimensionless.")
    n: int = Field(description="Replicates that succeeded.")
    distinct: int = Field(
        description="Different results among the runs; 1: they are all alike, and have no interval."
    )
    mean: float = Field(description="Over the replicates.")
    ci95: tuple[float, float] | None = Field(
        description="Ends of the 95 % t-interval; null for one replicate."
    )
    more_replicates_needed: bool = Field(description="The interval is wide against the mean.")
    paper: float | None = Field(description="The paper's own number, where it has one.")


class TroubleOut(BaseModel):
    """A run that is not averaged, and why."""

    key: str = Field(description="Of the run.")
    levels: dict[str, Any] = Field(description="Factor path -> level of its combination.")
    state: RunState = Field(description="How it ended.")
    reason: str = Field(description="Why.")


class ReportOut(BaseModel):
    """All numbers of a report, in the metrics' own units."""

    campaign: str = Field(description="Its name.")
    factors: list[str] = Field(description="Paths of what it varies.")
    states: dict[str, int] = Field(description="State -> number of runs.")
    groups: list[GroupMean] = Field(description="Every metric of every combination.")
    troubles: list[TroubleOut] = Field(description="Runs that are not averaged.")
    findings: list[dict[str, Any]] = Field(description="Of the paper, judged.")


class VerdictOut(BaseModel):
    """One metric of one combination, beside the baseline's.

    A metric of clients is the mean over a run's clients.
    """

    levels: dict[str, Any] = Field(description="Factor path -> level of the combination.")
    metric: str = Field(description="Name of the metric.", examples=["mean_bitrate_bps"])
    verdict: Literal["same", "no matter", "better", "worse", "higher", "lower", "cannot tell"] = (
        Field(description="higher, lower: of a metric of which neither way is better.")
    )
    n: int = Field(description="Pairs of runs in which it is defined on both sides.")
    before: float = Field(description="The baseline's median, in the metric's unit.")
    difference: float = Field(description="Median of the pairs' differences, in the metric's unit.")
    relative: float | None = Field(description="difference / |before|")
    replicates: int | None = Field(
        description="How many would be enough where it cannot be told; null: no number of them."
    )
    matters_from: float = Field(description="From which difference on it matters.")


class Regressions(BaseModel):
    """A campaign's results judged against a baseline's; what matters most comes first."""

    baseline: uuid.UUID = Field(description="The campaign that is taken for right.")
    campaign_id: uuid.UUID = Field(description="The one that is judged.")
    worse: int = Field(description="How many verdicts say so.")
    combinations: int = Field(description="Combinations of levels that both have.")
    changed: int = Field(description="Those of them in which any metric of any run differs.")
    not_compared: list[str] = Field(description="What only one of them has, in words.")
    verdicts: list[VerdictOut] = Field(description="What matters most first.")
