"""Numbers over many runs as the API shows them."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field
from weir.metrics import CATALOG

__all__ = [
    "Aggregate",
    "Comparison",
    "Contrasts",
    "Difference",
    "GroupSummary",
    "GroupValues",
    "MetricOut",
    "Pair",
    "RunComparison",
    "SummaryOut",
    "Values",
    "metric_out",
]

Levels = dict[str, Any]


class MetricOut(BaseModel):
    """What a metric is."""

    name: str = Field(examples=["mean_bitrate_bps"])
    title: str
    unit: str = Field(description='"" when dimensionless.')
    scope: Literal["run", "client"]
    better: Literal["lower", "higher"] | None


def metric_out(name: str) -> MetricOut:
    """The metric of this name."""
    info = CATALOG[name]
    return MetricOut(
        name=name, title=info.title, unit=info.unit, scope=info.scope, better=info.better
    )


class SummaryOut(BaseModel):
    """Mean of n values with its 95 % t-interval; null: undefined."""

    n: int
    mean: float | None
    sd: float | None
    ci_low: float | None
    ci_high: float | None


class GroupSummary(SummaryOut):
    """A group of runs. quantiles: at `Aggregate.quantiles`."""

    levels: Levels
    min: float | None
    max: float | None
    quantiles: list[float]


class Aggregate(BaseModel):
    """A metric over the runs that succeeded, by up to two factors.

    Runs of a group that differ in other factors are pooled. not_averaged: state -> runs that are
    in no group.
    """

    campaign_id: uuid.UUID
    metric: MetricOut
    client: int | None
    rows: str | None
    columns: str | None
    quantiles: list[float]
    groups: list[GroupSummary]
    not_averaged: dict[str, int]


class GroupValues(BaseModel):
    """The values of a group, rising, and the run of each.

    n: of all; more than are listed: evenly spaced in rank, the least and the largest among them.
    """

    levels: Levels
    n: int
    values: list[float]
    runs: list[int]


class Values(BaseModel):
    """A metric run by run, for box plots and distributions."""

    campaign_id: uuid.UUID
    metric: MetricOut
    client: int | None
    groups: list[GroupValues]


class Pair(BaseModel):
    """One combination of levels in two campaigns: b - a over the seeds that both have.

    p_value: two-sided paired t-test; p_adjusted: by Benjamini and Hochberg over all pairs of the
    comparison. n, mean_a, mean_b: of the seeds that both have; a, b: of all.
    """

    levels: Levels
    n: int
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    relative: float | None = Field(description="difference / mean_a")
    p_value: float | None
    p_adjusted: float | None
    better: Literal["a", "b"] | None = Field(
        description="Where p_adjusted < 0.05 and one way is better."
    )
    a: SummaryOut
    b: SummaryOut


class Comparison(BaseModel):
    """Two campaigns, paired by levels of the factors that both have, and by seed.

    Over factors that only one of them has, a seed's values are averaged first.
    """

    a: uuid.UUID
    b: uuid.UUID
    metric: MetricOut
    client: int | None
    factors: list[str]
    pairs: list[Pair]
    only_a: list[Levels]
    only_b: list[Levels]


class Contrasts(BaseModel):
    """Groups of a campaign against one of them, a; b: the group at a pair's levels.

    Paired by seed, which replicates share over combinations; over pooled factors a seed's values
    are averaged first.
    """

    campaign_id: uuid.UUID
    metric: MetricOut
    client: int | None
    rows: str | None
    columns: str | None
    base: Levels
    pairs: list[Pair]


class Difference(BaseModel):
    """A parameter in which two runs differ; what one lacks is null there."""

    path: str = Field(examples=["gateway.downlink.queue.limit_packets"])
    a: Any
    b: Any


class RunComparison(BaseModel):
    """Two runs: parameters that differ, and every metric of both."""

    a: int
    b: int
    parameters: list[Difference]
    metrics: list[Difference] = Field(description="`client.K.name`: of the client of rank K.")
