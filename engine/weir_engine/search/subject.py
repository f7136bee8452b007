"""What a search narrows down: one combination, or one replicate of it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.spec.search import Search, levels_of, number_of

from weir_engine.groups import grouped
from weir_engine.levels import text
from weir_engine.search.bisection import Ask, Found, NotFound, next_step
from weir_engine.search.verdict import Judged, worst

__all__ = ["End", "RunName", "Subject", "run_name", "subjects"]

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
    """levels: of all factors but the searched one. replicates: from 0, those that must pass."""

    search: Search
    levels: dict[str, Any]
    replicates: tuple[int, ...]

    def at(self, level: str | int) -> dict[str, Any]:
        """The levels of its runs there."""
        return {**self.levels, self.search.factor: level}

    def narrow(self, verdict: Verdict) -> tuple[list[str | int], End | list[str | int]]:
        """The levels that it has come to so far, in their order, and its end or the levels whose
        runs have to come next.

        What follows from the same verdicts is the same, whichever runs came first.
        """
        levels = levels_of(self.search)
        if self.search.find == "largest":
            levels.reverse()
        known: dict[int, Judged] = {}
        asked: set[int] = set()
        while True:
            passing = {index: said.passes for index, said in known.items()}
            start = self._start(levels, known)
            step = next_step(passing, len(levels), self.search.confirm, start)
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
            if waiting:
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

    def _start(self, levels: Sequence[str | int], known: Mapping[int, Judged]) -> int | None:
        """The first level that reaches the metric which the search starts at; None: it does not
        start at one, or the metric is not defined."""
        if self.search.start is None:
            return None
        if 0 not in known:
            return 1
        value = known[0].start
        if value is None:
            return None
        up = 1 if self.search.find == "smallest" else -1
        reached = (i for i, level in enumerate(levels) if up * (number_of(level) - value) >= 0)
        return max(1, next(reached, len(levels) - 1))

    def _not_found(
        self, step: NotFound, levels: Sequence[str | int], known: Mapping[int, Judged]
    ) -> str:
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

    runs: levels and replicate of each.
    """
    factors = [path for path in runs[0][0] if path != search.factor] if runs else []
    found = []
    for group in grouped(runs, factors):
        replicates = tuple(sorted(set(group.members)))
        each = [(one,) for one in replicates] if search.per == "replicate" else [replicates]
        found += [Subject(search, group.levels, some) for some in each]
    return found


def run_name(levels: Mapping[str, Any], replicate: int) -> RunName:
    """What tells a campaign's runs apart, however their levels are ordered."""
    return (*sorted((path, text(level)) for path, level in levels.items()), replicate)
