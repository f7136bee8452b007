"""How far measured numbers are from all of a paper's tables at once, by what was assumed.

A campaign may vary more than the paper's table has factors: what a reproduction assumes where the
paper is silent. Each combination of those other factors is then a whole measured table. Of a metric
and client, over the cells of the table,

    d^2 = sum (measured mean - printed)^2 / sum (printed - mean of the printed)^2

and the distance is the root of the mean of d^2 over metrics and clients, each weighing the same. It
has no unit. 0: every number as printed. 1: as near as the printed tables' own means put into every
cell would be, so that what is farther off explains nothing of how the cells differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from statistics import fmean
from types import MappingProxyType

from weir_engine.errors import BadInput
from weir_engine.levels import text
from weir_engine.report.build import Report

__all__ = ["Distance", "Over", "Tables", "assumed", "distances", "neighbours"]

Table = tuple[str, int | None]
"""A metric, and the client's rank; None: of the run."""
Cell = tuple[str, int | None, tuple[str, ...]]
"""A metric, a rank, and the levels of the table's factors."""
Measured = dict[Cell, list[float]]
Over = Mapping[str, Sequence[str]]
"""Factors that are averaged over -> the levels that are; they stand for what varied by chance."""


@dataclass(frozen=True)
class Distance:
    """Of one combination of assumptions. levels: as text, by factor. tables: d of each.

    runs: how many it rests on.
    """

    levels: dict[str, str]
    total: float
    tables: dict[Table, float]
    runs: int


@dataclass(frozen=True)
class Tables:
    """nearest first. incomplete: combinations left out, since they lack a cell."""

    distances: list[Distance]
    incomplete: int


def assumed(report: Report, over: Over = MappingProxyType({})) -> list[str]:
    """The factors that the paper's table has not, but for those averaged over.

    Raises BadInput: no table, or `over` names another factor or level.
    """
    if report.table is None:
        raise BadInput(
            f"CAMPAIGN: {report.name} — the paper has no numbers for it\n"
            "    Name a campaign that stands under `campaigns` in the paper's file."
        )
    beside = [factor for factor in report.factors if factor not in report.table.factors]
    for factor, levels in over.items():
        if factor not in beside:
            raise BadInput(f"--over: {factor} — allowed: {', '.join(beside) or 'none'}")
        known = report.level_names(factor)
        if unknown := [level for level in levels if level not in known]:
            raise BadInput(f"--over: {factor}={unknown[0]} — allowed: {', '.join(known)}")
    return [factor for factor in beside if factor not in over]


def distances(report: Report, over: Over = MappingProxyType({})) -> Tables:
    """How far each combination of the assumed factors is.

    Runs at other levels of the factors in `over` are left out. Raises BadInput, as `assumed`.
    """
    factors = assumed(report, over)
    assert report.table is not None
    printed = _printed(report)
    cells: dict[tuple[str, ...], Measured] = {}
    runs: dict[tuple[str, ...], int] = {}
    folds = prod(len(levels) for levels in over.values())
    for index, combination in enumerate(report.combinations):
        if any(text(combination.levels[name]) not in levels for name, levels in over.items()):
            continue
        key = tuple(text(combination.levels[factor]) for factor in factors)
        runs[key] = runs.get(key, 0) + len(combination.rows)
        at = tuple(text(combination.levels[factor]) for factor in report.table.factors)
        own = cells.setdefault(key, {})
        for metric, rank in {(metric, rank) for metric, rank, _ in printed}:
            if (mean := report.means.get((index, metric, rank))) is not None:
                own.setdefault((metric, rank, at), []).append(mean.mean)
    whole = {
        key: own
        for key, own in cells.items()
        if all(len(own.get(cell, ())) == folds for cell in printed)
    }
    found = [
        _distance(dict(zip(factors, key, strict=True)), own, printed, runs[key])
        for key, own in whole.items()
    ]
    return Tables(sorted(found, key=lambda one: one.total), len(cells) - len(whole))


def neighbours(tables: Tables) -> list[tuple[str, Distance]]:
    """What differs from the nearest in one factor alone: (factor, its distance)."""
    if not tables.distances:
        return []
    nearest, *others = tables.distances
    found = []
    for other in others:
        differing = [name for name, level in other.levels.items() if level != nearest.levels[name]]
        if len(differing) == 1:
            found.append((differing[0], other))
    return sorted(found, key=lambda pair: list(nearest.levels).index(pair[0]))


def _printed(report: Report) -> dict[Cell, float]:
    assert report.table is not None
    return {
        (metric, rank, tuple(levels[factor] for factor in report.table.factors)): value
        for metric, rank, levels, value in report.table.rows()
    }


def _distance(
    levels: dict[str, str], measured: Measured, printed: dict[Cell, float], runs: int
) -> Distance:
    tables: dict[Table, float] = {}
    for table in dict.fromkeys((metric, rank) for metric, rank, _ in printed):
        own = {cell: value for cell, value in printed.items() if cell[:2] == table}
        middle = fmean(own.values())
        spread = sum((value - middle) ** 2 for value in own.values())
        if spread:  # a table of one number over and over tells nothing apart
            off = sum((fmean(measured[cell]) - value) ** 2 for cell, value in own.items())
            tables[table] = (off / spread) ** 0.5
    total = fmean(d**2 for d in tables.values()) ** 0.5 if tables else 0.0
    return Distance(levels, total, tables, runs)
