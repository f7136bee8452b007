"""What there is to choose from, as the API shows it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Choices", "MetricOut", "OptionOut", "PlayerOut", "ShippedOut"]


class ShippedOut(BaseModel):
    """A shipped campaign that can be submitted as it is: its document and files together."""

    model_config = ConfigDict(from_attributes=True)

    path: str = Field(examples=["ben-ameur-2016/scenario-1.yaml"])
    name: str
    description: str
    runs: int
    factors: list[str]
    document: str
    files: dict[str, str]


class OptionOut(BaseModel):
    """An option of a player. low, high: null where there is no such bound."""

    name: str
    text: str
    kind: str
    default: str | int | float | bool | None
    low: float | None
    high: float | None
    choices: list[Any]


class PlayerOut(BaseModel):
    """A player that is shipped."""

    name: str
    options: list[OptionOut]


class MetricOut(BaseModel):
    """A metric; see docs/metrics.md."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    title: str
    unit: str
    scope: Literal["run", "client"]
    better: Literal["lower", "higher"] | None
    source: str


class Choices(BaseModel):
    """What a campaign may name and its JSON Schema does not say.

    congestion_controls: empty while no lab kernel is built.
    """

    players: list[PlayerOut]
    congestion_controls: list[str]
    metrics: list[MetricOut]
