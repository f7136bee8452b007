"""Distances to a paper's tables, by hand: two cells printed as 10 and 20, spread 25 + 25."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.spec.paper import Paper
from weir_engine.errors import BadInput
from weir_engine.report.build import Report, build
from weir_engine.report.distance import distances, neighbours
from weir_engine.row import Row

SHAPING = "gateway.shaping.method"
ALIKE = {"none": 1, "rwtm": 1}


def paper(loss: dict[str, int]) -> Paper:
    metrics = {
        "infidelity_percent": {"1": {"none": 10, "rwtm": 20}},
        "loss_rate_percent": {"run": loss},
    }
    tables = {"assuming": {"factors": [SHAPING], "metrics": metrics}}
    return Paper.model_validate({"citation": "A paper", "campaigns": tables})


def row(shaping: str, infidelity: float, replicate: int = 0, **assumed: str) -> Row:
    metrics: Any = {
        "run": {"loss_rate_percent": 3.0},
        "clients": [{"client": 1, "rank": 1, "infidelity_percent": infidelity}],
    }
    levels = {SHAPING: shaping, **assumed}
    return Row(f"{levels} {replicate}", levels, replicate, replicate, "succeeded", "", Path(),
               metrics)  # fmt: skip


def report(*rows: Row, loss: dict[str, int] = ALIKE) -> Report:
    factors = list(rows[0].levels)
    record: Any = {"name": "assuming", "description": "", "spec": {}, "factors": factors}
    return build(record, list(rows), None, paper(loss))


def test_the_distance_is_relative_to_the_spread_of_what_is_printed() -> None:
    found = distances(
        report(
            row("none", 15, buffer="30s"), row("rwtm", 15, buffer="30s"),
            row("none", 11, buffer="10s"), row("none", 13, 1, buffer="10s"),
            row("rwtm", 16, buffer="10s"),
        )
    )  # fmt: skip
    near, far = found.distances
    # The mean of 11 and 13 is off by 2, 16 by 4: (4 + 16) / 50.
    assert near.levels == {"buffer": "10s"}
    assert near.total == pytest.approx(0.4**0.5)
    assert (near.runs, far.runs, found.incomplete) == (3, 2, 0)
    # The printed table's own mean in every cell.
    assert far.total == pytest.approx(1.0)
    # A table of one number over and over has no spread to measure by.
    assert list(near.tables) == [("infidelity_percent", 1)]


def test_tables_weigh_the_same() -> None:
    rows = [row("none", 10, buffer="30s"), row("rwtm", 20, buffer="30s")]
    (one,) = distances(report(*rows, loss={"none": 1, "rwtm": 5})).distances
    # Infidelity is as printed; loss is 3 and 3 where 1 and 5 are: (4 + 4) / (4 + 4).
    assert one.tables == {("infidelity_percent", 1): 0, ("loss_rate_percent", None): 1}
    assert one.total == pytest.approx(0.5**0.5)


def test_levels_that_are_averaged_over_make_one_measurement() -> None:
    rows = [
        row(shaping, value, ssthresh=ssthresh, buffer="10s")
        for ssthresh, values in {"27": (0, 40), "69": (20, 0), "null": (7, 7)}.items()
        for shaping, value in zip(("none", "rwtm"), values, strict=True)
    ]
    (one,) = distances(report(*rows), {"ssthresh": ["27", "69"]}).distances
    assert one.levels == {"buffer": "10s"}
    assert one.total == 0
    lacking = distances(report(*rows[:3], *rows[4:]), {"ssthresh": ["27", "69"]})
    assert (lacking.distances, lacking.incomplete) == ([], 1)


def test_what_differs_from_the_nearest_in_one_assumption_is_told_apart() -> None:
    rows = [
        row(shaping, value, ssthresh=ssthresh, buffer=buffer)
        for (ssthresh, buffer), values in {
            ("27", "10s"): (10, 20), ("27", "30s"): (10, 21),
            ("69", "10s"): (10, 22), ("69", "30s"): (10, 23),
        }.items()
        for shaping, value in zip(("none", "rwtm"), values, strict=True)
    ]  # fmt: skip
    found = distances(report(*rows))
    told = [(factor, one.levels[factor]) for factor, one in neighbours(found)]
    assert told == [("ssthresh", "69"), ("buffer", "30s")]


def test_a_factor_that_is_no_assumption_cannot_be_averaged_over() -> None:
    built = report(row("none", 10, buffer="30s"))
    with pytest.raises(BadInput, match=r"--over: gateway\.shaping\.method — allowed: buffer"):
        distances(built, {SHAPING: ["none"]})
    with pytest.raises(BadInput, match=r"--over: buffer=31s — allowed: 30s"):
        distances(built, {"buffer": ["31s"]})


def test_a_campaign_without_numbers_of_the_paper_is_refused() -> None:
    record: Any = {"name": "another", "description": "", "spec": {}, "factors": [SHAPING]}
    built = build(record, [row("none", 10)], None, paper(ALIKE))
    with pytest.raises(BadInput, match="the paper has no numbers for it"):
        distances(built)
