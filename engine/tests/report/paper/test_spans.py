"""Findings of what lies within bounds in every run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from pydantic import ValidationError
from weir.spec.paper import Paper
from weir_engine.report.paper import study
from weir_engine.report.paper.findings import Judged
from weir_engine.report.paper.wording import as_json, worded
from weir_engine.row import Row

WITHIN: Final[dict[str, Any]] = {
    "metric": "throughput_ratio",
    "expect": "within",
    "at_least": 0.9,
    "at_most": 1.1,
}


def paper(**changes: Any) -> Paper:
    asked = {name: value for name, value in {**WITHIN, **changes}.items() if value is not None}
    findings = [{"statement": "So it is.", "comparisons": [asked]}]
    axes = {"sources": {"levels": ["2", "10"]}}
    return Paper.model_validate({"citation": "A paper", "axes": axes, "findings": findings})


def judged(values: list[float], **changes: Any) -> Judged:
    measured: list[Any] = [{"run": {"throughput_ratio": value}, "clients": []} for value in values]
    rows = [
        Row(f"{seed}", {"sources": "2"}, seed, seed, "succeeded", "", Path(), metrics)
        for seed, metrics in enumerate(measured)
    ]
    record: Any = {"name": "small", "spec": {"experiment": {}}}
    (one,) = study(paper(**changes), [(record, rows)]).judged
    return one


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([0.9, 1.0, 1.1], "supported"),
        ([0.9, 1.0, 1.2], "inconclusive"),
        ([1.2, 1.3], "contradicted"),
        ([], "not measured"),
    ],
)
def test_all_runs_or_none_decide(values: list[float], verdict: str) -> None:
    assert judged(values).verdict == verdict


def test_one_bound_is_enough() -> None:
    assert judged([0.5, 1.0], at_least=None).verdict == "supported"
    assert judged([1.0, 9.0], at_most=None).verdict == "supported"


def test_it_says_how_far_they_reach() -> None:
    one = judged([0.8, 1.0])
    (part,) = one.parts[0]
    told = worded(paper(), part)
    assert told.expected == "every run ≥ 0.900 and ≤ 1.10"
    assert (told.found, told.n) == ("0.800 to 1.00; 1 of 2 runs within", "2")
    (number,) = as_json(one)["comparisons"]
    assert (number["least"], number["largest"], number["n"]) == (0.8, 1.0, 2)


def test_identical_runs_count_once() -> None:
    assert judged([1.0, 1.0, 0.8]).parts[0][0].span == judged([1.0, 0.8]).parts[0][0].span


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"at_least": None, "at_most": None}, "`at_least`, `at_most` or both"),
        ({"expect": "rises", "along": "sources"}, "else neither"),
        ({"at_least": 2.0}, "`at_most` of 2 or more"),
        ({"of": {"sources": ["2"]}}, "neither sides"),
        ({"along": "sources"}, "`along`"),
        ({"by": 0.1}, "no `by`"),
    ],
)
def test_what_is_no_span_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        paper(**changes)
    assert said in str(refused.value)
