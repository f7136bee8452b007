"""The packets of one transfer, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics.burst import burst, in_mid_film
from weir.metrics.context import prepare
from weir.rundir import QUEUE, RunData, columns_of_rows
from weir_testing.metrics import experiment, flow, packet, player

ROWS = [  # ms, and what became of it: 1 is a drop
    (9_990, 0, 100),
    (10_000, 0, 2**32 - 1448),
    (10_010, 1, 0),
    (10_050, 0, 1448),
    (10_200, 0, 0),
    (10_900, 0, 2896),
]


def packets() -> Any:
    return columns_of_rows(QUEUE, [packet(ms, ms, fate, seq) for ms, fate, seq in ROWS])


def test_offsets_count_across_the_end_of_sequence_numbers() -> None:
    found = burst(packets(), 10.0, 10.5)
    assert found.t_s.tolist() == pytest.approx([0.0, 0.01, 0.05, 0.2])
    assert found.offset_bytes.tolist() == [0, 1448, 2896, 1448]
    assert found.dropped.tolist() == [False, True, False, False]


def test_nothing_came() -> None:
    assert len(burst(packets(), 11.0, 12.0).t_s) == 0


def acks(*times_ms: int) -> Any:
    n = len(times_ms)
    values = {"cwnd": 10, "ssthresh": 48, "rto_us": 300_000, "srtt_us": 1, "rwnd": 1, "flow": 0}
    columns = {name: np.full(n, value) for name, value in values.items()}
    return columns | {"in_flight": np.full(n, 1), "t_ns": np.array(times_ms) * 1_000_000}


@pytest.mark.parametrize(("span_s", "until"), [(0.1, 3), (60.0, 5)])
def test_the_restart_in_mid_film_ends_with_the_next_request(span_s: float, until: int) -> None:
    """Requests at 0, 10, 10.95 and 25 s of 30 s; pauses before the second and the last."""
    log = player([4, 4, 4, 4])
    log |= {"request_s": np.array([0, 10, 10.95, 25.0])}
    log |= {"last_byte_s": np.array([2, 10.9, 12, 26.0])}
    later = [packet(ms, ms) for ms in (11_000, 25_050)]
    queue = {
        name: np.concatenate([column, columns_of_rows(QUEUE, later)[name]])
        for name, column in packets().items()
    }
    tcp = acks(100, 9_000, 10_040, 10_100, 11_100, 25_100)
    data = RunData(experiment([(0, None)], 30.0), [log], flows=[flow(0, 1, 40000)])
    data.tcp, data.queue = tcp, queue
    context = prepare(data)
    found = in_mid_film(context.sessions[0], context, span_s)
    assert found is not None
    assert found.offset_bytes.tolist() == [0, 1448, 2896, 1448, 4344][:until]


def test_without_packets_there_is_none() -> None:
    context = prepare(RunData(experiment([(0, None)], 30.0), [player([4])]))
    assert in_mid_film(context.sessions[0], context, 1.0) is None
