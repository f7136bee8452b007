"""Figures: the numbers behind each mark, and that the marks stand where the numbers say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from weir.spec.paper import Paper
from weir.spec.paper_check import unknown_names
from weir_engine.report.paper import study
from weir_engine.report.paper.draw import draw
from weir_engine.report.paper.panels import Grid
from weir_engine.report.svg import SHOWN, figure, inline
from weir_engine.row import Row

AXES = {
    "queue": {"levels": {"drop-tail": "drop-tail", "codel": "CoDel", "pie": "PIE"}},
    "size": {"levels": {"quarter": "0.25", "one": "1", "six": "6"}},
    "player": {"levels": ["classic2", "bba2"]},
}
BASE = {
    "title": "Instability",
    "metrics": ["instability_percent"],
    "x": "size",
    "series": "queue",
    "panels": {"columns": "player"},
}


def row(replicate: int, value: float, drops: tuple[int, int], **levels: str) -> Row:
    metrics: Any = {
        "run": {"drops_burst": drops[0], "drops_ack_clocking": drops[1]},
        "clients": [{"client": 1, "rank": 1, "instability_percent": value, "startup_s": 0.2}],
    }
    key = f"{replicate} {levels}"
    return Row(key, levels, replicate, replicate, "succeeded", "", Path(), metrics)


ROWS = [
    row(k, base + k, (k, 4), queue=queue, size=size, player=player)
    for queue, size, player, base in (
        ("drop-tail", "one", "classic2", 2.0),
        ("drop-tail", "six", "classic2", 8.0),
        ("codel", "one", "classic2", 1.0),
        ("codel", "six", "bba2", 5.0),
    )
    for k in (0, 2)
]


def gridded(found: list[Row] | None = None, **changes: Any) -> Grid | None:
    paper = {"citation": "A paper", "axes": AXES, "figures": [{**BASE, **changes}]}
    record: Any = {"name": "small", "spec": {"experiment": {}}}
    figures = study(Paper.model_validate(paper), [(record, ROWS if found is None else found)])
    return next(iter(figures.figures()), None)


def drawn(**changes: Any) -> tuple[Grid, str]:
    grid = gridded(**changes)
    assert grid is not None
    return grid, draw(grid)


def test_points_of_lines() -> None:
    grid = gridded()
    assert grid is not None
    # Levels that no run has are left out, the others stand in the paper's order.
    assert (grid.columns, grid.places, grid.series) == (
        ["classic2", "bba2"],
        ["1", "6"],
        ["drop-tail", "CoDel"],
    )
    classic, bba = grid.panels[0]
    one, six = classic.series[0, 0]
    assert (one.place, one.mean, one.values) == (0, 3.0, (2.0, 4.0))
    # t(0.975, 1) = 12.7062, standard error 1
    assert one.error_bar == pytest.approx((3 - 12.7062, 3 + 12.7062), abs=1e-4)
    assert (six.place, six.mean) == (1, 9.0)
    assert [point.place for point in bba.series[1, 0]] == [1]
    assert (0, 0) not in bba.series
    assert grid.how == "Means with 95 % t-intervals, 2 runs each."


def test_identical_replicates_are_one_run() -> None:
    same = [row(k, 2.0, (1, 1), queue="codel", size="one", player="bba2") for k in range(4)]
    grid = gridded(same)
    assert grid is not None
    (point,) = grid.panels[0][0].series[0, 0]
    assert (point.values, point.error_bar) == ((2.0,), None)


def test_a_figure_without_runs_is_none() -> None:
    assert gridded(where={"queue": "pie"}) is None


def test_a_metric_each_makes_a_row_each() -> None:
    grid, svg = drawn(metrics=["instability_percent", "startup_s"])
    assert len(grid.panels) == 2
    # 0.2 s is shown in the unit that fits.
    assert "Startup delay [ms]" in svg
    assert "200" in svg


def test_levels_keep_their_digits() -> None:
    found = [*ROWS, row(0, 1.0, (0, 0), queue="codel", size="quarter", player="bba2")]
    grid = gridded(found)
    assert grid is not None
    assert ">0.25<" in draw(grid)


def test_shares_of_a_stack() -> None:
    grid, svg = drawn(
        kind="stacked", metrics=["drops_burst", "drops_ack_clocking"], panels={"columns": "player"}
    )
    (classic, _) = grid.panels[0]
    # Runs with 0 + 4 and 2 + 4 drops: 0 and 33.3 % burst, 4 and 6 drops
    burst, clocked = classic.series[0, 0][0], classic.series[0, 1][0]
    assert burst.mean == pytest.approx(100 / 6)
    assert clocked.mean == pytest.approx(100 - 100 / 6)
    assert classic.sums[0, 0] == 5
    assert grid.stack == ["Drops in the burst phase", "Drops while ACK-clocked"]
    assert "Drops while ACK-clocked" in svg


def test_a_heat_map_has_a_square_for_each_that_was_measured() -> None:
    grid, svg = drawn(kind="heat map", metrics=["instability_percent"])
    classic, bba = grid.panels[0]
    assert {key: [(p.place, p.mean) for p in some] for key, some in classic.series.items()} == {
        (0, 0): [(0, 3.0), (1, 9.0)],
        (1, 0): [(0, 2.0)],
    }
    assert bba.series[1, 0][0].mean == 6.0
    numbers = re.findall(r">([\d.]+)</text>", svg)
    assert [numbers.count(each) for each in ("3", "9", "2", "6")] == [
        1,
        1,
        1,
        3,
    ]  # 6: a size
    assert svg.index(">drop-tail<") < svg.index(">CoDel<")
    lightest, darkest = "#fee838", "#00224e"
    assert svg.count(f"fill: {lightest}") == svg.count(f"fill: {darkest}") == 1


def test_a_run_without_any_drop_has_no_shares() -> None:
    found = [row(k, k, (0, 4 * k), queue="codel", size="one", player="bba2") for k in (0, 1)]
    grid = gridded(found, kind="stacked", metrics=["drops_burst", "drops_ack_clocking"])
    assert grid is not None
    panel = grid.panels[0][0]
    assert panel.series[0, 1][0].values == (100.0,)
    assert panel.sums[0, 0] == 2


def rectangles(svg: str, colour: str) -> list[tuple[float, float]]:
    """(bottom, height) of the bars of a colour, in the picture's points."""
    paths = re.findall(rf'<path d="([^"]*)"[^>]*style="fill: {re.escape(colour)}"', svg)
    ys = [[float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", path)] for path in paths]
    return [(max(y), max(y) - min(y)) for y in ys]


def test_bars_are_as_high_as_their_means() -> None:
    _, svg = drawn(kind="bars", panels={}, where={"player": "classic2"})
    # drop-tail: 3 and 9, CoDel: 2, and the legend's patch comes last.
    (one, six, _), (codel, _) = rectangles(svg, SHOWN[0]), rectangles(svg, SHOWN[1])
    assert six[1] / one[1] == pytest.approx(3, rel=0.02)
    assert codel[1] / one[1] == pytest.approx(2 / 3, rel=0.02)
    assert one[0] == six[0] == codel[0]


def test_lines_go_through_their_means() -> None:
    _, svg = drawn(panels={}, where={"player": "classic2", "queue": "drop-tail"})
    line = re.search(
        rf'<path d="M [\d.]+ ([\d.]+) +L [\d.]+ ([\d.]+) *"[^>]*'
        rf'style="fill: none; stroke: {re.escape(SHOWN[0])}; stroke-width: 1.3',
        svg,
    )
    ticks = {
        float(label): float(y)
        for y, label in re.findall(r'x="[\d.]+" y="([\d.]+)"[^>]*>([\d.]+)</text>', svg)
    }
    assert line is not None
    # Ticks' letters stand a constant below their values.
    per_unit = (ticks[0.0] - ticks[10.0]) / 10
    assert float(line[1]) - float(line[2]) == pytest.approx(6 * per_unit, abs=0.3)


@pytest.mark.parametrize("kind", ["box", "cdf"])
def test_distributions_are_drawn_of_all_runs(kind: str) -> None:
    changes: dict[str, Any] = {"kind": kind, **({"x": None} if kind == "cdf" else {})}
    grid, svg = drawn(**changes)
    values = [v for s in grid.panels[0][0].series[0, 0] for v in s.values]
    assert sorted(values) == [2.0, 4.0, 8.0, 10.0]
    assert SHOWN[0] in svg
    assert "drop-tail" in svg
    ticks = {float(x) for x in re.findall(r">(\d+(?:\.\d+)?)</text>", svg)}
    assert max(ticks) >= 10.0


def test_a_distribution_reaches_from_none_to_all_of_the_runs() -> None:
    _, svg = drawn(kind="cdf", x=None, series=None, panels={}, where={"queue": "drop-tail"})
    path = re.search(
        rf'<path d="([^"]*)"[^>]*style="fill: none; stroke: {re.escape(SHOWN[0])}', svg
    )
    assert path is not None
    points = [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", path[1])]
    ticks = dict(re.findall(r'x="([\d.]+)" y="[\d.]+"[^>]*>(\d+)</text>', svg))
    at = {int(label): float(x) for x, label in ticks.items()}
    steps = sorted({x for x, _ in points})
    assert steps == pytest.approx([at[2], at[4], at[8], at[10]], abs=1)
    assert points[0][1] > points[-1][1]


def test_what_people_read_is_not_rounded_with_the_coordinates() -> None:
    made, (axis,) = figure(2, 2)
    axis.set_title("0.125 of 3.75")
    svg = inline(made, "Title with 0.125")
    assert ">0.125 of 3.75<" in svg


def test_quotients_of_pairs_with_the_same_seed() -> None:
    """CoDel had 1 and 3 at one BDP, drop-tail 2 and 4: means of quotients, not of values."""
    grid = gridded(quotient={"of": {"queue": "codel"}, "than": {"queue": "drop-tail"}}, series=None)
    assert grid is not None
    (found,) = grid.panels[0][0].series.values()
    assert [(point.place, point.values) for point in found] == [(0, (1 / 2, 3 / 4))]
    assert grid.panels[0][1].empty  # bba2 has no drop-tail
    assert grid.measured == [("Instability (IS), relative to drop-tail", "")]
    assert grid.how == "Means with 95 % t-intervals, 2 pairs of runs each."


def test_quotients_of_every_level_by_one() -> None:
    grid = gridded(quotient={"than": {"size": "one"}}, where={"player": "classic2"}, panels={})
    assert grid is not None
    drop_tail = grid.panels[0][0].series[0, 0]
    assert [point.values for point in drop_tail] == [(1.0, 1.0), (8 / 2, 10 / 4)]


def test_what_is_divided_by_need_not_be_shown() -> None:
    only = {"player": "classic2", "size": "six"}
    grid = gridded(quotient={"than": {"size": "one"}}, where=only, panels={})
    assert grid is not None
    assert grid.places == ["6"]
    assert [point.values for point in grid.panels[0][0].series[0, 0]] == [(8 / 2, 10 / 4)]


def test_the_share_of_a_gain_that_is_possible() -> None:
    """From drop-tail's 2 and 4 to the bound 0.2: CoDel's 1 and 3 are 1/1.8 and 1/3.8 of the way."""
    both = {"of": {"queue": "codel"}, "than": {"queue": "drop-tail"}, "bound": "startup_s"}
    grid = gridded(quotient=both, series=None, error_bars="stddev")
    assert grid is not None
    (found,) = grid.panels[0][0].series.values()
    assert found[0].values == pytest.approx((1 / 1.8, 1 / 3.8))
    spread = (1 / 1.8 - 1 / 3.8) / 2**0.5
    assert found[0].error_bar == pytest.approx((found[0].mean - spread, found[0].mean + spread))
    assert "standard deviations" in grid.how
    assert grid.measured[0][0].endswith("from drop-tail to Startup delay")


def test_a_pair_without_a_divisor_is_left_out() -> None:
    zero = [row(k, 0.0, (0, 0), queue="drop-tail", size="one", player="classic2") for k in (0, 2)]
    half = [row(k, 1.0, (0, 0), queue="codel", size="one", player="classic2") for k in (0, 2)]
    wanted = {"of": {"queue": "codel"}, "than": {"queue": "drop-tail"}}
    assert gridded([*zero, *half], quotient=wanted, series=None) is None


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"quotient": {"than": {"queue": "codell"}}}, "figures.0.quotient.than.queue"),
        ({"quotient": {"than": {"size": "one"}, "bound": "b_edf"}}, "figures.0.quotient.bound"),
    ],
)
def test_unknown_names_in_a_quotient_are_told(changes: dict[str, Any], where: str) -> None:
    paper = {"citation": "A paper", "axes": AXES, "figures": [{**BASE, **changes}]}
    assert [each.path for each in unknown_names(Paper.model_validate(paper))] == [where]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"quotient": {"than": {}}}, "a level to divide by"),
        ({"kind": "box", "quotient": {"than": {"size": "one"}}}, "lines and bars"),
        ({"kind": "box", "error_bars": "stddev"}, "lines and bars"),
    ],
)
def test_quotients_that_make_no_sense_are_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        gridded(**changes)
