"""One combination: the experiment with its levels in, checked and resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from weir import resolved
from weir.errors import Problem, SpecError
from weir.spec.campaign import Campaign
from weir.spec.experiment import Experiment
from weir.spec.factors import Point, same_level
from weir.spec.files import Files
from weir.spec.merge import set_at
from weir.spec.problems import from_validation
from weir.spec.resolve import resolve
from weir.spec.rules import broken_rules
from weir.spec.schematree import split_path
from weir.spec.search_levels import levels_of

__all__ = ["Combiner"]


class Combiner:
    """Builds combinations of one campaign; caches what they share (files, split paths)."""

    def __init__(self, campaign: Campaign, levels: Mapping[str, list[Any]], files: Files) -> None:
        """levels: factor path -> its levels, to say which one a problem comes from."""
        self._experiment = campaign.experiment
        self._named = campaign.named
        self._levels = levels
        self._files = files
        self._search = campaign.search
        self._steps: dict[str, list[str | int]] = {}

    def build(self, point: Point) -> resolved.Experiment:
        """The resolved experiment at these levels.

        Raises SpecError; a problem at or below a factor's path names that factor and level.
        """
        raw = self.written(point)
        try:
            experiment = Experiment.model_validate(raw)
        except ValidationError as error:
            problems = from_validation(error, Experiment)
            raise SpecError(self._blamed(problem, point) for problem in problems) from None
        problems = broken_rules(experiment)
        if not problems:
            try:
                return resolve(experiment, self._files)
            except SpecError as error:
                problems = error.problems
        raise SpecError(self._blamed(problem, point) for problem in problems)

    def written(self, point: Point) -> dict[str, Any]:
        """The experiment with these levels in, not checked. Raises SpecError: a level sets what is
        not there."""
        raw: Any = self._experiment
        for factor, level in point.items():
            for path, value in self._sets(factor, level).items():
                try:
                    raw = set_at(raw, self._split(path), value)
                except KeyError as error:
                    raise SpecError([self._missing(factor, level, path, error.args[0])]) from None
        written: dict[str, Any] = raw
        return written

    def _sets(self, factor: str, level: Any) -> dict[str, Any]:
        """Path -> what stands there at this level."""
        return self._named[factor][level] if factor in self._named else {factor: level}

    def _missing(self, factor: str, level: Any, path: str, remedy: str) -> Problem:
        """A level that sets what is not there."""
        if self._search is not None and factor == self._search.factor:
            return Problem("search.factor", factor, "a path in the experiment", remedy)
        where = f"{factor}.{level}.{path}" if factor in self._named else factor
        return Problem(f"factors.{where}", self._sets(factor, level)[path], "", remedy)

    def _place(self, factor: str, level: Any, path: str) -> str:
        """Where the campaign says what this level sets at `path`."""
        if factor in self._named:
            return f"factors.{factor}.{level}.{path}"
        if self._search is not None and factor == self._search.factor:
            ends = levels_of(self._search)
            return {ends[0]: "search.from", ends[-1]: "search.to"}.get(level, "search.step")
        levels = self._levels[factor]
        index = next(i for i, other in enumerate(levels) if same_level(other, level))
        return f"factors.{path}[{index}]"

    def _split(self, path: str) -> list[str | int]:
        if path not in self._steps:
            self._steps[path] = split_path(Experiment, path)
        return self._steps[path]

    def _blamed(self, problem: Problem, point: Point) -> Problem:
        """Name the level a problem comes from: as its path, or in its remedy."""
        for factor, level in point.items():
            for path in self._sets(factor, level):
                if problem.path == path or problem.path.startswith(f"{path}."):
                    where = self._place(factor, level, path) + problem.path[len(path) :]
                    return Problem(where, problem.value, problem.allowed, problem.remedy)
        path = f"experiment.{problem.path}"
        if not point:
            return Problem(path, problem.value, problem.allowed, problem.remedy)
        at = ", ".join(f"{path.rpartition('.')[2]} = {level}" for path, level in point.items())
        return Problem(path, problem.value, problem.allowed, f"{problem.remedy} (at {at})")
