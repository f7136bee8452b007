"""A paper: its own numbers, its findings and its figures, for a report to put beside measured ones.

    citation: Ben Ameur et al. ...
    axes: ...                       # weir.spec.paper_axes: what findings and figures speak of
    metrics: ...                    # weir.spec.paper_axes: shares of the catalogue's metrics
    findings: ...                   # weir.spec.paper_findings
    figures: ...                    # weir.spec.paper_figures
    campaigns:
      <campaign name>:
        factors: [gateway.shaping.method, server.congestion_control]
        clients: {order_by: mean_bitrate_bps, descending: true}     # who is client 1
        metrics:
          <metric name>:            # a name of weir.metrics.CATALOG
            1:                      # client, 1-based; `run` for a metric of the whole run
              none: {reno: 4.95}    # one nesting per factor, in the order of `factors`

The keys under a client are levels as text. Values are in the metric's own unit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from weir.spec.paper_axes import Axis, Share
from weir.spec.paper_figures import Figure
from weir.spec.paper_findings import Finding
from weir.spec.paper_model import PaperModel

__all__ = ["ClientOrder", "Paper", "PaperTable"]


class ClientOrder(PaperModel):
    """Papers number clients by what became of them: sort by this metric, then count from 1."""

    order_by: str
    descending: bool = True


class PaperTable(PaperModel):
    """The numbers of one campaign."""

    factors: list[str] = Field(min_length=1)
    clients: ClientOrder | None = None
    metrics: dict[str, dict[int | Literal["run"], dict[str, Any]]]
    source: str = ""

    @model_validator(mode="after")
    def _numbers_at_full_depth(self) -> PaperTable:
        for _ in self.rows():
            pass
        return self

    def rows(self) -> Iterator[tuple[str, int | None, dict[str, str], float]]:
        """(metric, client or None for the run, factor path -> level as text, value)."""
        for metric, clients in self.metrics.items():
            for client, tree in clients.items():
                for levels, value in _leaves(tree, len(self.factors), metric):
                    number = None if client == "run" else int(client)
                    yield metric, number, dict(zip(self.factors, levels, strict=True)), value

    def value(self, metric: str, client: int | None, levels: Mapping[str, Any]) -> float | None:
        """The paper's number at these levels (more paths than its factors may be given)."""
        tree: Any = self.metrics.get(metric, {}).get("run" if client is None else client, {})
        for factor in self.factors:
            if not isinstance(tree, dict) or factor not in levels:
                return None
            tree = tree.get(str(levels[factor]))
        return None if tree is None else float(tree)


class Paper(PaperModel):
    """A paper: where it appeared, what it states and shows, its tables by campaign name."""

    citation: str
    url: str | None = None
    differences: list[str] = Field(default=[], description="What differs from its testbed.")
    axes: dict[str, Axis] = Field(default={})
    metrics: dict[str, Share] = Field(default={})
    findings: list[Finding] = Field(default=[], description="What it states, to be checked.")
    figures: list[Figure] = Field(default=[], description="Its figures, to be drawn again.")
    campaigns: dict[str, PaperTable] = Field(default={})


def _leaves(tree: Any, depth: int, metric: str) -> Iterator[tuple[list[str], float]]:
    if depth == 0:
        if isinstance(tree, bool) or not isinstance(tree, int | float):
            raise ValueError(f"{metric}: {tree!r} is no number; nest one level per factor")
        yield [], float(tree)
        return
    if not isinstance(tree, dict):
        raise ValueError(f"{metric}: {tree!r} stands too high; nest one level per factor")
    for level, below in tree.items():
        for levels, value in _leaves(below, depth - 1, metric):
            yield [str(level), *levels], value
