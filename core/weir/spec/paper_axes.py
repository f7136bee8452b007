"""What a paper's findings and figures speak of: its axes with their levels, and its own metrics."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from weir.spec.paper_model import PaperModel

__all__ = ["Axis", "Share"]


def _labelled(value: Any) -> Any:
    """A list of levels is a mapping of each to itself; keys become text."""
    if isinstance(value, dict):
        return {str(level): label for level, label in value.items()}
    if isinstance(value, list):
        return {str(level): str(level) for level in value}
    return value


class Axis(PaperModel):
    """A factor of the campaigns, in the paper's words.

        size: {factor: gateway.downlink.queue.limit, title: queue size, levels: {6bdp: 6 BDP}}

    A campaign that does not vary the factor has the level that stands in its experiment. The
    factor `campaign` is the campaign's name.
    """

    factor: str | None = Field(default=None, description="Default: the axis's own name.")
    title: str | None = Field(default=None, description="Default: the axis's own name.")
    levels: Annotated[dict[str, str], BeforeValidator(_labelled), Field(min_length=1)] = Field(
        description="Levels as the campaign has them -> labels, or a list; in order."
    )


class Share(PaperModel):
    """A metric of the paper: 100 * sum of `part` / sum of `of`, in percent.

    Undefined for a run in which `of` sums to zero.
    """

    title: str
    part: list[str] = Field(min_length=1)
    of: list[str] = Field(min_length=1)
