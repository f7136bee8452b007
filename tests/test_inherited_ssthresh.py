"""Connections that begin with the ssthresh of an earlier one, as the server's trace shows them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir_testing.cells import Runner, broken, bulk, checks_of, experiment, rows

pytestmark = pytest.mark.kernel

FIELD = "server.initial_ssthresh_segments"
INFINITE = 0x7FFFFFFF


def ran(run: Runner, control: str, segments: int | None) -> tuple[list[dict[str, Any]], Any]:
    """Each of two flows' first 3 s of ACKs, and the result."""
    asked = experiment({"server.congestion_control": control, "duration_s": 6.0}, bulk(), bulk())
    if segments is not None:
        asked["server"]["initial_ssthresh_segments"] = segments
    result = run(asked)
    acks = rows(result.data.tcp)
    flows = [acks["flow"] == number for number in np.unique(acks["flow"])]
    return [{name: column[own] for name, column in acks.items()} for own in flows], result


@pytest.mark.parametrize("control", ["reno", "vegas", "illinois", "cubic"])
def test_every_connection_begins_with_the_ssthresh_that_is_asked(
    run_once: Runner, control: str
) -> None:
    flows, result = ran(run_once, control, 27)
    assert broken(result) == []
    assert [int(flow["ssthresh"][0]) for flow in flows] == [27, 27]
    check = checks_of(result)["initial_ssthresh_segments"]
    assert (check["asked"], check["measured"]) == (27, [27])
    assert any("ssthresh lock 27" in line for line in check["applied"])


def test_slow_start_ends_there(run_once: Runner) -> None:
    """Reno doubles below it in a round trip, and adds one segment a round trip above."""
    (flow, _), _ = ran(run_once, "reno", 27)
    (free, _), _ = ran(run_once, "reno", None)
    assert int(free["ssthresh"][0]) == INFINITE
    first_s = 1.0
    assert int(flow["cwnd"][flow["t_ns"] < first_s * 1e9].max()) <= 27 + first_s / 0.1
    assert int(free["cwnd"][free["t_ns"] < first_s * 1e9].max()) > 60


def test_nothing_else_is_inherited(run_once: Runner) -> None:
    """The first ACK finds the initial window, and the RTO of a fresh connection."""
    (flow, _), _ = ran(run_once, "reno", 27)
    (free, _), _ = ran(run_once, "reno", None)
    for name in ("cwnd", "rto_us"):
        assert flow[name][0] == pytest.approx(free[name][0], rel=0.01)
