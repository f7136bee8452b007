"""Findings of what rises or falls along an axis."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import ValidationError
from weir.spec.paper import Paper
from weir.spec.paper_check import unknown_names
from weir.stats import rank_correlation
from weir_engine.report.paper import study
from weir_engine.report.paper.findings import Judged
from weir_engine.report.paper.wording import as_json, worded
from weir_engine.row import Row

FALLS: Final[dict[str, Any]] = {
    "metric": "throughput_ratio",
    "expect": "falls",
    "along": "alpha",
    "by": 0.95,
}


def paper(**changes: Any) -> Paper:
    axes = {"alpha": {"levels": ["0.5", "1", "2", "4", "8"]}, "sources": {"levels": ["2", "10"]}}
    findings = [{"statement": "So it is.", "comparisons": [{**FALLS, **changes}]}]
    return Paper.model_validate({"citation": "A paper", "axes": axes, "findings": findings})


def row(value: float, seed: int, **levels: str) -> Row:
    metrics: Any = {"run": {"throughput_ratio": value}, "clients": []}
    return Row(f"{seed}{levels}", levels, seed, seed, "succeeded", "", Path(), metrics)


def judged(values: list[float], **changes: Any) -> Judged:
    """Of two seeds, the second's values twice as high."""
    alphas = ("0.5", "1", "2", "4")
    rows = [
        row(value * (1 + seed), seed, alpha=alpha, sources="2")
        for alpha, value in zip(alphas, values, strict=True)
        for seed in (0, 1)
    ]
    record: Any = {"name": "small", "spec": {"experiment": {}}}
    (one,) = study(paper(**changes), [(record, rows)]).judged
    return one


@pytest.mark.parametrize(
    ("values", "falls", "rises"),
    [
        ([3.0, 2.0, 1.5, 0.5], "supported", "contradicted"),
        ([0.5, 1.5, 2.0, 3.0], "contradicted", "supported"),
        ([3.0, 1.5, 2.0, 0.5], "inconclusive", "inconclusive"),  # 1 - 6 * 2 / (4 * 15) = 0.8
        ([1.0, 1.0, 1.0, 1.0], "not measured", "not measured"),
    ],
)
def test_a_trend_is_judged_by_the_order_of_its_means(
    values: list[float], falls: str, rises: str
) -> None:
    assert judged(values).verdict == falls
    assert judged(values, expect="rises").verdict == rises


def test_it_says_its_coefficient() -> None:
    one = judged([3.0, 1.5, 2.0, 0.5], by=0.7)
    (part,) = one.parts[0]
    told = worded(paper(), part)
    assert told.expected == "falls with alpha: Spearman ≤ -0.7"
    assert (told.found, told.n) == ("Spearman -0.800 over 4 levels", "2")
    (number,) = as_json(one)["comparisons"]
    assert (number["along"], number["n"]) == ("alpha", 2)
    assert number["spearman"] == pytest.approx(-0.8)


def test_the_levels_of_where_are_its_order() -> None:
    assert judged([3.0, 2.0, 1.5, 0.5], where={"alpha": ["4", "2", "1"]}).verdict == "contradicted"
    assert judged([3.0, 2.0, 1.5, 0.5], where={"alpha": ["1", "2"]}).verdict == "not measured"


def test_equal_values_share_a_rank() -> None:
    assert rank_correlation([1.0, 2.0, 2.0, 3.0]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    assert rank_correlation([1.0, 2.0]) is None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"along": None}, "where it rises or falls"),
        ({"expect": "effect", "across": ["alpha"]}, "where it rises or falls"),
        ({"of": {"alpha": "1"}, "than": {"alpha": "2"}}, "neither sides"),
        ({"by": "10%"}, "from 0 to 1"),
        ({"by": 2}, "from 0 to 1"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        paper(**changes)


def test_an_unknown_axis_is_told() -> None:
    problems = [each.path for each in unknown_names(paper(along="beta"))]
    assert problems == ["findings.0.comparisons.0.along"]
