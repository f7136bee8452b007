"""Figures of what runs recorded: clients, segments and packets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from weir import rundir
from weir.metrics import compute
from weir.metrics.over_time import TIME_VALUES
from weir.rundir import QUEUE, RunData, columns_of_rows
from weir.spec.paper import Paper
from weir.spec.paper_check import unknown_names
from weir_engine.report.paper import study
from weir_engine.report.paper.draw import draw
from weir_engine.report.paper.panels import Grid
from weir_engine.report.svg import SHOWN
from weir_engine.row import Row
from weir_testing.metrics import LADDER, experiment, flow, packet, player

AXES = {"cc": {"levels": {"reno": "Reno", "cubic": "CUBIC"}}}


def acks() -> Any:
    values = {"cwnd": 10, "ssthresh": 48, "rto_us": 300_000, "srtt_us": 1, "rwnd": 1, "flow": 0}
    columns = {name: np.full(2, value) for name, value in values.items()}
    return columns | {"in_flight": np.ones(2), "t_ns": np.array([1_000, 2_100]) * 1_000_000}


def recorded(folder: Path, cc: str, *levels: list[int]) -> Row:
    """A client per list of levels, which asks every 2 s and has its segment after 1 s."""
    players = [player(each, port=40000 + k) for k, each in enumerate(levels)]
    tcp = {name: column.astype(np.int64) for name, column in acks().items()}
    packets = [packet(2_000, 2_010, 0, 50), packet(2_001, 2_001, 1, 1050)]
    packets += [packet(2_040, 2_050, 0, 1050), packet(2_900, 2_910, 0, 2050)]
    data = RunData(experiment([(0, None)] * len(levels), 6.0), players)
    data.tcp, data.queue = tcp, columns_of_rows(QUEUE, packets)
    data.flows = [flow(0, 1, 40000)]
    metrics = compute(data)
    rundir.save(folder / cc, data, {"key": cc}, metrics)
    return Row(cc, {"cc": cc}, 0, 0, "succeeded", "", folder / cc, metrics)


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    return [
        recorded(tmp_path, "reno", [0, 1, 1], [0, 2, 1]),
        recorded(tmp_path, "cubic", [0, 0, 0], [0, 0, 0]),
    ]


def grid_of(rows: list[Row], **figure: Any) -> Grid:
    asked = {"citation": "A paper", "axes": AXES, "figures": [{"title": "A figure", **figure}]}
    record: Any = {"name": "small", "spec": {"experiment": {}}}
    (grid,) = study(Paper.model_validate(asked), [(record, rows)]).figures()
    return grid


def test_a_box_over_clients(rows: list[Row]) -> None:
    grid = grid_of(rows, kind="box", each="client", metrics=["switch_count"], x="cc")
    reno, cubic = grid.panels[0][0].series[0, 0]
    assert (reno.values, cubic.values) == ((1.0, 2.0), (0.0, 0.0))
    assert grid.how.endswith("2 clients a box.")


def test_shares_of_steps_with_those_that_never_were(rows: list[Row]) -> None:
    grid = grid_of(rows, kind="shares", each="segment", metrics=["level_step"], series="cc")
    assert grid.places == ["-1", "0", "+1", "+2"]
    panel = grid.panels[0][0]
    assert [(p.place, p.mean, p.n) for p in panel.series[0, 0]] == [
        (0, 25, 4), (1, 25, 4), (2, 25, 4), (3, 25, 4),
    ]  # fmt: skip
    assert [(p.place, p.mean) for p in panel.series[1, 0]] == [(1, 100)]
    svg = draw(grid)
    zeros = re.findall(rf'style="[^"]*fill: {re.escape(SHOWN[1])}[^"]*"[^>]*>0</text>', svg)
    assert len(zeros) == 3
    assert {">100<", ">10<"} <= {f">{text}<" for text in re.findall(r">(\d+)</text>", svg)}


def test_curves_over_segments_with_the_films_rates(rows: list[Row]) -> None:
    figure = {"kind": "cdf", "each": "segment", "metrics": ["estimate_bps", "raw_bps"]}
    grid = grid_of(rows, **figure, series="cc", ladder=True)
    assert grid.ladder_bps == tuple(LADDER)
    panel = grid.panels[0][0]
    expected = sorted(LADDER[level] for level in (0, 1, 1, 0, 2, 1))
    for metric in (0, 1):
        assert sorted(panel.series[0, metric][0].values) == expected
    assert grid.how.endswith("6 segments a curve.")
    svg = draw(grid)
    for title in ("Throughput estimates", "Throughput samples", "CUBIC"):
        assert f">{title}</text>" in svg
    assert ">share of segments</text>" in svg


def test_the_packets_of_a_transfer(rows: list[Row]) -> None:
    grid = grid_of(rows, kind="transfer", span_s=0.5, panels={"columns": "cc"})
    assert grid.columns == ["Reno", "CUBIC"]
    found = grid.panels[0][0].burst
    assert found is not None
    assert found.offset_bytes.tolist() == [0, 1000, 1000]
    assert found.dropped.tolist() == [False, True, False]
    svg = draw(grid)
    assert ">dropped at the bottleneck</text>" in svg


def test_the_window_around_a_pause(rows: list[Row]) -> None:
    """8 Mbit/s * 100 ms are 66.7 packets of 1500 bytes; pauses last from one second to the next."""
    grid = grid_of(rows, kind="window", span_s=1.5, panels={"columns": "cc"})
    found = grid.panels[0][0].window
    assert found is not None
    assert found.before_segments == 10
    assert found.bdp_segments == pytest.approx(66.67, abs=0.01)
    assert found.t_s.tolist() == [-1.0, 0.0]
    assert grid.measured == [("Congestion window", "segments")]
    svg = draw(grid)
    for name in ("congestion window", "window before the pause", "the link's capacity (BDP)"):
        assert f">{name}</text>" in svg


def test_packets_are_brought_only_for_a_picture_of_them(rows: list[Row]) -> None:
    brought: list[str | None] = []
    kept = {**rows[0].__dict__, "bring": brought.append}
    grid_of([Row(**kept)], kind="box", each="client", metrics=["switch_count"], x="cc")
    assert brought == []
    grid_of([Row(**kept)], kind="shares", each="segment", metrics=["level_step"])
    assert set(brought) == {"players/client-1.parquet", "players/client-2.parquet"}


def test_the_course_of_a_run(rows: list[Row]) -> None:
    """Client 1 of Reno's run asks for levels 0, 1, 1; of the first run alone, a colour each."""
    grid = grid_of(rows, kind="time", metrics=["received_bytes"], panels={"columns": "cc"})
    reno, _ = grid.panels[0]
    first, second = reno.course
    sizes = np.cumsum([0, *rows[0].player(1)["size_bytes"]])
    assert [first.client, second.client] == [1, 2]
    assert first.t_s.tolist() == [0.0, *rows[0].player(1)["last_byte_s"]]
    assert first.values.tolist() == sizes.tolist()
    assert grid.measured == [("Received", "bytes")]
    svg = draw(grid)
    assert "client 1" in svg
    assert "client 2" in svg
    assert "client 3" not in svg


