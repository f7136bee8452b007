"""Curves of a run that recorded sums by the second."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir import rundir
from weir.rundir import QUEUE_SECONDS, TCP_SECONDS, RunData, columns_of_rows
from weir_orchestrator.objects import open_store, put_folder
from weir_orchestrator.recorded import RunFiles, curves
from weir_orchestrator.recorded.curves import Curve, Window
from weir_testing.metrics import flow
from weir_testing.platform.work import EXPERIMENT

WHOLE = Window(0.0, 20.0, 2000)
NOT_SET = 0x7FFF_FFFF
SECOND_NS = 1_000_000_000


def _sent(second: int, **more: int) -> dict[str, int]:
    none = {"acks": 10, "acked_bytes": 125_000, "cwnd": 20, "ssthresh": NOT_SET, "state": 0}
    of_srtt = {"srtt_sum_us": 500_000, "srtt_min_us": 40_000, "retransmits": 0}
    return {"t_ns": second * SECOND_NS, "flow": 0, **none, **of_srtt, **more}


def _crossed(second: int, flow: int, packets: int, delay_ms: int) -> dict[str, int]:
    sums = {"sent_packets": packets, "delay_sum_ns": delay_ms * 1_000_000}
    rest = {"sent_bytes": packets * 1500, "dropped": 0, "backlog_sum": 0}
    return {"t_ns": second * SECOND_NS, "flow": flow, **sums, **rest}


@pytest.fixture
def files(tmp_path: Path) -> RunFiles:
    """Of one connection: ACKs in the seconds 2, 3 and 6, in the last none that told a round trip;
    at the bottleneck another flow's packets in second 2, too."""
    sent = [
        _sent(2),
        _sent(3, cwnd=30, ssthresh=15, retransmits=4),
        _sent(6, ssthresh=15, acks=0, acked_bytes=0, srtt_sum_us=0),
    ]
    crossed = [_crossed(2, -1, 1, 50), _crossed(2, 0, 3, 30), _crossed(3, 0, 2, 10)]
    data = RunData(
        experiment={**EXPERIMENT, "record": {"tcp": "per-second", "queue": "per-second"}},
        tcp_seconds=columns_of_rows(TCP_SECONDS, sent),
        queue_seconds=columns_of_rows(QUEUE_SECONDS, crossed),
        flows=[flow(0, 1, 40_000)],
        players=[],
    )
    rundir.save(tmp_path / "run", data)
    store = open_store(str(tmp_path / "objects"))
    put_folder(store, "runs/0", tmp_path / "run")
    return RunFiles(store, "runs/0")


def _only(files: RunFiles, kind: str) -> Curve:
    (found,) = curves(files, EXPERIMENT, [kind], WHOLE)
    return found


def test_a_state_holds_until_the_next_second_that_tells_of_it(files: RunFiles) -> None:
    cwnd = _only(files, "cwnd")
    assert (cwnd.shape, cwnd.client, cwnd.flow) == ("step", 1, 0)
    assert (cwnd.t_s, cwnd.values) == ([2.0, 3.0, 6.0, 7.0], [20.0, 30.0, 20.0, 20.0])
    ssthresh = _only(files, "ssthresh")
    assert (ssthresh.t_s, ssthresh.values) == ([3.0, 6.0, 7.0], [15.0, 15.0, 15.0])


def test_srtt_is_the_mean_over_a_second_s_acks(files: RunFiles) -> None:
    srtt = _only(files, "srtt")
    assert (srtt.t_s, srtt.values) == ([2.0, 3.0, 4.0], [0.05, 0.05, 0.05])


def test_nothing_is_acknowledged_in_seconds_without_a_row(files: RunFiles) -> None:
    acked = _only(files, "acked_rate")
    assert (acked.unit, acked.t_s) == ("bit/s", [2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    assert acked.values == [1e6, 1e6, 0.0, 0.0, 0.0, 0.0]


def test_what_was_sent_again_is_counted(files: RunFiles) -> None:
    again = _only(files, "retransmits")
    assert (again.t_s, again.values) == ([3.0], [4.0])


def test_queueing_delay_is_the_mean_over_all_packets(files: RunFiles) -> None:
    delay = _only(files, "queueing_delay")
    assert (delay.t_s, delay.values) == ([2.0, 3.0, 4.0], [0.02, 0.005, 0.005])


def test_what_is_not_summed_up_gives_no_curve(files: RunFiles) -> None:
    assert curves(files, EXPERIMENT, ["rto", "rwnd", "in_flight", "drops"], WHOLE) == []
