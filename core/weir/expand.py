"""From a campaign to its runs: grid x zip - exclude, each combination so often as is asked.

Common random numbers: replicate k has the same seed at every factor level, derived from the
campaign's seed and k alone. Differences between levels are then differences between pairs, and
adding replicates never changes the ones that exist.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from weir.errors import Problem, SpecError
from weir.spec.campaign import Campaign
from weir.spec.combination import Combiner
from weir.spec.factors import Grid, same_level
from weir.spec.load import all_levels

__all__ = ["Run", "count", "expand", "expand_from", "replicate_seed"]

_MAX_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Run:
    """One execution to be. Replicates share `levels` and `experiment`: do not change them.

    levels: factor path -> level as written. replicate: from 0. experiment: see weir.resolved.
    """

    campaign: str
    levels: dict[str, Any]
    replicate: int
    seed: int
    experiment: dict[str, Any]


def replicate_seed(campaign_seed: int, replicate: int) -> int:
    """63 bits of SHA-256 over both numbers: the same on every machine and for ever."""
    digest = hashlib.sha256(f"weir seed {campaign_seed} {replicate}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def count(campaign: Campaign) -> int:
    """How many runs `expand` would return. Cheap for any size."""
    axes, left_out = campaign.axes(), list(campaign.exclude)
    left = Grid(axes, left_out).count()
    runs = 0
    for rule in campaign.replicates_where:
        left_out.append(rule.levels)
        before, left = left, Grid(axes, left_out).count()
        runs += (before - left) * rule.replicates
    return runs + left * campaign.replicates


def expand(campaign: Campaign) -> list[Run]:
    """All runs; replicates of one combination stand together.

    Raises SpecError for combinations that are not sound, each problem once.
    """
    grid = Grid(campaign.axes(), campaign.exclude)
    combiner = Combiner(campaign, all_levels(grid.axes), campaign.files())
    most = max([campaign.replicates, *(rule.replicates for rule in campaign.replicates_where)])
    seeds = [replicate_seed(campaign.seed, k) for k in range(most)]
    runs: list[Run] = []
    problems: dict[str, Problem] = {}
    for chosen in grid.combinations():
        levels = grid.point(chosen)
        try:
            experiment = cast("dict[str, Any]", combiner.build(levels))
        except SpecError as error:
            for problem in error.problems:
                problems.setdefault(str(problem), problem)
            if len(problems) >= _MAX_PROBLEMS:
                break
            continue
        asked = seeds[: _replicates(campaign, levels)]
        runs += [Run(campaign.name, levels, k, seed, experiment) for k, seed in enumerate(asked)]
    if problems:
        raise SpecError(problems.values())
    return runs


def expand_from(campaign: Campaign, start: int = 0) -> Iterator[tuple[int, Run]]:
    """The runs from position `start` on, each with its combination's number, made when asked for.

    What is skipped is not built. Raises SpecError at a combination that is not sound.
    """
    grid = Grid(campaign.axes(), campaign.exclude)
    combiner = Combiner(campaign, all_levels(grid.axes), campaign.files())
    position = 0
    for number, chosen in enumerate(grid.combinations()):
        levels = grid.point(chosen)
        replicates = _replicates(campaign, levels)
        first = max(0, start - position)
        position += replicates
        if first < replicates:
            experiment = cast("dict[str, Any]", combiner.build(levels))
            for k in range(first, replicates):
                seed = replicate_seed(campaign.seed, k)
                yield number, Run(campaign.name, levels, k, seed, experiment)


def _replicates(campaign: Campaign, levels: Mapping[str, Any]) -> int:
    for rule in campaign.replicates_where:
        if all(same_level(levels[path], level) for path, level in rule.levels.items()):
            return rule.replicates
    return campaign.replicates
