"""Numbers over many runs as the API shows them."""

from __future__ import annotations

import uuid
from typing import Any, Literal

from pydantic import BaseModel, Field
from weir.metrics import CATALOG

from weir_orchestrator.api.library.schemas import MetricOut

__all__ = [
    "Aggregate",
    "Comparison",
    "Contrasts",
    "Difference",
    "Effect",
    "Effects",
    "GroupSummary",
    "GroupValues",
    "Pair",
    "RunComparison",
    "RunPartings",
    "Score",
    "Scorecard",
    "SummaryOut",
    "Values",
    "metric_out",
]

Levels = dict[str, Any]


def metric_out(name: str) -> MetricOut:
    """The metric of this name."""
    return MetricOut.model_validate(CATALOG[name])


class SummaryOut(BaseModel):
    """Mean of n values with its 95 % t-interval; null: undefined."""

    n: int = Field(description="Values.")
    distinct: int = Field(
        description="Different runs among them; 1: nothing random happened, and there is no "
        "interval."
    )
    mean: float | None = Field(description="Of the values.")
    sd: float | None = Field(description="Standard deviation over the distinct runs.")
    ci_low: float | None = Field(description="Lower end of the 95 % t-interval.")
    ci_high: float | None = Field(description="Upper end of the 95 % t-interval.")


class GroupSummary(SummaryOut):
    """A group of runs."""

    levels: Levels = Field(description="Factor path -> level of the group.")
    min: float | None = Field(description="The least value.")
    max: float | None = Field(description="The largest value.")
    quantiles: list[float] = Field(description="At `Aggregate.quantiles`.")


class Aggregate(BaseModel):
    """A metric over the runs that succeeded, by up to two factors.

    Runs of a group that differ in other factors are pooled.
    """

    campaign_id: uuid.UUID = Field(description="Whose runs.")
    metric: MetricOut = Field(description="What is averaged.")
    client: int | None = Field(description="Its rank; null: of the run.")
    rows: str | None = Field(description="First factor; null: none.")
    columns: str | None = Field(description="Second factor; null: none.")
    quantiles: list[float] = Field(description="Which are told of each group, from 0 to 1.")
    groups: list[GroupSummary] = Field(description="One per combination of levels of the factors.")
    not_averaged: dict[str, int] = Field(description="State -> runs that are in no group.")


class Effect(BaseModel):
    """What one factor does to a metric."""

    factor: str = Field(description="Its path.")
    share: float | None = Field(
        description="Of the metric's variance over all runs, what lies between the means of the "
        "factor's levels (eta squared, from 0 to 1); null where nothing varies."
    )


class Effects(BaseModel):
    """A campaign's factors by what they do to a metric."""

    campaign_id: uuid.UUID = Field(description="Whose runs.")
    metric: MetricOut = Field(description="What varies.")
    client: int | None = Field(description="Its rank; null: of the run.")
    effects: list[Effect] = Field(description="The largest first; equal ones as the campaign.")


class GroupValues(BaseModel):
    """The values of a group, and the run of each."""

    levels: Levels = Field(description="Factor path -> level of the group.")
    n: int = Field(
        description="Of all values; more than are listed: evenly spaced in rank, the least and the "
        "largest among them."
    )
    distinct: int = Field(description="Different runs among all n.")
    values: list[float] = Field(description="Rising.")
    runs: list[int] = Field(description="Id of the run of each value.")


class Values(BaseModel):
    """A metric run by run, for box plots and distributions."""

    campaign_id: uuid.UUID = Field(description="Whose runs.")
    metric: MetricOut = Field(description="What is listed.")
    client: int | None = Field(description="Its rank; null: of the run.")
    groups: list[GroupValues] = Field(description="One per combination of levels of the factors.")


class Pair(BaseModel):
    """One combination of levels in two campaigns: b - a over the seeds that both have."""

    levels: Levels = Field(description="Factor path -> level of both.")
    n: int = Field(description="Seeds that both have; 0: the difference cannot be told.")
    distinct: int = Field(
        description="Different pairs of runs among them; 1: nothing random happened, and there is "
        "neither interval nor p."
    )
    mean_a: float | None = Field(description="Over the seeds that both have.")
    mean_b: float | None = Field(description="Over the seeds that both have.")
    difference: float | None = Field(description="mean_b - mean_a")
    ci_low: float | None = Field(description="Of the difference: lower end of the 95 % t-interval.")
    ci_high: float | None = Field(
        description="Of the difference: upper end of the 95 % t-interval."
    )
    relative: float | None = Field(description="difference / mean_a")
    p_value: float | None = Field(description="Two-sided paired t-test.")
    p_adjusted: float | None = Field(
        description="By Benjamini and Hochberg over all pairs of the comparison."
    )
    better: Literal["a", "b"] | None = Field(
        description="Where p_adjusted < 0.05 and one way is better."
    )
    a: SummaryOut = Field(description="Over all seeds of a.")
    b: SummaryOut = Field(description="Over all seeds of b.")


