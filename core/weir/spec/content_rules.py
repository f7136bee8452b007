"""Rules between a film's fields, but for those of a live one (live.py)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from weir.errors import Problem
from weir.spec.content import Content, Sizes
from weir.spec.names import SIZE_SOURCES

__all__ = ["broken_rules"]


def broken_rules(content: Content | None) -> Iterator[Problem]:
    """By paths that start at the experiment. None: it has none."""
    if content is None:
        return
    ladder = content.ladder
    for index, (lower, higher) in enumerate(pairwise(ladder), start=1):
        if higher <= lower:
            yield Problem(
                f"content.ladder.{index}",
                f"{higher:g} bit/s",
                f"rates above {lower:g} bit/s",
                "the ladder must rise from level to level; sort it",
            )
    sizes = content.sizes
    if isinstance(sizes, Sizes):
        given = [key for key in SIZE_SOURCES if getattr(sizes, key) is not None]
        if len(given) != 1:
            yield Problem(
                "content.sizes",
                ", ".join(given) or None,
                f"exactly one of {', '.join(SIZE_SOURCES)}",
                "keep one of them" if given else "name one, or remove sizes for constant rate",
            )
        if sizes.table is not None and sizes.dash is None:
            yield Problem("content.sizes.table", sizes.table, "beside dash only",
                          "write {file: ...} for a table alone")  # fmt: skip
        if sizes.generate is not None and content.segments is None:
            yield Problem("content.segments", None, "a whole number",
                          "a generated film needs its length in segments; add it")  # fmt: skip
