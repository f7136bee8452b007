"""Players: each one's options with their bounds, defaults and units, said here alone.

Values are plain numbers, in the unit that the name ends in, but for those of the players that play
themselves. What an option does stands in the algorithm, in weir_client.abr, whose class takes these
fields as keywords.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

from weir.dashjs import nested
from weir.programs import PINNED
from weir.resolved import PROGRAMS
from weir.spec.model import Model
from weir.spec.names import nearest
from weir.spec.quantities import refusal

__all__ = ["PLAYERS", "Player", "completed"]

Share = Annotated[float, Field(ge=0, le=1)]
NotNegative = Annotated[float, Field(ge=0)]
AboveZero = Annotated[float, Field(ge=0.001)]


class Player(Model):
    """What every player has, a user's own too."""

    startup_s: NotNegative = Field(
        default=0.0, description="Playback starts with this much media; 0: with one segment."
    )
    resume_s: NotNegative = Field(default=0.0, description="The same after a stall.")


class Fixed(Player):
    """One level for the whole session."""

    level: int = Field(ge=0, description="The level to play.")


class AggressiveRate(Player):
    """The last throughput, stretched as the buffer fills."""

    sigma: NotNegative = Field(
        default=0.2, description="How far a full buffer stretches the estimate (the paper: 0.2)."
    )
    fill_first: bool = Field(
        default=False, description="Whether level 0 is played until the buffer is full once."
    )


class Classic(Player):
    """A slow average of throughput, one level a step; classic2 leaves the first byte's wait out."""

    share: Share = Field(
        default=0.8, description="Share of each bandwidth sample that enters the average."
    )
    weight: Share = Field(default=0.2, description="Weight of a new sample in the average.")
    below_lowest: Literal["hold", "lowest"] = Field(
        default="hold",
        description="When the average is below the lowest rate: keep the level as the testbed did, "
        "or take the lowest as target.",
    )


class Bba0(Player):
    """The rate from the buffer alone."""

    variant: Literal["livi-2017", "huang-2014"] = Field(
        default="huang-2014",
        description="huang-2014: to the map's level; livi-2017: one level per step.",
    )
    reservoir_s: NotNegative = Field(default=90.0, description="Below it always the lowest level.")
    cushion_s: AboveZero = Field(default=126.0, description="The map rises over this much buffer.")


class Bba(Player):
    """The rate from the buffer and the coming segments' sizes."""

    variant: Literal["livi-2017", "huang-2014"] = Field(
        default="livi-2017",
        description="Whose code is followed: the testbed's or the publication's.",
    )
    cushion_s: AboveZero = Field(default=126.0, description="The map rises over this much buffer.")
    lookahead_s: AboveZero = Field(
        default=480.0, description="Time for which the reservoir provides."
    )


class Festive(Player):
    """FESTIVE: fair, and seldom switching."""

    window: int = Field(default=20, ge=1, description="Downloads in the harmonic mean.")
    share: Share = Field(default=0.85, description="Share of the estimate that may be used.")
    alpha: NotNegative = Field(default=12.0, description="Weight of efficiency against stability.")
    switch_memory_s: NotNegative = Field(
        default=20.0, description="How long a switch counts against the next."
    )
    delta_s: NotNegative | None = Field(
        default=None, description="Half the spread of the target buffer; null: one segment."
    )


class Dashjs(Player):
    """dash.js's rule of that name, with its safety rules."""

    version: Literal[4, 5, "4.0.1"] = Field(
        default=5,
        description="The dash.js generation whose averages and safety factors count; 4.0.1: with "
        "the window that widens and the cut at 50 ms.",
    )
    safety: Share = Field(
        default=0.9, description="bandwidthSafetyFactor: share of the average that may be used."
    )
    initial_bps: NotNegative = Field(
        default=1e6, description="Rate assumed for the first segment (dash.js: 1000 kbit/s)."
    )
    insufficient_buffer: bool | Literal["stalls"] = Field(
        default=True,
        description="Whether InsufficientBufferRule is active; stalls: only in a stall, "
        "without its bound on the rate.",
    )
    switch_history: bool = Field(default=True, description="Whether SwitchHistoryRule is active.")


