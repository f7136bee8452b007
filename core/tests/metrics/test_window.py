"""The congestion window around a pause, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics.context import prepare
from weir.metrics.restart import INFINITE_SSTHRESH
from weir.metrics.window import around, in_mid_film
from weir.rundir import QUEUE, RunData, columns_of_rows
from weir_testing.metrics import experiment, flow, packet, player


def acks(*rows: tuple[int, int, int]) -> Any:
    """rows: (ms, cwnd, ssthresh)."""
    times, cwnd, ssthresh = (np.array(column) for column in zip(*rows, strict=True))
    same = {"rto_us": 300_000, "srtt_us": 1, "rwnd": 1, "flow": 0, "in_flight": 1}
    columns = {name: np.full(len(rows), value) for name, value in same.items()}
    return columns | {"t_ns": times * 1_000_000, "cwnd": cwnd, "ssthresh": ssthresh}


ACKS = acks(
    (100, 20, INFINITE_SSTHRESH),
    (8_500, 40, INFINITE_SSTHRESH),
    (9_000, 54, 40),
    (10_100, 10, 40),
    (10_200, 20, 40),
    (11_500, 41, 40),
)


def test_what_the_first_ack_finds_was_set_with_the_first_packet() -> None:
    """The row before the span holds at its beginning."""
    found = around(ACKS, 10.0, 1.2)
    assert found is not None
    assert found.t_s.tolist() == pytest.approx([-1.2, -1.0, 0.0, 0.2])
    assert found.cwnd_segments.tolist() == [40, 54, 10, 20]
    assert np.isnan(found.ssthresh_segments[0])
    assert found.ssthresh_segments[1:].tolist() == [40, 40, 40]
    assert found.before_segments == 54


@pytest.mark.parametrize(("started_s", "span_s"), [(0.05, 1.0), (12.0, 1.0), (10.0, 0.05)])
def test_acks_on_both_sides_or_nothing(started_s: float, span_s: float) -> None:
    assert around(ACKS, started_s, span_s) is None


def run(rate_steps: list[list[float]]) -> RunData:
    """Requests at 0 and 10 s of 12 s, the first done after 2 s."""
    log = player([4, 4])
    log |= {"request_s": np.array([0.0, 9.95]), "last_byte_s": np.array([2.0, 11.0])}
    own = experiment([(0, None)], 12.0)
    own["gateway"]["downlink"]["rate_steps"] = rate_steps
    data = RunData(own, [log], flows=[flow(0, 1, 40000)])
    data.tcp = ACKS
    data.queue = columns_of_rows(QUEUE, [packet(10, 12), packet(10_000, 10_010)])
    return data


def test_the_capacity_is_that_of_the_links_rate_at_the_restart() -> None:
    """100 ms at 8, then 12 Mbit/s: 12e6 * 0.1 / 8 / 1500 = 100 packets."""
    context = prepare(run([[0.0, 8e6], [5.0, 12e6]]))
    found = in_mid_film(context.sessions[0], context, 1.2)
    assert found is not None
    assert found.bdp_segments == pytest.approx(100)
    assert found.before_segments == 54


def test_an_unshaped_link_has_none() -> None:
    context = prepare(run([]))
    found = in_mid_film(context.sessions[0], context, 1.2)
    assert found is not None
    assert found.bdp_segments is None


def test_without_a_record_of_packets_there_is_no_window() -> None:
    data = run([[0.0, 8e6]])
    data.queue = None
    context = prepare(data)
    assert in_mid_film(context.sessions[0], context, 1.2) is None
