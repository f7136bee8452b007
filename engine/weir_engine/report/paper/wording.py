"""Parts of a finding as words and numbers, the same on the terminal and in HTML; and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from weir.spec.paper import Paper

from weir_engine.report.numbers import Scale, scale_for
from weir_engine.report.paper.findings import Judged
from weir_engine.report.paper.parts import Part
from weir_engine.report.paper.words import metric_of, title_of

__all__ = ["Worded", "as_json", "summary", "worded"]


@dataclass(frozen=True)
class Worded:
    """expected: `A > B by 5`. where: what was held. found: means, difference with its interval."""

    metric: str
    where: str
    expected: str
    found: str
    n: str
    verdict: str


def summary(judged: Judged) -> str:
    """`inconclusive (7 of 9 comparisons support it; 1 not measured)`."""
    total = sum(len(parts) for parts in judged.parts)
    missing = judged.count("not measured")
    more = f"; {missing} not measured" if missing else ""
    against = judged.count("contradicted")
    more += f"; {against} against it" if against else ""
    return f"{judged.verdict} ({judged.count('supported')} of {total} comparisons support it{more})"


def worded(paper: Paper, part: Part, level_unit: str = "") -> Worded:
    """A part for people. level_unit: of the levels that searches find."""
    one, paired = part.comparison, part.paired
    title, unit = metric_of(paper, one.metric, level_unit)
    client = f", client {one.client}" if one.client else ""
    held = {**one.where, **{axis: [level] for axis, level in part.at.items()}}
    where = ", ".join(
        f"{title_of(paper, axis)} {' + '.join(paper.axes[axis].levels[level] for level in levels)}"
        for axis, levels in held.items()
    )
    largest = 1.0
    if paired:
        largest = max(abs(paired.mean_a), abs(paired.mean_b))
    elif part.span:
        largest = max(abs(part.span.least), abs(part.span.largest))
    scale = scale_for(unit, largest)
    return Worded(
        metric=title + client,
        where=where,
        expected=_expected(paper, part, scale),
        found=_found(part, scale),
        n=str(of.n) if (of := paired or part.trend or part.span) else "-",
        verdict=part.verdict,
    )


def as_json(judged: Judged) -> dict[str, Any]:
    """A finding with all its numbers, in the metrics' own units; difference = of - than."""
    return {
        "statement": judged.finding.statement,
        "verdict": judged.verdict,
        "comparisons": [
            {
                "metric": part.comparison.metric,
                "client": part.comparison.client,
                "expect": part.comparison.expect,
                "where": {**part.comparison.where, **{a: [v] for a, v in part.at.items()}},
                "of": part.of,
                "than": part.than,
                "by": part.by,
                "pairs_of_combinations": part.tried,
                "along": part.comparison.along,
                "spearman": part.trend and part.trend.coefficient,
                "least": part.span and part.span.least,
                "largest": part.span and part.span.largest,
                "verdict": part.verdict,
                **_numbers(part),
            }
            for parts in judged.parts
            for part in parts
        ],
    }


def _numbers(part: Part) -> dict[str, Any]:
    if part.paired is None:
        return {
            "n": of.n if (of := part.trend or part.span) else 0,
            "mean_of": None,
            "mean_than": None,
            "difference": None,
            "ci95": None,
        }
    return {
        "n": part.paired.n,
        "mean_of": part.paired.mean_b,
        "mean_than": part.paired.mean_a,
        "difference": part.paired.difference,
        "ci95": [part.paired.ci_low, part.paired.ci_high],
    }


def _expected(paper: Paper, part: Part, scale: Scale) -> str:
    one = part.comparison
    threshold = one.by
    if one.along is not None:
        bound = f"≥ {part.by:g}" if one.expect == "rises" else f"≤ {-part.by:g}"
        return f"{one.expect} with {title_of(paper, one.along)}: Spearman {bound}"
    if one.expect == "within":
        bounds = [("≥", one.at_least), ("≤", one.at_most)]
        said = [f"{sign} {scale.number(bound)}" for sign, bound in bounds if bound is not None]
        return f"every run {' and '.join(said)} {scale.unit}".strip()
    given = f"{threshold.value:g} %" if threshold.relative else f"{scale.number(threshold.value)}"
    by = given if threshold.relative else f"{given} {scale.unit}".strip()
    if one.across:
        axes = " x ".join(title_of(paper, axis) for axis in one.across)
        return f"{axes}: {'some pair beyond' if one.expect == 'effect' else 'all within'} ±{by}"
    sign = ">" if one.expect == "greater" else "<"
    return f"{part.of} {sign} {part.than}" + (f" by {by}" if threshold.value else "")


def _found(part: Part, scale: Scale) -> str:
    paired = part.paired
    if part.trend is not None:
        return f"Spearman {part.trend.coefficient:.3f} over {part.trend.levels} levels"
    if part.span is not None:
        ends = f"{scale.number(part.span.least)} to {scale.number(part.span.largest)} {scale.unit}"
        return f"{ends.strip()}; {part.span.within} of {part.span.n} runs within"
    if paired is None:
        return ""
    means = f"{scale.number(paired.mean_b)} against {scale.number(paired.mean_a)} {scale.unit}"
    moved = [_signed(scale, v) for v in (paired.difference, paired.ci_low, paired.ci_high)]
    most = f"most of {part.tried} pairs, {part.of} against {part.than}: "
    found = f"{means.strip()}: {moved[0]} [{moved[1]}, {moved[2]}]"
    return most + found if part.comparison.across else found


def _signed(scale: Scale, value: float) -> str:
    return ("+" if value > 0 else "") + scale.number(value)
