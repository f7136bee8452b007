"""A comparison carried out: numbers, and whether they are as expected. See docs/findings.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from statistics import fmean
from typing import Final

from weir.spec.paper_findings import Comparison, Threshold
from weir.stats import Paired

from weir_engine.report.paper.pairs import Sides, compared, difference, sides
from weir_engine.report.paper.pool import Observation, Pool
from weir_engine.report.paper.spans import Span, span
from weir_engine.report.paper.trends import Trend, trend
from weir_engine.report.paper.words import levels_named

__all__ = ["CONTRADICTED", "INCONCLUSIVE", "NOT_MEASURED", "SUPPORTED", "Part", "parts_of"]

SUPPORTED, INCONCLUSIVE = "supported", "inconclusive"
CONTRADICTED, NOT_MEASURED = "contradicted", "not measured"

_ERROR = 0.05


@dataclass(frozen=True)
class Part:
    """A comparison at one level of each axis in its `each`.

    paired: `b` is the side `of`, `a` the side `than`; None where fewer than two pairs were
    measured. For effects, the pair of combinations that differ most, named in `of` and `than`,
    out of `tried` pairs. by: the threshold in the metric's unit. trend: of what rises or falls.
    span: of what is to lie within bounds.
    """

    comparison: Comparison
    at: dict[str, str]
    verdict: str
    of: str = ""
    than: str = ""
    by: float = 0.0
    paired: Paired | None = None
    tried: int = 1
    trend: Trend | None = None
    span: Span | None = None


def parts_of(pool: Pool, comparison: Comparison) -> list[Part]:
    """The comparison at every choice of the levels of `each`."""
    axes = pool.paper.axes
    levels = [comparison.where.get(axis, list(axes[axis].levels)) for axis in comparison.each]
    judge = _JUDGES[comparison.expect]
    choices = (dict(zip(comparison.each, choice, strict=True)) for choice in product(*levels))
    return [judge(pool, comparison, at) for at in choices]


def _sided(pool: Pool, comparison: Comparison, at: dict[str, str]) -> Part:
    """`of` against `than`, or their difference for some against that for others."""
    runs = pool.select({**comparison.where, **{axis: [level] for axis, level in at.items()}})
    apart = {*comparison.of, *comparison.more_for}

    def side(*wanted: dict[str, list[str]]) -> Sides:
        together = {axis: levels for one in wanted for axis, levels in one.items()}
        return sides(pool, runs, comparison.metric, comparison.client, together, apart)

    of, than = _present(runs, comparison.of), _present(runs, comparison.than)
    names = [levels_named(pool.paper, of), levels_named(pool.paper, than)]
    if comparison.more_for:
        more, less = _present(runs, comparison.more_for), _present(runs, comparison.than_for)
        first = difference(side(of, more), side(than, more))
        second = difference(side(of, less), side(than, less))
        names = [f"{' against '.join(names)}, {levels_named(pool.paper, x)}" for x in (more, less)]
    else:
        first, second = side(of), side(than)
    paired = compared(first, second)
    if paired.n < 2:
        return Part(comparison, at, NOT_MEASURED, names[0], names[1])
    by = _absolute(comparison.by, paired.mean_a)
    verdict = _sided_verdict(comparison, paired, by)
    return Part(comparison, at, verdict, names[0], names[1], by, paired)


def _present(runs: list[Observation], selection: dict[str, list[str]]) -> dict[str, list[str]]:
    """Without levels that no run has: a campaign may be a part of the paper's."""
    had = {axis: {run.levels.get(axis) for run in runs} for axis in selection}
    return {
        axis: [level for level in levels if level in had[axis]] or levels
        for axis, levels in selection.items()
    }


def _sided_verdict(comparison: Comparison, paired: Paired, by: float) -> str:
    sign = 1 if comparison.expect == "greater" else -1
    low, high = sorted((sign * paired.ci_low, sign * paired.ci_high))
    if low > by:
        return SUPPORTED
    return CONTRADICTED if high < 0 else INCONCLUSIVE


