"""What a figure of quotients shows: of pairs of runs, one's value by the other's."""

from __future__ import annotations

from weir.spec.paper_figures import Quotient

from weir_engine.report.paper.pairs import Sides, sides
from weir_engine.report.paper.pool import Observation, Pool

__all__ = ["Quotients"]


class Quotients:
    """Quotients of one metric, over the runs of a whole figure."""

    def __init__(
        self, pool: Pool, runs: list[Observation], metric: str, quotient: Quotient
    ) -> None:
        self._pool, self._metric, self._of = pool, metric, quotient.of
        self._apart = {*quotient.than, *quotient.of}
        self._than = self._sides(runs, metric, quotient.than)
        self._bound = quotient.bound and self._sides(runs, quotient.bound, quotient.than)

    def of(self, runs: list[Observation]) -> list[float]:
        """One for each of these runs that has its pair; identical pairs once.

        A quotient that has nothing to divide by is left out.
        """
        found: dict[object, float] = {}
        for unit, (value, outcomes) in self._sides(runs, self._metric, self._of).items():
            if unit not in self._than:
                continue
            than, others = self._than[unit]
            part, whole = value, than
            if self._bound:
                if unit not in self._bound:
                    continue
                part, whole = than - value, than - self._bound[unit][0]
            if whole:
                found.setdefault((unit[0], outcomes, others), part / whole)
        return list(found.values())

    def _sides(self, runs: list[Observation], metric: str, wanted: dict[str, list[str]]) -> Sides:
        return sides(self._pool, runs, metric, None, wanted, self._apart)
