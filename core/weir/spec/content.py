"""The film as users write it: ladder, segments, and where their sizes come from."""

from __future__ import annotations

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from weir.spec.model import Model
from weir.spec.quantities import PositiveDurationS, RateBps, RatioUnbounded

__all__ = ["Content", "Generate", "LiveFilm", "Sizes"]


class Generate(Model):
    """A made-up film whose scenes are easy or hard to encode (weir.content.generate)."""

    seed: int = Field(default=1, ge=0, lt=2**63, description="Another seed, another film.")
    variation: RatioUnbounded = Field(
        default="40%",
        validate_default=True,
        description="Each level's coefficient of variation of segment sizes.",
    )
    peak: float = Field(
        default=2.5, gt=1, le=100, description="No segment is larger than this times the mean."
    )
    scene: PositiveDurationS = Field(
        default="8s", validate_default=True, description="Mean length of a scene."
    )


class Sizes(Model):
    """Where the sizes of segments come from: exactly one of these, and `table` with `dash`."""

    file: str | None = Field(
        default=None,
        description="CSV file, sizes in bytes: a row per segment, a column per level.",
    )
    generate: Generate | None = None
    dash: str | None = Field(
        default=None, description="MPD with SegmentList or SegmentTemplate; files beside it."
    )
    table: str | None = Field(
        default=None, description="dash: CSV file of sizes, instead of the files that it names."
    )
    hls: str | None = Field(
        default=None, description="Master playlist; EXT-X-BYTERANGE, or files beside it."
    )
    sabre: str | None = Field(default=None, description="Sabre's movie manifest, JSON.")


class LiveFilm(Model):
    """A film that is made while it is watched; players are told the latency that they are to have,
    and the playback rates by which they may get there.
    """

    target_latency: PositiveDurationS = Field(
        default="3s", validate_default=True, description="From a picture's making to its playing."
    )
    max_latency: PositiveDurationS | None = Field(
        default=None, description="More than that a player makes up by a skip. Default: its own."
    )
    min_playback_rate: float = Field(
        default=0.96, ge=0.5, le=1, description="Playback is not to be slower, to fall back."
    )
    max_playback_rate: float = Field(
        default=1.04, ge=1, le=2, description="Playback is not to be faster, to catch up."
    )
    chunk: PositiveDurationS | None = Field(
        default="500ms",
        validate_default=True,
        description="As soon as so much of a segment is made, it is sent on (CMAF chunks by "
        "chunked transfer); null: whole segments alone.",
    )
    time_shift_buffer: PositiveDurationS = Field(
        default="30s",
        validate_default=True,
        description="How long segments can be fetched; the film's making began so long before the "
        "experiment's second 0.",
    )


class Content(Model):
    """The film that every client plays."""

    ladder: Annotated[list[RateBps], Field(min_length=1, max_length=64)] = Field(
        description="Encoding rates, rising; level 0 is the lowest.",
        examples=[["248kbit/s", "456kbit/s", "928kbit/s", "1632kbit/s", "4256kbit/s"]],
    )
    segment: PositiveDurationS = Field(default="2s", validate_default=True)
    segments: int | None = Field(
        default=None, ge=1, description="Length of the film in segments; absent: endless."
    )
    sizes: (
        Annotated[
            Annotated[str, Tag("<file>")] | Annotated[Sizes, Tag("<source>")],
            Discriminator(lambda value: "<file>" if isinstance(value, str) else "<source>"),
        ]
        | None
    ) = Field(
        default=None,
        description="Sizes of segments that vary; a name alone is a CSV file. Absent: constant "
        "rate, bitrate * segment / 8.",
        examples=["film.csv", {"generate": {"seed": 1}}, {"sabre": "bbb.json"}],
    )
    live: LiveFilm | None = Field(
        default=None,
        description="The film is made while it is watched, by a live origin; players: dashjs.",
        examples=[{"target_latency": "3s", "chunk": "500ms"}],
    )
