"""That the campaigns of deadline-aware-2016 give every figure and finding of their paper's file."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from weir.spec.load import load_campaign
from weir.spec.paper_load import load_paper
from weir_engine.report.paper import study
from weir_engine.report.paper.grid import grid
from weir_engine.report.paper.study import Study
from weir_engine.report.paper.wording import worded
from weir_engine.row import Row

HERE: Final = Path(__file__).parents[4] / "campaigns/deadline-aware-2016"
CAMPAIGNS: Final = (
    *("example", "demonstration", "sweeps", "vod", "general"),
    *("small", "small-bounds", "small-stack", "small-general"),
)
LINK_BPS: Final = {"new-reno": 20e6, "none": 20e6, "alpha": 15e6, "beta": 18e6}
EDF_BPS: Final = 10e6
DOWNLOADS_BPS: Final = 6e6


def made_up(name: str) -> tuple[Any, list[Row]]:
    """A campaign's record and a run for each of its combinations: of a search, what was found."""
    campaign = load_campaign(HERE / f"{name}.yaml")
    searched = campaign.search.factor if campaign.search else ""
    axes = [axis for axis in campaign.axes() if searched not in axis[0]]
    rows = []
    for number, chosen in enumerate(product(*axes)):
        levels = {path: level for point in chosen for path, level in point.items()}
        bounds = str(levels.get("bounds", levels.get("sessions.groups.0.moves", "none")))
        side = bounds if bounds in LINK_BPS else bounds.split("-", maxsplit=1)[0]
        run: dict[str, Any] = {
            "late_streams": int(levels.get("control") == "new-reno"),
            "settled_total_bps": 1e7 + number,
            "throughput_ratio": 1.0,
        }
        if campaign.search:
            run["searched_level"] = LINK_BPS[side] + number
            run["edf_rate_bps"], run["downloads_bps"] = EDF_BPS, DOWNLOADS_BPS
        metrics: Any = {"run": run, "clients": []}
        rows.append(Row(f"{name}{number}", levels, 0, 1, "succeeded", "", Path(), metrics))
    spec: dict[str, Any] = {"experiment": campaign.experiment}
    if campaign.search:
        spec["search"] = campaign.search.model_dump(mode="json", by_alias=True)
    return {"name": campaign.name, "spec": spec}, rows


def studied(*names: str) -> Study:
    return study(load_paper(HERE / "paper.yaml"), [made_up(name) for name in names])


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_every_run_is_one_of_the_paper_s(name: str) -> None:
    assert not studied(name).pool.strangers


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("sweeps", {"1, 3", "2, 4"}),
        ("vod", {"", "7", "8", "9"}),
        ("general", {"10", "11"}),
        ("small-bounds", {"", "7", "8", "9"}),
        ("small-general", {"10", "11"}),
    ],
)
def test_each_campaign_gives_its_figures(name: str, numbers: set[str]) -> None:
    drawn = [grid for grid in studied(name).figures() if not grid.empty]
    assert {grid.figure.number for grid in drawn} == numbers


def test_levels_found_are_told_in_the_unit_of_what_is_searched() -> None:
    done = studied("vod", "sweeps")
    of_levels = [
        worded(done.paper, part, done.pool.level_unit)
        for judged in done.judged
        for parts in judged.parts
        for part in parts
        if part.comparison.metric == "searched_level" and part.paired
    ]
    assert of_levels
    assert all(" Mbit/s: " in one.found for one in of_levels)
    figure = done.paper.figures[0].model_copy(
        update={"kind": "bars", "metrics": ["searched_level"], "quotient": None, "each": "run"}
    )
    assert set(grid(done.pool, figure).measured) == {("Level found", "bit/s")}


def test_levels_of_searches_for_different_things_have_no_unit() -> None:
    (record, rows), other = made_up("vod"), made_up("sweeps")
    of_delays = {**record["spec"]["search"], "from": "10ms", "to": "90ms", "step": "10ms"}
    delays: Any = {**record, "name": "other", "spec": {**record["spec"], "search": of_delays}}
    paper = load_paper(HERE / "paper.yaml")
    assert study(paper, [(record, rows), other]).pool.level_unit == "bit/s"
    assert study(paper, [(record, rows), (delays, [])]).pool.level_unit == ""
    assert study(paper, [other]).pool.level_unit == ""


def test_the_quotients_are_the_paper_s() -> None:
    """mu = (20 - 15) / (20 - 10) for alpha, 2 / 10 for beta; and B_da / B_nr = 15 / 20."""
    found = {grid.figure.number: grid for grid in studied("vod", "general").figures()}
    for number, expected in (("7", 5 / 10), ("8", 2 / 10), ("9", 15 / 20), ("10", 15 / 20)):
        grid = found[number]
        assert grid.places == ["25", "50", "75", "100"]
        points = [point for some in grid.panels[0][0].series.values() for point in some]
        assert len(points) == 4 * len(grid.series)
        assert {len(point.values) for point in points} <= {10, 40}
        assert [point.mean for point in points] == pytest.approx([expected] * len(points), 1e-3)
    assert len(found["7"].series) == len(found["8"].series) == 5
    kept = [p for some in found["11"].panels[0][0].series.values() for p in some]
    assert [point.mean for point in kept] == pytest.approx([20 / 15] * 16, 1e-3)
