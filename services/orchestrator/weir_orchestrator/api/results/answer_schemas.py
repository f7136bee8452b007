"""Answers to campaigns' questions as the API shows them."""

from __future__ import annotations

import uuid

from pydantic import BaseModel, Field
from weir_engine.regression.question import Verdict

from weir_orchestrator.api.library.schemas import MetricOut

__all__ = ["AnswerOut", "AskedPair", "Cost"]


class AskedPair(BaseModel):
    """Two runs of one seed, at either level of a question."""

    replicate: int = Field(description="From 0.")
    does_run: int = Field(description="Id of the run at the level that may beat the other.")
    beat_run: int = Field(description="Id of the run at the other level.")
    does: float = Field(description="Its value.")
    beat: float = Field(description="The other's value.")
    difference: float = Field(description="does - beat.")


class Cost(BaseModel):
    """What an answer took."""

    runs: int = Field(description="That have a result.")
    film_s: float = Field(description="Experiment's seconds, together.")
    wall_s: float = Field(description="Time on workers, together.")


class AnswerOut(BaseModel):
    """Whether one level beats the other one, as far as the runs tell.

    By e-values, so that one may look after every run: over all looks a yes or no is wrong with a
    probability of at most 5 %, and the interval is without the median in at most 5 %.
    """

    campaign_id: uuid.UUID = Field(description="Whose question.")
    sentence: str = Field(description="The answer in words.")
    verdict: Verdict = Field(
        description="no: the other one beats it; no difference: none that matters; alike: nothing "
        "random happens in any run."
    )
    is_told: bool = Field(description="Whether further replicates would say no more.")
    metric: MetricOut = Field(description="What was measured.")
    factor: str = Field(description="Whose levels are compared.")
    does_level: str = Field(description="That may beat the other one, as text.")
    beat_level: str = Field(description="The other one, as text.")
    matters_from: float | None = Field(
        description="The smallest difference that matters, beside the other level's median."
    )
    n: int = Field(description="Pairs of runs of one seed that succeeded.")
    distinct: int = Field(description="Different pairs among them.")
    without: int = Field(description="Replicates of which a run failed or has no value.")
    most: int = Field(description="Pairs that the campaign may take.")
    does: float | None = Field(description="Median; null: no pair.")
    beat: float | None = Field(description="Median of the other level.")
    difference: float | None = Field(description="Median of the pairs' differences, does - beat.")
    low: float | None = Field(description="Where its 95 % interval begins; null: too few pairs.")
    high: float | None = Field(description="Where its 95 % interval ends.")
    relative: float | None = Field(description="difference over the size of beat.")
    replicates: int | None = Field(
        description="How many pairs would tell at the shares seen; null: no number, or it is told."
    )
    typical: AskedPair | None = Field(description="The pair nearest the median difference.")
    worst: AskedPair | None = Field(description="The pair that speaks most against does_level.")
    cost: Cost = Field(description="What it took so far.")