def test_windows_over_time_are_those_of_acks(rows: list[Row]) -> None:
    grid = grid_of(rows, kind="time", metrics=["cwnd_segments"], where={"cc": "reno"})
    (one,) = grid.panels[0][0].course
    assert (one.client, one.t_s.tolist(), one.values.tolist()) == (1, [1.0, 2.1], [10.0, 10.0])
    assert "Congestion window [segments]" in draw(grid)


def test_what_is_due_rises_at_the_films_rate_from_its_first_deadline() -> None:
    own = experiment([(2.0, None)], 30.0)
    own["clients"][0]["deadlines"] = {
        "after_s": 5.0,
        "length_s": 10.0,
        "rate_bps": 4e6,
        "moves": "none",
        "lower_s": 5.0,
        "upper_s": 20.0,
    }
    data = RunData(own, [player([0])])
    ((times, values),) = TIME_VALUES["due_bytes"].of(data, 1)
    assert times.tolist() == [7.0, 17.0]
    assert values.tolist() == [0.0, 5e6]


def test_figures_over_time_have_names_of_their_own() -> None:
    figure = {"title": "A", "kind": "time", "metrics": ["stalls"]}
    asked = Paper.model_validate({"citation": "A paper", "figures": [figure]})
    (problem,) = unknown_names(asked)
    assert problem.path == "figures.0.metrics.0"
    assert "received_bytes" in problem.allowed
