"""What `weir run` says of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weir_orchestrator.cli.common import output, searched_text

if TYPE_CHECKING:
    from weir_engine.search.rounds import Rounds

__all__ = ["tell_search"]


def tell_search(rounds: Rounds) -> None:
    """A line for each combination, or replicate of it: the level found, or why there is none."""
    for subject, end in rounds.ends():
        found: object = "not known yet"
        if end is not None:
            found = f"none; {end.reason}" if end.level is None else end.level
        told = searched_text(
            subject.levels,
            subject.replicates[0] if subject.search.per == "replicate" else None,
            f"{subject.search.find} {subject.search.factor}",
            found,
            end.exceptions if end else (),
        )
        output.print(told, markup=False)
