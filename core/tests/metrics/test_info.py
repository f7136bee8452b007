"""What is told of every metric."""

from __future__ import annotations

from collections import defaultdict

import pytest
from weir.metrics import CATALOG, PARTS, MetricInfo

EVERY = (*CATALOG.values(), *PARTS)
LONGEST = 200


@pytest.mark.parametrize("info", EVERY, ids=lambda info: f"{info.scope}-{info.name}")
def test_a_metric_says_in_a_short_line_how_it_is_computed(info: MetricInfo) -> None:
    assert 10 < len(info.formula) <= LONGEST
    assert info.formula == " ".join(info.formula.split())
    assert info.formula not in {info.title, info.source}


def test_metrics_of_one_formula_are_one_metric_at_two_places() -> None:
    found: dict[str, list[MetricInfo]] = defaultdict(list)
    for info in EVERY:
        found[info.formula].append(info)
    for several in found.values():
        assert len({info.name for info in several}) == 1
        scopes = [info.scope for info in several]
        assert len(scopes) == 1 or scopes == ["path", "upstream"]


def test_what_a_percentile_is_of_stands_in_its_formula() -> None:
    quantile = CATALOG["smoothed_p05_bps"].formula
    assert quantile.startswith("5th percentile of throughput estimates in bit/s")
    assert CATALOG["raw_iqr_bps"].formula.startswith("75th - 25th percentile")
