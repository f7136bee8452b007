"""What a report says: means of what succeeded, orders beside a paper's, the telling run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir.spec.paper import Paper
from weir_engine.levels import short, text
from weir_engine.report import terminal
from weir_engine.report.build import Report, build
from weir_engine.report.html import pivots
from weir_engine.report.nearest import nearest
from weir_engine.report.numbers import Scale
from weir_engine.report.ordering import groups
from weir_engine.report.thin import thin
from weir_engine.report.timeline import converged_at
from weir_engine.row import Row, flat
from weir_testing import cells

CC = "server.congestion_control"
SHAPING = "gateway.shaping.method"


def _row(replicate: int, value: float, state: str = "succeeded", **levels: Any) -> Row:
    asked = {SHAPING: "none", CC: "reno", **levels}
    metrics: Any = {
        "run": {"loss_rate_percent": value / 10},
        "clients": [
            {"client": 1, "rank": 2, "instability_percent": 1.0},
            {"client": 2, "rank": 1, "instability_percent": value},
        ],
    }
    key = f"{replicate}-{text(asked)}"
    return Row(key, asked, replicate, replicate, state, "", Path(), metrics)


RECORD: Any = {"name": "small", "description": "", "spec": {}, "factors": [SHAPING, CC]}


def _report(rows: list[Row], paper: Any = None) -> Report:
    beside = None if paper is None else Paper.model_validate(paper)
    return build(RECORD, rows, ["instability_percent", "loss_rate_percent"], beside)


def test_means_are_by_rank_and_leave_invalid_runs_out() -> None:
    report = _report([_row(0, 2.0), _row(1, 4.0), _row(2, 99.0, "invalid")])
    cell = report.means[0, "instability_percent", 1]
    assert (cell.n, cell.mean) == (2, 3.0)
    # t(0.975, 1) * sd / sqrt(2) = 12.7062 * 1.41421 / 1.41421
    assert cell.ci == pytest.approx((3 - 12.7062, 3 + 12.7062), abs=1e-3)
    assert report.means[0, "instability_percent", 2].mean == 1.0
    assert report.means[0, "loss_rate_percent", None].mean == pytest.approx(0.3)
    assert [row.state for row in report.troubles] == ["invalid"]


def test_replicates_that_are_all_alike_have_no_interval() -> None:
    report = _report([_row(0, 2.0), _row(1, 2.0), _row(2, 2.0)])
    cell = report.means[0, "instability_percent", 1]
    assert (cell.n, cell.mean, cell.ci, cell.more_needed) == (3, 2.0, None, False)
    assert report.combinations[0].distinct == 1
    (row,) = list(terminal.table(report, report.metrics).columns[-1].cells)[:1]
    assert row == "3/3 alike"


def test_a_combination_has_a_row_for_each_client_of_its_own() -> None:
    alone = _row(0, 3.0, **{CC: "cubic"})
    assert alone.metrics is not None
    del alone.metrics["clients"][0]
    report = _report([_row(0, 2.0), alone])
    made = terminal.table(report, report.metrics)
    shown = {str(column.header): column for column in made.columns}
    assert list(shown["client"].cells) == ["1", "2", "1"]
    whole = terminal.table(report, ["loss_rate_percent"])
    assert [column.header for column in whole.columns if column.header == "client"] == []
    assert len(whole.rows) == 2


def test_a_level_found_has_the_unit_of_what_was_searched() -> None:
    search = {
        "factor": "gateway.downlink.rate",
        "from": "1Mbit/s",
        "to": "9Mbit/s",
        "step": "1Mbit/s",
        "find": "smallest",
        "passes": {"metric": "stall_count", "at_most": 0},
    }
    found = _row(0, 2.0)
    assert found.metrics is not None
    found.metrics["run"]["searched_level"] = 3e6
    record: Any = {**RECORD, "spec": {"search": search}}
    report = build(record, [found], ["searched_level"])
    (group,) = terminal.as_json(report)["groups"]
    assert (group["mean"], group["unit"]) == (3e6, "bit/s")
    *_, level, _ = terminal.table(report, ["searched_level"]).columns
    assert (str(level.header), list(level.cells)) == ("searched\nlevel\n[Mbit/s]", ["3.00+"])


@pytest.mark.parametrize(("levels", "charted"), [(24, True), (25, False)])
def test_bars_whose_legend_would_leave_them_no_room_are_a_table_alone(
    levels: int, charted: bool
) -> None:
    rows = [_row(0, 1.0, **{SHAPING: str(level)}) for level in range(levels)]
    (pivot,) = pivots(_report(rows), "loss_rate_percent")
    assert len(pivot.rows) == levels
    assert ("<svg" in pivot.chart) is charted


def _paper(**by_cc: float) -> dict[str, Any]:
    table = {"instability_percent": {"1": {"none": by_cc}}}
    return {
        "citation": "A paper",
        "campaigns": {"small": {"factors": [SHAPING, CC], "metrics": table}},
    }


def test_order_of_levels_beside_the_paper() -> None:
    means = {"reno": 5.0, "cubic": 8.0, "vegas": 8.1}
    rows = [
        _row(k, mean + noise, **{CC: cc})
        for cc, mean in means.items()
        for k, noise in enumerate((-0.1, 0.0, 0.1))
    ]
    (group,) = groups(_report(rows, _paper(reno=5.0, cubic=7.0, vegas=3.0)))
    verdicts = {(pair.first, pair.second): pair.verdict for pair in group.pairs}
    assert verdicts == {
        ("reno", "cubic"): "agrees",
        ("reno", "vegas"): "opposite",
        ("cubic", "vegas"): "not distinguishable",
    }


def test_a_papers_metrics_come_first() -> None:
    comparison = {"metric": "ins", "expect": "effect", "across": ["cc"]}
    paper = {
        **_paper(reno=5.0),
        "axes": {"cc": {"factor": CC, "levels": ["reno", "cubic"]}},
        "findings": [{"statement": "So it is.", "comparisons": [comparison]}],
        "figures": [{"title": "A figure", "metrics": ["jain"], "x": "cc"}],
    }
    report = build(RECORD, [_row(0, 2.0)], None, Paper.model_validate(paper))
    assert report.metrics[:3] == ["instability_percent", "ins", "jain"]
    assert "froff" in report.metrics


def test_the_picture_is_of_the_run_nearest_the_mean() -> None:
    report = _report([_row(0, 0.0), _row(1, 5.2), _row(2, 10.0)])
    found = nearest(report, report.combinations[0])
    assert found is not None
    assert found.replicate == 1


def test_thinning_keeps_peaks_and_order() -> None:
    t = np.arange(100_000) / 100
    y = np.sin(t)
    y[50_123] = 7.0
    thin_t, thin_y = thin(t, y, 1000)
    assert len(thin_t) <= 1000
    assert thin_y.max() == 7.0
    assert np.all(np.diff(thin_t) > 0)


def test_convergence_is_marked_only_where_there_is_one() -> None:
    experiment = cells.experiment({}, cells.client(start_s=30.0))
    metrics: Any = {"clients": [{"client": 1, "convergence_s": 12.0, "play_s": 150.0}]}
    assert converged_at(experiment, metrics, 1) == 42.0
    metrics["clients"][0]["convergence_s"] = 150.0
    assert converged_at(experiment, metrics, 1) is None


def test_numbers_have_three_significant_digits() -> None:
    assert Scale(1e-6, "Mbit/s").number(4_256_000) == "4.26"
    assert [Scale(1, "").number(x) for x in (0, 174.13, 0.0321)] == ["0", "174", "0.0321"]


def test_levels_are_shown_short() -> None:
    assert short(SHAPING) == "shaping method"
    assert short(CC) == "congestion control"
    assert short("clients.0.player") == "client 1 player"
    assert short("clients.1.options.version") == "client 2 version"
    assert short("clients.0.options.level") == "level"
    settings = "clients.0.options.settings.streaming.abr"
    assert short(f"{settings}.rules.bolaRule.active") == "bolaRule active"
    assert short(f"{settings}.throughput.bandwidthSafetyFactor") == "bandwidthSafetyFactor"
    assert short("traffic.1.rate") == "traffic 2 rate"
    assert text({"discipline": "sfq", "limit": "1bdp"}) == "discipline: sfq, limit: 1bdp"


def test_export_has_a_line_per_client() -> None:
    lines = list(flat("small", _row(0, 2.0)))
    assert [line["client"] for line in lines] == [1, 2]
    assert lines[0][CC] == "reno"
    assert lines[0]["loss_rate_percent"] == 0.2
