"""What there is to choose from, as the API shows it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Choices", "MetricOut", "OptionOut", "PlayerOut", "ShippedOut"]


class ShippedOut(BaseModel):
    """A shipped campaign that can be submitted as it is: its document and files together."""

    model_config = ConfigDict(from_attributes=True)

    path: str = Field(examples=["ben-ameur-2016/scenario-1.yaml"], description="Below campaigns/.")
    name: str = Field(description="Of the campaign.")
    description: str = Field(description="Of the campaign.")
    runs: int = Field(description="How many it has.")
    factors: list[str] = Field(description="Paths of what it varies.")
    document: str = Field(description="The campaign file as YAML text.")
    files: dict[str, str] = Field(
        description="Name by which the document refers to a file -> SHA-256 of its content."
    )


class OptionOut(BaseModel):
    """An option of a player."""

    name: str = Field(description="In `options` of a client.")
    text: str = Field(description="What it does.")
    kind: str = Field(description="Its JSON Schema type.")
    default: str | int | float | bool | None = Field(description="Where it is left out.")
    low: float | None = Field(description="The least; null: no such bound.")
    high: float | None = Field(description="The largest; null: no such bound.")
    choices: list[Any] = Field(description="What may be given; empty: not a choice of some.")


class SettingOut(BaseModel):
    """A setting of a player that is another's: dash.js, hls.js, shaka-player."""

    name: str = Field(description="Dotted, as a key in `settings`.")
    default: Any = Field(
        description="What the newest of these versions starts with; null: it has no default."
    )
    types: list[str] = Field(
        examples=[["number"]], description="JSON's types of what may stand there."
    )
    versions: list[str] = Field(description="Those that have it.")


class PlayerOut(BaseModel):
    """A player that is shipped."""

    name: str = Field(description="In `player` of a client.")
    options: list[OptionOut] = Field(description="What may be set.")
    settings: list[SettingOut] = Field(
        default=[], description="What may stand in its option `settings`, if it has that."
    )


class MetricOut(BaseModel):
    """A metric; see docs/metrics.md."""

    model_config = ConfigDict(from_attributes=True)

    name: str = Field(description="Ends in its unit.")
    title: str = Field(description="In words.")
    unit: str = Field(description="Empty: dimensionless.")
    scope: Literal["run", "client"] = Field(description="Of the run as a whole, or of each client.")
    better: Literal["lower", "higher"] | None = Field(
        description="Which way is better; null: neither."
    )
    formula: str = Field(description="How it is computed, in a line.")
    source: str = Field(description="Where it is defined.")


class Choices(BaseModel):
    """What a campaign may name and its JSON Schema does not say."""

    players: list[PlayerOut] = Field(description="That are shipped.")
    congestion_controls: list[str] = Field(
        description="Of the lab kernel; empty while none is built."
    )
    metrics: list[MetricOut] = Field(description="All there are.")
