"""A schedule's board and its trends as the API shows them."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from weir_orchestrator.api.schedules.schemas import NightOut

__all__ = ["Board", "BoardPoint", "Change", "RunPair", "TrendOut", "TrendPointOut"]

Verdict = Literal["", "same", "no matter", "better", "worse", "higher", "lower", "cannot tell"]
Mark = Literal["", "better", "worse", "higher", "lower", "kernel", "weir"]
_MARK = (
    "Why a new segment begins with this night: the verdict on it beside the first night of the "
    "segment before; kernel, weir: that one is new, and the numbers are others. Empty: none does."
)


class PointOut(BaseModel):
    """One metric of one combination in one night; a metric of clients is the mean over a run's."""

    n: int = Field(description="Replicates that succeeded and have it.")
    mean: float = Field(description="Over the replicates, in the metric's unit.")
    low: float | None = Field(
        description="Lower end of the mean's 95 % interval; null: replicates that are all alike."
    )
    high: float | None = Field(description="Upper end of it.")
    verdict: Verdict = Field(description="Beside the baseline; empty: not compared.")
    before: float | None = Field(description="The baseline's median; null: not compared.")
    difference: float | None = Field(description="Median of the pairs' differences to it.")
    replicates: int | None = Field(
        description="How many would be enough where it cannot be told; null: no number of them."
    )
    mark: Mark = Field(description=_MARK)


class BoardPoint(PointOut):
    """With what it is of."""

    trend: int = Field(description="Its trend.")
    levels: dict[str, Any] = Field(description="Factor path -> level of the combination.")
    metric: str = Field(description="Name of the metric.", examples=["mean_bitrate_bps"])


class Board(BaseModel):
    """A night of a schedule: every metric of every combination."""

    campaign: uuid.UUID | None = Field(description="The night's; null: none was judged so far.")
    night: NightOut | None = Field(description="It beside its baseline.")
    points: list[BoardPoint] = Field(description="By combination, then metric.")


class TrendPointOut(PointOut):
    """A night of a trend."""

    campaign: uuid.UUID = Field(description="The night's.")
    at: datetime = Field(description="When it was submitted.")
    subjects: dict[str, str] = Field(
        description="Name of a file that is under test -> its version, as a commit."
    )
    kernel_hash: str = Field(description="Of the lab kernel that it ran in.")
    roles_hash: str = Field(description="Of Weir's own code in its runs.")


class TrendOut(BaseModel):
    """One metric of one combination over the nights of a schedule."""

    id: int = Field(description="Of the trend.")
    schedule: uuid.UUID = Field(description="Whose nights they are.")
    levels: dict[str, Any] = Field(description="Factor path -> level of the combination.")
    metric: str = Field(description="Name of the metric.")
    unit: str = Field(description="Of the metric; empty: dimensionless.")
    points: list[TrendPointOut] = Field(description="The newest nights, oldest first.")


class Change(TrendPointOut):
    """A night with which a new segment of a trend begins."""

    trend: int = Field(description="Of which trend.")
    levels: dict[str, Any] = Field(description="Factor path -> level of the combination.")
    metric: str = Field(description="Name of the metric.")


class RunPair(BaseModel):
    """A run of the baseline and one of the night with the same seed, of one combination."""

    a: int = Field(description="The baseline's run.")
    b: int = Field(description="The night's run.")
    before: float = Field(description="The baseline's value, in the metric's unit.")
    after: float = Field(description="The night's value.")
