"""A question: does one level of the campaign's factor beat the other one?

Answered by as many replicates as it takes, and at most by `replicates` of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final

from pydantic import Field

from weir.errors import Problem
from weir.spec.factors import Axes, same_level
from weir.spec.model import Model

__all__ = ["MOST_PAIRS", "Question", "problems_of"]

MOST_PAIRS: Final = 1000
"""Of runs that a question may take: what is not told by then is not worth telling."""
_LEVELS: Final = 2
_SIZE: Final = re.compile(r"\d+(\.\d+)?%")

Size = Annotated[float, Field(ge=0)] | str


class Question(Model):
    """Does a level of the only factor, which has two, beat the other one for a metric?"""

    does: Any = Field(description="The level that may beat the other one.", examples=["illinois"])
    metric: str = Field(
        description="For which metric: one of which a way is better.", examples=["mean_bitrate_bps"]
    )
    matters: Size | None = Field(
        default=None,
        description="The smallest difference that matters: a share of the other level's value, or "
        "a number in the metric's unit. Default: what a viewer would hardly notice.",
        examples=["2%", 0.5],
    )


def problems_of(
    question: Question,
    axes: Axes,
    rules: Mapping[str, bool],
    better: Mapping[str, str | None],
    replicates: int,
) -> Iterator[Problem]:
    """What is wrong with a question, by paths that start at the campaign.

    rules: what a campaign with a question cannot have, by its key, and whether it has. better: way
    by metric.
    """
    for key, given in rules.items():
        if given:
            yield Problem(key, None, f"no {key} beside a question", "remove one of them")
    if len(axes) != 1 or len(axes[0][0]) != 1 or len(axes[0]) != _LEVELS:
        yield Problem("question", None, "one factor of two levels, and no other factor",
                      "vary only what is compared")  # fmt: skip
        return
    levels = [next(iter(point.values())) for point in axes[0]]
    if not any(same_level(question.does, level) for level in levels):
        shown = ", ".join(map(str, levels))
        yield Problem("question.does", question.does, shown, "name a level of the factor")
    if better.get(question.metric) is None:
        one_way = ", ".join(sorted(name for name, way in better.items() if way is not None))
        yield Problem("question.metric", question.metric, f"one of {one_way}",
                      "name a metric of which more or less is better")  # fmt: skip
    matters = question.matters
    if isinstance(matters, str) and not _SIZE.fullmatch(matters):
        yield Problem("question.matters", matters, "a share such as 2%, or a number from 0",
                      "write one")  # fmt: skip
    if replicates > MOST_PAIRS:
        yield Problem("replicates", replicates, f"at most {MOST_PAIRS} with a question",
                      "lower it: a question ends sooner where it can be told")  # fmt: skip