def _effect(pool: Pool, comparison: Comparison, at: dict[str, str]) -> Part:
    """All pairs of combinations of the levels of `across`."""
    fixed = {**comparison.where, **{axis: [level] for axis, level in at.items()}}
    runs = pool.select(fixed)
    axes = pool.paper.axes
    levels = [fixed.get(axis, list(axes[axis].levels)) for axis in comparison.across]
    apart = set(comparison.across)
    cells: dict[str, Sides] = {}
    for choice in product(*levels):
        wanted = {axis: [level] for axis, level in zip(comparison.across, choice, strict=True)}
        found = sides(pool, runs, comparison.metric, comparison.client, wanted, apart)
        if found:
            cells[levels_named(pool.paper, wanted)] = found
    pairs = list(combinations(cells, 2))
    # One of many pairs looks different by chance: Bonferroni's correction for "some pair is".
    strict = 1 - _ERROR / max(len(pairs), 1)
    tried = [(b, a, compared(cells[b], cells[a])) for a, b in pairs]
    tried = [each for each in tried if each[2].n >= 2]
    if not tried:
        return Part(comparison, at, NOT_MEASURED)
    mean = fmean(value for cell in cells.values() for value, _ in cell.values())
    by = _absolute(comparison.by, mean)
    none = all(-by <= p.ci_low and p.ci_high <= by for _, _, p in tried)
    some = any(_beyond(compared(cells[b], cells[a], strict), by) for b, a, _ in tried)
    wanted_one, other = (some, none) if comparison.expect == "effect" else (none, some)
    verdict = SUPPORTED if wanted_one else CONTRADICTED if other else INCONCLUSIVE
    of, than, paired = max(tried, key=lambda each: abs(each[2].difference))
    return Part(comparison, at, verdict, of, than, by, paired, len(tried))


def _trend(pool: Pool, comparison: Comparison, at: dict[str, str]) -> Part:
    """Along the levels of an axis."""
    axis, by = comparison.along, comparison.by.value
    assert axis is not None
    fixed = {**comparison.where, **{each: [level] for each, level in at.items()}}
    levels = fixed.get(axis, list(pool.paper.axes[axis].levels))
    runs = pool.select(fixed)
    found = trend(pool, runs, comparison.metric, comparison.client, axis, levels)
    if found is None:
        return Part(comparison, at, NOT_MEASURED, by=by)
    wanted = found.coefficient * (1 if comparison.expect == "rises" else -1)
    verdict = INCONCLUSIVE
    if wanted and abs(wanted) >= by:
        verdict = SUPPORTED if wanted > 0 else CONTRADICTED
    return Part(comparison, at, verdict, by=by, trend=found)


def _span(pool: Pool, comparison: Comparison, at: dict[str, str]) -> Part:
    """Of every run."""
    runs = pool.select({**comparison.where, **{axis: [level] for axis, level in at.items()}})
    bounds = comparison.at_least, comparison.at_most
    found = span(pool, runs, comparison.metric, comparison.client, *bounds)
    if found is None:
        return Part(comparison, at, NOT_MEASURED)
    verdict = (
        SUPPORTED if found.within == found.n else INCONCLUSIVE if found.within else CONTRADICTED
    )
    return Part(comparison, at, verdict, span=found)


def _beyond(paired: Paired, by: float) -> bool:
    return paired.ci_low > by or paired.ci_high < -by


def _absolute(threshold: Threshold, mean: float) -> float:
    return threshold.value * abs(mean) / 100 if threshold.relative else threshold.value


_JUDGES: Final[Mapping[str, Callable[[Pool, Comparison, dict[str, str]], Part]]] = {
    "greater": _sided,
    "less": _sided,
    "effect": _effect,
    "little effect": _effect,
    "rises": _trend,
    "falls": _trend,
    "within": _span,
}
