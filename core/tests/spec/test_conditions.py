"""Traces of round trips and loss: read, resolved, refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weir.spec import conditions
from weir.spec.traces import BadTrace
from weir_testing.spec import document, problems_of, resolved

ROWS = "time_s,rate_mbit,rtt_ms,loss_percent\n10,8,50,0\n20,2,90,1.5\n40,8,50,0\n"


def test_rows_by_hand() -> None:
    columns, period_s = conditions.rows(ROWS)
    assert columns == {
        "rate_mbit": [[0.0, 8e6], [10.0, 2e6]],
        "rtt_ms": [[0.0, 0.05], [10.0, 0.09]],
        "loss_percent": [[0.0, 0.0], [10.0, 0.015]],
    }
    assert period_s == 30.0


def test_cellreplay_has_delays_one_way() -> None:
    assert conditions.cellreplay("0 25 0 1 2\n100 40 0\n300 25 0 0\n") == (
        {"rtt_ms": [[0.0, 0.05], [0.1, 0.08]]},
        0.3,
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: ''"),
        ("time_s\n0\n", "line 1"),
        ("time_s,delay\n0,1\n", "rate_mbit, rtt_ms, loss_percent"),
        ("time_s,rtt_ms\n0,20\n1,-5\n2,20\n", "line 3: rtt_ms -5 — it cannot be below 0"),
        ("time_s,loss_percent\n0,101\n", "line 2: loss_percent 101"),
        ("time_s,rtt_ms\n0,nan\n", "infinite"),
        ("time_s,rtt_ms\n0,x\n", "line 2: rtt_ms 'x'"),
        ("time_s,rtt_ms\n0,1,2\n", "line 2: 3 values"),
        ("time_s,rtt_ms\n1,1\n1,1\n", "line 3: time 1 s"),
        ("time_s,rtt_ms\n1,1\n", "two rows"),
    ],
)
def test_bad_rows(text: str, says: str) -> None:
    with pytest.raises(BadTrace, match=says):
        conditions.rows(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [("0 20\n100 -3\n", "line 2: delay -3"), ("0\n", "line 1"), ("0 20\n0 20\n", "line 2")],
)
def test_bad_cellreplay(text: str, says: str) -> None:
    with pytest.raises(BadTrace, match=says):
        conditions.cellreplay(text)


def asked(folder: Path, text: str = ROWS, **more: Any) -> dict[str, Any]:
    (folder / "cell.csv").write_text(text)
    trace = {"trace": "cell.csv", "format": "rows"}
    return {
        "duration": "50s",
        "gateway__downlink__rate": trace,
        "gateway__path": {"rtt": {"mean": "50ms"}, "conditions": trace, **more},
    }


def test_a_trace_gives_rate_round_trips_and_loss_and_starts_over(tmp_path: Path) -> None:
    gateway = resolved(tmp_path, **asked(tmp_path))["gateway"]
    assert gateway["downlink"]["rate_steps"] == [[0.0, 8e6], [10.0, 2e6]]
    assert gateway["downlink"]["rate_loop_s"] == 30.0
    assert gateway["path"]["conditions"] == [
        [0.0, 0.05, 0.0], [10.0, 0.09, 0.015], [30.0, 0.05, 0.0], [40.0, 0.09, 0.015],
    ]  # fmt: skip


def test_what_it_does_not_tell_stays(tmp_path: Path) -> None:
    document = asked(tmp_path, "time_s,loss_percent\n0,5\n60,5\n")
    document["gateway__downlink__rate"] = "1Mbit/s"
    gateway = resolved(tmp_path, **document)["gateway"]
    assert gateway["path"]["conditions"] == [[0.0, 0.05, 0.05]]
    assert "conditions" not in resolved()["gateway"]["path"]


@pytest.mark.parametrize(
    ("changes", "text", "path", "says"),
    [
        ({}, "time_s,rtt_ms\n0,20\n1,-5\n2,20\n", "gateway.path.conditions.trace", "line 3"),
        ({}, "time_s,rate_mbit\n0,20\n1,5\n", "gateway.path.conditions.trace", "no column rtt_ms"),
        ({}, "time_s,rtt_ms\n0,50\n60,50\n", "gateway.downlink.rate.trace", "no column rate_mbit"),
        ({"rtt": {"mean": "60ms", "stddev": "60ms"}}, ROWS, "gateway.path.conditions.trace",
         "negative"),
        ({"conditions": {"trace": "cell.csv", "format": "rows", "loop": False}}, ROWS,
         "gateway.path.conditions.trace", "set loop to true"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    tmp_path: Path, changes: dict[str, Any], text: str, path: str, says: str
) -> None:
    found = problems_of(document(**asked(tmp_path, text, **changes)), tmp_path)
    problems = {problem.path: problem for problem in found}
    assert f"experiment.{path}" in problems, problems
    assert says in problems[f"experiment.{path}"].remedy


def test_an_event_cannot_change_what_a_trace_says(tmp_path: Path) -> None:
    lossy = {"at": "5s", "for": "1s", "loss": "10%"}
    (problem,) = problems_of(document(**asked(tmp_path), events=[lossy]), tmp_path)
    assert problem.path == "experiment.events.0" and "into the trace" in problem.remedy
