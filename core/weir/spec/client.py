"""Clients as users write them: a player, when it plays, and what it asks of the transport."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from weir.errors import Problem
from weir.resolved import EcnMode
from weir.spec.model import Model
from weir.spec.quantities import DurationS, PositiveDurationS
from weir.spec.server import OptionValue

__all__ = ["Aimd", "Client", "Deadlines", "Reaction", "crossed_bounds"]


SegmentNumber = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,8})$")]


class Aimd(Model):
    """Parameters of the server's `aimd` for this client's connections. Defaults are New Reno's."""

    alpha: float = Field(
        default=1.0, ge=0.05, le=1000, description="RTTs per segment of growth; small: fast."
    )
    beta: float = Field(
        default=0.5, ge=0.001, le=0.999, description="Share of cwnd that a loss takes."
    )


class Reaction(Model):
    """How the server's `aimd` tries to meet deadlines."""

    moves: Literal["alpha", "beta", "none"] = Field(
        default="alpha",
        description="What `aimd` moves to meet them; none: it is not told, lateness is measured.",
    )
    lower: DurationS = Field(
        default="5s", validate_default=True, description="With a smaller margin: all speed."
    )
    upper: PositiveDurationS = Field(
        default="20s", validate_default=True, description="With a larger margin: least speed."
    )


def crossed_bounds(path: str, asked: Reaction) -> Iterator[Problem]:
    """Of what stands at this path."""
    if asked.lower >= asked.upper:
        yield Problem(f"{path}.lower", f"{asked.lower:g}s", f"below upper, {asked.upper:g}s",
                      "lower it or raise upper")  # fmt: skip


class Deadlines(Reaction):
    """When each byte of the film is due, for a client that plays one level without a pause.

    The last byte of segment n is due `after` + n segments after the client's start.
    """

    after: DurationS = Field(description="From the client's start to its first byte's deadline.")


class Client(Model):
    """One player, or `count` equal ones."""

    player: str = Field(
        description="A player's name, or a file with your own ABR: ./abr.py or ./abr.py:Class; a "
        "folder with your own player for Node.js: ./player/; or "
        "`outside`: a program of your own that fetches over HTTP, on the real clock.",
        examples=["aggressive-rate", "./my_abr.py:MyAbr", "./my-player/", "outside"],
    )
    options: dict[str, OptionValue | dict[str, Any]] = Field(
        default={}, description="The player's own options.", examples=[{"level": 2}]
    )
    buffer: PositiveDurationS = Field(default="30s", validate_default=True)
    start: DurationS = Field(default="0s", validate_default=True)
    stop: PositiveDurationS | None = Field(default=None, description="Absent: plays to the end.")
    count: int = Field(default=1, ge=1, le=500)
    aimd: Aimd | None = Field(
        default=None, description="What the client asks of a server whose control is `aimd`."
    )
    deadlines: Deadlines | None = Field(
        default=None, description="When its bytes are due; the player must be `fixed`."
    )
    ecn: EcnMode | None = Field(
        default=None,
        description="What its host asks for (and accepts). Default: classic where a queue is told "
        "to mark or for `dctcp`, accurate for `prague`, else classic-if-asked.",
    )
    in_flight: int = Field(
        default=1,
        ge=1,
        le=100,
        description="Segments asked for at once, each in a stream of one HTTP/2 connection.",
    )
    live: bool = Field(
        default=False,
        description="The film is made while it is watched: a segment can be asked for once its "
        "length has passed since the client's start and the segments before it.",
    )
    decisions: dict[SegmentNumber, Annotated[int, Field(ge=0)]] = Field(
        default={},
        max_length=100_000,
        description="Segment, from 0 and in quotes -> the level that is played, whatever the "
        "player chooses; it is asked all the same, and goes on from there.",
        examples=[{"12": 3}],
    )
    transport: Literal["tcp", "mptcp"] = "tcp"
    paths: list[str] = Field(
        default=[],
        description="Names of gateway.paths, each an address of the client's; the first one opens "
        "the connection. One that is named twice is a bottleneck that both addresses share. "
        "Default: the first path; with mptcp all.",
        examples=[["wifi", "lte"]],
    )
    backup: list[str] = Field(
        default=[], description="mptcp: those of them that carry data only while no other can."
    )

    def uses(self, names: list[str]) -> list[str]:
        """Of these names of gateway.paths, in order: one for each of its addresses."""
        return self.paths or (names if self.transport == "mptcp" else names[:1])
