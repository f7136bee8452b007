"""Does the measured order of the levels agree with the paper's?

For each metric and client, and each factor of a paper's table with the other held fixed, every
pair of levels is compared: which one has the larger mean. Where the measured 95 % intervals
overlap, the pair is not distinguishable and counts neither way. A paper gives no intervals,
so its order is taken as printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from weir_engine.levels import text
from weir_engine.report.build import Mean, Report

__all__ = ["Group", "Pair", "groups"]


@dataclass(frozen=True)
class Pair:
    """Two levels of one factor: verdict is agrees, opposite or not distinguishable."""

    first: str
    second: str
    verdict: str


@dataclass(frozen=True)
class Group:
    """The pairs of a factor's levels, with `fixed` as the other factor's level."""

    metric: str
    client: int | None
    factor: str
    fixed: str
    pairs: tuple[Pair, ...]

    def count(self, verdict: str) -> int:
        return sum(pair.verdict == verdict for pair in self.pairs)


def groups(report: Report) -> list[Group]:
    """All comparisons that both the paper and the measurements allow."""
    if report.table is None:
        return []
    return [
        Group(metric, client, factor, fixed, pairs)
        for metric, clients in report.table.metrics.items()
        for client in (None if number == "run" else number for number in clients)
        for factor in report.table.factors
        for fixed, line in _lines(report, metric, client, factor)
        if (pairs := tuple(_pair(first, second) for first, second in combinations(line, 2)))
    ]


def _lines(
    report: Report, metric: str, client: int | None, factor: str
) -> Iterator[tuple[str, list[tuple[str, Mean]]]]:
    """For each choice of the other factors: its text, and the factor's levels with cells."""
    lines: dict[str, list[tuple[str, Mean]]] = {}
    for index, combination in enumerate(report.combinations):
        cell = report.means.get((index, metric, client))
        if cell is None or cell.paper is None or factor not in combination.levels:
            continue
        rest = [text(level) for path, level in combination.levels.items() if path != factor]
        lines.setdefault(", ".join(rest), []).append((text(combination.levels[factor]), cell))
    yield from lines.items()


def _pair(first: tuple[str, Mean], second: tuple[str, Mean]) -> Pair:
    (name, cell), (other_name, other) = first, second
    return Pair(name, other_name, verdict(cell, other))


def verdict(first: Mean, second: Mean) -> str:
    """Whether two measured means stand in the order of the paper's numbers."""
    assert first.paper is not None and second.paper is not None
    if first.ci is None or second.ci is None or _overlap(first.ci, second.ci):
        return "not distinguishable"
    if first.paper == second.paper:
        return "opposite"
    return "agrees" if (first.mean < second.mean) == (first.paper < second.paper) else "opposite"


def _overlap(first: tuple[float, float], second: tuple[float, float]) -> bool:
    return first[0] <= second[1] and second[0] <= first[1]