class Dynamic(Dashjs):
    """dash.js's default: throughput while the buffer is low, BOLA once it is not."""

    on_s: NotNegative = Field(default=12.0, description="BOLA takes over at this buffer.")
    off_s: NotNegative = Field(default=6.0, description="Throughput takes over below this buffer.")


@dataclass(frozen=True)
class _Version:
    """Of text: one of the versions of a pinned player."""

    player: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return core_schema.no_info_after_validator_function(self._checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), "enum": list(PINNED[self.player].versions)}

    def _checked(self, version: str) -> str:
        versions = PINNED[self.player].versions
        if version not in versions:
            near = nearest(version, versions)
            hint = f"did you mean {near}?" if near else "write one of them"
            raise refusal(", ".join(versions), hint)
        return version


class DashjsItself(Model):
    """dash.js as it is, in Node.js: no emulation."""

    version: Annotated[str, _Version("dashjs")] = Field(
        default=PINNED["dashjs"].versions[-1], description="Of the npm package dashjs."
    )
    settings: dict[str, Any] = Field(
        default={},
        description="As its updateSettings takes them; keys may be dotted.",
        examples=[{"streaming.abr.rules.bolaRule.active": False}],
    )


class HlsjsItself(Model):
    """hls.js as it is, in Node.js."""

    version: Annotated[str, _Version("hlsjs")] = Field(
        default=PINNED["hlsjs"].versions[-1], description="Of the npm package hls.js."
    )
    settings: dict[str, Any] = Field(
        default={},
        description="As its configuration takes them; keys may be dotted.",
        examples=[{"abrBandWidthFactor": 0.8}],
    )


class ShakaItself(Model):
    """shaka-player as it is, in Node.js."""

    version: Annotated[str, _Version("shaka")] = Field(
        default=PINNED["shaka"].versions[-1], description="Of the npm package shaka-player."
    )
    settings: dict[str, Any] = Field(
        default={},
        description="As its configure takes them; keys may be dotted.",
        examples=[{"abr.bandwidthUpgradeTarget": 0.8}],
    )


class Chromium(Model):
    """Chromium itself, with dash.js in its page."""

    version: Annotated[str, _Version("dashjs")] = Field(
        default=PINNED["dashjs"].versions[-1], description="Of the npm package dashjs."
    )
    settings: dict[str, Any] = Field(
        default={},
        description="As dash.js's updateSettings takes them; keys may be dotted.",
        examples=[{"streaming.abr.rules.bolaRule.active": False}],
    )


PLAYERS: Mapping[str, type[Model]] = MappingProxyType(
    {
        "aggressive-rate": AggressiveRate,
        "classic1": Classic,
        "classic2": Classic,
        "bba0": Bba0,
        "bba1": Bba,
        "bba2": Bba,
        "bba3": Bba,
        "fixed": Fixed,
        "festive": Festive,
        "dashjs-throughput": Dashjs,
        "bola": Dashjs,
        "dynamic": Dynamic,
        "dashjs": DashjsItself,
        "hlsjs": HlsjsItself,
        "shaka": ShakaItself,
        "chromium": Chromium,
    }
)
"""Name in an experiment -> its options."""


def completed(player: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options given, with defaults for the rest.

    Of a player that is not shipped, only what every player has is known.
    Raises pydantic.ValidationError where a shipped player does not take them.
    """
    model = PLAYERS.get(player)
    if model is None:
        return {**Player().model_dump(), **options}
    found = model.model_validate(dict(options)).model_dump()
    if player in PROGRAMS:
        found["settings"] = nested(found["settings"])
    return found
