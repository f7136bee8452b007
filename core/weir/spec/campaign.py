"""The campaign: an experiment, what is varied, and how often each combination is run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Discriminator, Field, PrivateAttr, Tag

from weir.spec.factors import Axes
from weir.spec.files import Files
from weir.spec.question import Question
from weir.spec.search import Search
from weir.spec.search_levels import levels_of

__all__ = ["Campaign", "ReplicatesWhere"]

Levels = Annotated[list[Any], Field(min_length=1)]
NamedLevels = Annotated[dict[str, dict[str, Any]], Field(min_length=1)]
Factor = Annotated[
    Annotated[Levels, Tag("<levels>")] | Annotated[NamedLevels, Tag("<named>")],
    Discriminator(lambda value: "<named>" if isinstance(value, dict) else "<levels>"),
]


class ReplicatesWhere(BaseModel):
    """Another number of replicates for the combinations that have all these levels."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    levels: Annotated[dict[str, Any], Field(min_length=1)]
    replicates: int = Field(ge=1, le=1_000_000)


class Campaign(BaseModel):
    """As written, with `base` merged in and overrides applied. Made by `load_campaign`.

    `experiment` stays raw here: its own models apply once a combination's levels are in it.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9._-]*$",
        max_length=100,
        description="Name in stores and reports.",
        examples=["quickstart"],
    )
    description: str = Field(default="", description="What the campaign asks, for its report.")
    base: str | None = Field(
        default=None,
        description="A file that this one is merged over (RFC 7396: mappings merge, null removes, "
        "everything else replaces). It may hold any key of a campaign.",
    )
    experiment: dict[str, Any] = Field(description="What every run has in common.")
    factors: dict[str, Factor] = Field(
        default={},
        description="Dotted path in the experiment -> its levels, or a name of your own -> name "
        "of a level -> the paths that it sets; every combination is run. Where the name is a "
        "place in the experiment, its levels' paths start there.",
        examples=[
            {"server.congestion_control": ["cubic", "illinois"]},
            {
                "access": {
                    "dsl": {"gateway.downlink.rate": "8Mbit/s", "gateway.path.rtt.mean": "40ms"},
                    "fibre": {"gateway.downlink.rate": "100Mbit/s", "gateway.path.rtt.mean": "9ms"},
                }
            },
            {"kernel": {"stock": {}, "mine": {"patches": ["fix.patch"]}}},
        ],
    )
    zip: list[Annotated[dict[str, Levels], Field(min_length=1)]] = Field(
        default=[],
        description="Factors that change together: equally long lists of levels.",
        examples=[[{"content.segment": ["2s", "4s"], "clients.0.buffer": ["30s", "60s"]}]],
    )
    exclude: list[Annotated[dict[str, Any], Field(min_length=1)]] = Field(
        default=[],
        description="Combinations to leave out: those with all these levels.",
        examples=[[{"gateway.shaping.method": "rwtm", "server.congestion_control": "bbr"}]],
    )
    search: Search | None = Field(
        default=None,
        description="A factor of which not every level is run: bisection finds the smallest or "
        "largest one that passes, for each combination of the others.",
        examples=[
            {
                "factor": "gateway.downlink.rate",
                "from": "1Mbit/s",
                "to": "20Mbit/s",
                "step": "100kbit/s",
                "passes": {"metric": "stall_count", "at_most": 0},
            }
        ],
    )
    question: Question | None = Field(
        default=None,
        description="Whether one level of the only factor beats the other one. Replicates are run "
        "side by side until that is told, at most `replicates` of them.",
        examples=[{"does": "illinois", "metric": "mean_bitrate_bps", "matters": "2%"}],
    )
    replicates: int = Field(
        default=1,
        ge=1,
        le=1_000_000,
        description="Runs of each combination. Replicate k has the same seed at every level.",
    )
    replicates_where: list[ReplicatesWhere] = Field(
        default=[],
        description="Other numbers of runs for some combinations; the first that fits counts.",
        examples=[[{"levels": {"clients.0.count": 1}, "replicates": 2}]],
    )
    seed: int = Field(
        default=1, ge=0, lt=2**63, description="From which every replicate's seed comes."
    )
    replicate_seeds: list[Annotated[int, Field(ge=0, lt=2**63)]] = Field(
        default=[],
        max_length=10_000,
        description="Seeds of the first replicates themselves, as other runs had them.",
        examples=[[7954211600456673332]],
    )
    paper: str | None = Field(
        default=None, description="File with a paper's numbers, for the report to put beside."
    )

    _folder: Path = PrivateAttr(default_factory=Path)
    _confined: bool = PrivateAttr(default=False)

    @property
    def folder(self) -> Path:
        """Where relative file names in the campaign start."""
        return self._folder

    def files(self) -> Files:
        """Files by the names in the campaign; only those in its folder where it is confined."""
        return Files(self._folder, confined=self._confined)

    @property
    def paper_path(self) -> Path | None:
        """The paper's numbers, None where none are named."""
        return self._folder / self.paper if self.paper else None

    @property
    def named(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Factors with a name of their own: name -> level -> path -> what it sets there."""
        return {name: found for name, found in self.factors.items() if isinstance(found, dict)}

    def axes(self) -> Axes:
        """One axis per factor, in the order written, then one per zip.

        A search comes last, with its ends: they are run first, and the steps between them as the
        search comes to them.
        """
        grid: Axes = [[{path: level} for level in levels] for path, levels in self.factors.items()]
        zipped: Axes = [
            [dict(zip(group, point, strict=True)) for point in zip(*group.values(), strict=True)]
            for group in self.zip
        ]
        if self.search is None:
            return grid + zipped
        ends = levels_of(self.search)
        return [*grid, *zipped, [{self.search.factor: level} for level in (ends[0], ends[-1])]]
