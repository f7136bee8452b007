"""What a search narrows down: one combination, or one replicate of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.spec.search import Search
from weir.spec.search_levels import Levels, levels_of, number_of

from weir_engine.groups import grouped
from weir_engine.levels import text
from weir_engine.search.bisection import Ask, Found, NotFound, Step, next_step
from weir_engine.search.verdict import Judged, worst

__all__ = ["End", "RunName", "Subject", "narrowed", "run_name", "subjects"]

RunName = tuple[object, ...]
Verdict = Callable[[Mapping[str, Any], int], "Judged | str | None"]
"""Of the run with these levels and that replicate: whether it passes, why nobody can tell, or None
while it has no result."""


@dataclass(frozen=True)
class End:
    """level: as written; None where there is none, and then `reason`. exceptions: levels beyond it
    that fail."""

    level: str | int | None
    exceptions: tuple[str | int, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Subject:
    """levels: of all factors but the searched one. replicates: from 0, those that must pass.
    neighbour: the position among subjects of the one at whose level it starts, before its own."""

    search: Search
    levels: dict[str, Any]
    replicates: tuple[int, ...]
    neighbour: int | None = None

    def at(self, level: str | int) -> dict[str, Any]:
        """The levels of its runs there."""
        return {**self.levels, self.search.factor: level}

    def narrow(
        self, verdict: Verdict, neighbour: End | None = None
    ) -> tuple[list[str | int], End | list[str | int]]:
        """The levels that it has come to so far, in their order, and its end or the levels whose
        runs have to come next: none while it waits for its neighbour.

        neighbour: the end of the one that it has, where it is over. What follows from the same
        verdicts is the same, whichever runs came first.
        """
        levels = levels_of(self.search)
        if self.search.find == "largest":
            levels = levels.downwards()
        known: dict[int, Judged] = {}
        asked: set[int] = set()
        while True:
            step = self._step(levels, known, neighbour)
            if isinstance(step, Ask):
                asked.update(step.levels)
            tried = [levels[index] for index in sorted(asked)]
            if self.search.find == "largest":
                tried.reverse()
            if isinstance(step, Found):
                return tried, End(levels[step.level], tuple(levels[i] for i in step.exceptions))
            if isinstance(step, NotFound):
                return tried, End(None, reason=self._not_found(step, levels, known))
            waiting = []
            for index in step.levels:
                said = self.said(levels[index], verdict)
                if isinstance(said, str):
                    return tried, End(None, reason=f"at {levels[index]}: {said}")
                if said is None:
                    waiting.append(levels[index])
                else:
                    known[index] = said
            if waiting or not step.levels:
                return tried, waiting

    def said(self, level: str | int, verdict: Verdict) -> Judged | str | None:
        """Of all replicates at a level, as `Verdict`. One that fails settles it only when all are
        known: the runs of a level are the same whichever ends first."""
        said = [verdict(self.at(level), replicate) for replicate in self.replicates]
        for each in said:
            if isinstance(each, str):
                return each
        told = [each for each in said if isinstance(each, Judged)]
        return worst(told, self.search.passes) if len(told) == len(said) else None

    def _step(self, levels: Levels, known: Mapping[int, Judged], neighbour: End | None) -> Step:
        passing = {index: said.passes for index, said in known.items()}
        if self.neighbour is not None and neighbour is None:
            return Ask(() if 0 in passing else (0,))
        start, near = self._start(levels, known), None
        if neighbour is not None and neighbour.level is not None:
            near = max(1, levels.reaching(number_of(neighbour.level)))
        return next_step(passing, len(levels), self.search.confirm, start, near)

    def _start(self, levels: Levels, known: Mapping[int, Judged]) -> int | None:
        """The first level that reaches the metric which the search starts at; None: it does not
        start at one, or the metric is not defined."""
        if self.search.start is None:
            return None
        if 0 not in known:
            return 1
        value = known[0].start
        if value is None:
            return None
        return max(1, min(levels.reaching(value), len(levels) - 1))

    def _not_found(self, step: NotFound, levels: Levels, known: Mapping[int, Judged]) -> str:
        low, high = levels[0], levels[-1]
        at_low, at_high = known[0].value, known[len(levels) - 1].value
        values = f"{self.search.passes.metric} is {at_low:g} and {at_high:g}"
        if step.lower and step.upper:
            return f"both ends pass, {low} and {high}: widen from and to ({values})"
        if not step.lower and not step.upper:
            return f"both ends fail, {low} and {high}: widen from and to ({values})"
        other = "largest" if self.search.find == "smallest" else "smallest"
        return f"{low} passes and {high} fails: set find: {other} ({values})"


def subjects(search: Search, runs: Sequence[tuple[Mapping[str, Any], int]]) -> list[Subject]:
    """One per combination without the searched factor, or per replicate of it, in their order.

    runs: levels and replicate of each. One's neighbour is the last before it that differs in the
    factor `near` alone.
    """
    factors = [path for path in runs[0][0] if path != search.factor] if runs else []
    found: list[Subject] = []
    last: dict[RunName, int] = {}
    for group in grouped(runs, factors):
        replicates = tuple(sorted(set(group.members)))
        each = [(one,) for one in replicates] if search.per == "replicate" else [replicates]
        others = {path: level for path, level in group.levels.items() if path != search.near}
        for some in each:
            name = run_name(others, some[0] if search.per == "replicate" else 0)
            found.append(Subject(search, group.levels, some, last.get(name)))
            if search.near is not None:
                last[name] = len(found) - 1
    return found


def narrowed(
    subjects: Sequence[Subject], verdict: Verdict
) -> Iterator[tuple[Subject, list[str | int], End | list[str | int]]]:
    """Each with what `narrow` says of it."""
    ends: list[End | None] = []
    for subject in subjects:
        near = None if subject.neighbour is None else ends[subject.neighbour]
        tried, after = subject.narrow(verdict, near)
        ends.append(after if isinstance(after, End) else None)
        yield subject, tried, after


def run_name(levels: Mapping[str, Any], replicate: int) -> RunName:
    """What tells a campaign's runs apart, however their levels are ordered."""
    return (*sorted((path, text(level)) for path, level in levels.items()), replicate)