class Comparison(BaseModel):
    """Two campaigns, paired by levels of the factors that both have, and by seed.

    Over factors that only one of them has, a seed's values are averaged first.
    """

    a: uuid.UUID = Field(description="The first campaign.")
    b: uuid.UUID = Field(description="The second campaign.")
    metric: MetricOut = Field(description="What is compared.")
    client: int | None = Field(description="Its rank; null: of the run.")
    factors: list[str] = Field(description="Paths of those that both have.")
    pairs: list[Pair] = Field(description="One per combination of levels that both have.")
    only_a: list[Levels] = Field(description="Combinations of a that b lacks.")
    only_b: list[Levels] = Field(description="Combinations of b that a lacks.")


class Contrasts(BaseModel):
    """Groups of a campaign against one of them, a; b: the group at a pair's levels.

    Paired by seed, which replicates share over combinations; over pooled factors a seed's values
    are averaged first.
    """

    campaign_id: uuid.UUID = Field(description="Whose runs.")
    metric: MetricOut = Field(description="What is compared.")
    client: int | None = Field(description="Its rank; null: of the run.")
    rows: str | None = Field(description="First factor; null: none.")
    columns: str | None = Field(description="Second factor; null: none.")
    base: Levels = Field(description="Levels of the group a.")
    pairs: list[Pair] = Field(description="The other groups, each as b.")


class Score(Pair):
    """What one level does to a metric where the other factors are the same."""

    metric: str = Field(description="Its name.")


class Scorecard(BaseModel):
    """Every metric at every other level of a factor (b) against one level of it (a).

    Paired by seed; p_adjusted holds the share of false discoveries over all scores together.
    """

    campaign_id: uuid.UUID = Field(description="Whose runs.")
    client: int | None = Field(description="Its rank; null: of the run.")
    factor: str = Field(description="Whose levels are compared.")
    level: str = Field(description="Which one the others are compared with, as text.")
    by: list[str] = Field(description="Factors whose levels are kept apart; the rest is pooled.")
    metrics: list[MetricOut] = Field(description="Those that runs have values of.")
    scores: list[Score] = Field(description="By metric, then in the campaign's order of levels.")


class Difference(BaseModel):
    """A parameter or metric of two runs."""

    path: str = Field(
        examples=["gateway.downlink.queue.limit_packets"],
        description="Dotted, in the resolved experiment; of a metric, its name.",
    )
    a: Any = Field(description="Of the first run; null where it lacks it.")
    b: Any = Field(description="Of the second run; null where it lacks it.")


class RunComparison(BaseModel):
    """Two runs: parameters that differ, and every metric of both."""

    a: int = Field(description="The first run.")
    b: int = Field(description="The second run.")
    parameters: list[Difference] = Field(description="Those that differ.")
    metrics: list[Difference] = Field(description="`client.K.name`: of the client of rank K.")


class RowDifference(BaseModel):
    """A column in which a row of two runs differs."""

    column: str = Field(description="As in the run directory.", examples=["departure_ns"])
    a: float | None = Field(description="Of the first run; null: no such row, or no value.")
    b: float | None = Field(description="Of the second run; null: no such row, or no value.")


class PartingOut(BaseModel):
    """Where a record of two runs parts."""

    t_s: float = Field(description="The moment, in seconds since the start.")
    record: Literal["queue", "queue_10ms", "tcp", "retransmits", "player"] = Field(
        description="queue: packets at the bottleneck; tcp: ACKs at the server; player: segments."
    )
    client: int | None = Field(description="Of a player, from 1.")
    row: int = Field(description="From 0, the same of both runs.")
    differences: list[RowDifference] = Field(description="What is not the same in that row.")


class RunPartings(BaseModel):
    """The first moment at which two runs part, in each record that differs.

    Exact: rows are compared one by one, and runs are deterministic.
    """

    a: int = Field(description="The first run.")
    b: int = Field(description="The second run.")
    same_seed: bool = Field(description="Whether chance was the same in both.")
    partings: list[PartingOut] = Field(
        description="By time, the earliest first; empty: all that both recorded is the same."
    )
