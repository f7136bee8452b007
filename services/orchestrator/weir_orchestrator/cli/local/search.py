"""What `weir run` and `weir validate` say of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weir_orchestrator.cli.common import level_text, output

if TYPE_CHECKING:
    from weir.expand import Expansion
    from weir.spec import Campaign
    from weir_engine.search.rounds import Rounds

__all__ = ["runs_at_most", "tell_search"]


def runs_at_most(campaign: Campaign, expansion: Expansion) -> int:
    """A campaign's runs; of a search as many as bisection can come to."""
    from weir_engine.search.rounds import most_runs  # noqa: PLC0415 - slow to import

    ends = expansion.count()
    return most_runs(campaign.search, ends) if campaign.search else ends


def tell_search(rounds: Rounds) -> None:
    """A line for each combination, or replicate of it: the level found, or why there is none."""
    for subject, end in rounds.ends():
        said = f"{subject.search.find} {subject.search.factor} that passes: "
        if end is None:
            said += "not known yet"
        elif end.level is None:
            said += f"none; {end.reason}"
        else:
            said += str(end.level)
        if end and end.exceptions:
            said += f"; beyond it {', '.join(map(str, end.exceptions))} fail"
        which = (
            f"replicate {subject.replicates[0] + 1} " if subject.search.per == "replicate" else ""
        )
        output.print(f"{level_text(subject.levels)} {which}{said}".strip(), markup=False)
