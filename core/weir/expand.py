"""From a campaign to its runs: grid x zip - exclude, each combination so often as is asked.

Common random numbers: replicate k has the same seed at every factor level, derived from the
campaign's seed and k alone. Differences between levels are then differences between pairs, and
adding replicates never changes the ones that exist.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Any

from weir import resolved
from weir.errors import Problem, SpecError
from weir.spec.campaign import Campaign
from weir.spec.combination import Combiner
from weir.spec.factors import Grid, Point, same_level
from weir.spec.load import all_levels

__all__ = ["Expansion", "Run", "replicate_seed", "seed_of"]

_MAX_PROBLEMS = 20
_LOOK_ON = 1_000


@dataclass(frozen=True, slots=True)
class Run:
    """One execution to be. Replicates share `levels` and `experiment`: do not change them.

    combination, replicate: from 0. levels: factor path -> level as written. experiment: see
    weir.resolved.
    """

    campaign: str
    combination: int
    levels: dict[str, Any]
    replicate: int
    seed: int
    experiment: resolved.Experiment


def replicate_seed(campaign_seed: int, replicate: int) -> int:
    """63 bits of SHA-256 over both numbers: the same on every machine and for ever."""
    digest = hashlib.sha256(f"weir seed {campaign_seed} {replicate}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def seed_of(campaign_seed: int, named: Sequence[int], replicate: int) -> int:
    """Of a replicate, of which the first may be named."""
    if replicate < len(named):
        return named[replicate]
    return replicate_seed(campaign_seed, replicate)


class Expansion:
    """A campaign's combinations and runs: counted without being made, and made when asked for.

    Of a search, the runs at both ends: which levels come between is known when these have ended.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._grid = Grid(campaign.axes(), campaign.exclude)
        self._combiner = Combiner(campaign, all_levels(self._grid.axes), campaign.files())

    @property
    def factors(self) -> list[str]:
        """Every factor's path or name, in order."""
        return [factor for axis in self._grid.axes for factor in axis[0]]

    def combination_count(self) -> int:
        """How many combinations of levels there are. Cheap for any size."""
        return self._grid.count()

    def count(self) -> int:
        """How many runs there are. Cheap for any size."""
        campaign = self._campaign
        left_out = list(campaign.exclude)
        left = self._grid.count()
        runs = 0
        for rule in campaign.replicates_where:
            left_out.append(rule.levels)
            before, left = left, Grid(self._grid.axes, left_out).count()
            runs += (before - left) * rule.replicates
        return runs + left * campaign.replicates

    def sample(self, at_most: int) -> Iterator[tuple[Point, resolved.Experiment]]:
        """Levels and experiment of every combination, or, of more than at_most, of the first with
        each level. The campaign's first combination comes first. Raises SpecError.
        """
        few = self._grid.count() <= at_most
        for chosen in self._grid.combinations() if few else self._grid.covering():
            levels = self._grid.point(chosen)
            yield levels, self._combiner.build(levels)

    def runs(self, start: int = 0) -> Iterator[Run]:
        """The runs from position `start` on; replicates of one combination stand together, but for
        a question's, of which each replicate's combinations do.

        Raises SpecError at a combination that is not sound, with the problems of those that follow
        it as far as a short look tells, each once.
        """
        if self._campaign.question is not None:
            yield from islice(self._side_by_side(), start, None)
            return
        position = 0
        combinations = enumerate(self._grid.combinations())
        for number, chosen in combinations:
            levels = self._grid.point(chosen)
            replicates = self._replicates(levels)
            first = max(0, start - position)
            position += replicates
            if first >= replicates:
                continue
            try:
                experiment = self._combiner.build(levels)
            except SpecError as error:
                following = (chosen for _, chosen in islice(combinations, _LOOK_ON))
                raise SpecError(self._more_problems(error, following)) from None
            for k in range(first, replicates):
                seed = self._seed(k)
                yield Run(self._campaign.name, number, levels, k, seed, experiment)

    def _side_by_side(self) -> Iterator[Run]:
        sides = [self._grid.point(chosen) for chosen in self._grid.combinations()]
        experiments = [self._combiner.build(levels) for levels in sides]
        for k in range(self._campaign.replicates):
            seed = self._seed(k)
            for number, both in enumerate(zip(sides, experiments, strict=True)):
                yield Run(self._campaign.name, number, both[0], k, seed, both[1])

    def kernels(self, at_most: int | None = None) -> list[resolved.Kernel]:
        """The kernels that runs need beside the lab's own, each once.

        Raises SpecError, also where the levels that set it make more than `at_most` combinations.
        """
        named = self._campaign.named
        chosen_by = [
            number
            for number, axis in enumerate(self._grid.axes)
            if any(_sets_kernel(factor, named) for factor in axis[0])
        ]
        levels = [range(len(self._grid.axes[number])) for number in chosen_by]
        if at_most is not None and (several := prod(map(len, levels))) > at_most:
            allowed = f"at most {at_most} combinations of levels that set the kernel"
            raise SpecError([Problem("factors", several, allowed, "split the campaign")])
        found: list[resolved.Kernel] = []
        for picked in product(*levels):
            fixed = dict(zip(chosen_by, picked, strict=True))
            if (chosen := next(self._grid.combinations(fixed), None)) is None:
                continue
            kernel = self._combiner.build(self._grid.point(chosen)).get("kernel")
            if kernel is not None and kernel not in found:
                found.append(kernel)
        return found

    def experiment(self, levels: Mapping[str, Any]) -> resolved.Experiment:
        """What a run at these levels is; of a search, at any of its levels. Raises SpecError."""
        return self._combiner.build(dict(levels))

    def written(self, levels: Mapping[str, Any]) -> dict[str, Any]:
        """The experiment at these levels as a campaign of it alone would say it. Raises SpecError:
        a level sets what is not there."""
        return self._combiner.written(dict(levels))

    def _more_problems(self, first: SpecError, following: Iterator[list[int]]) -> list[Problem]:
        problems = {str(problem): problem for problem in first.problems}
        for chosen in following:
            if len(problems) >= _MAX_PROBLEMS:
                break
            try:
                self._combiner.build(self._grid.point(chosen))
            except SpecError as error:
                for problem in error.problems:
                    problems.setdefault(str(problem), problem)
        return list(problems.values())

    def _seed(self, replicate: int) -> int:
        return seed_of(self._campaign.seed, self._campaign.replicate_seeds, replicate)

    def _replicates(self, levels: Mapping[str, Any]) -> int:
        for rule in self._campaign.replicates_where:
            if all(same_level(levels[path], level) for path, level in rule.levels.items()):
                return rule.replicates
        return self._campaign.replicates


def _sets_kernel(factor: str, named: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> bool:
    paths = (
        [path for sets in named[factor].values() for path in sets] if factor in named else [factor]
    )
    return any(path.split(".")[0] == "kernel" for path in paths)
