"""Other traffic shares the paths with the players."""

from __future__ import annotations

import numpy as np
import pytest
from weir_testing.cells import Runner, broken, checks_of, rows
from weir_testing.spec import resolved

pytestmark = pytest.mark.kernel


def test_flows_take_their_share_of_their_path(run: Runner) -> None:
    link = {"rate": "4Mbit/s", "queue": {"discipline": "drop-tail", "limit": "50packets"}}
    path = {"downlink": link, "uplink": {"rate": "1Mbit/s"}, "rtt": {"mean": "20ms"}}
    asked = resolved(
        duration="20s",
        content={"ladder": ["9Mbit/s"], "segment": "100s"},
        server={"congestion_control": "reno"},
        gateway={"paths": {"wifi": path, "lte": path}},
        clients=[{"player": "fixed", "options": {"level": 0}, "buffer": "600s", "paths": ["wifi"]}],
        traffic=[
            {"kind": "udp", "rate": "1Mbit/s", "path": "wifi"},
            {"kind": "udp", "rate": "1Mbit/s", "path": "lte", "on": "1s", "off": "1s"},
            {"kind": "tcp", "congestion_control": "cubic", "path": "lte"},
            {"kind": "tcp", "direction": "uplink", "path": "lte", "start": "5s", "stop": "10s"},
        ],
    )
    result = run(asked)
    assert not broken(result)
    checks = checks_of(result)
    assert checks["congestion_control"]["measured"] == ["reno"]
    assert checks["traffic_1_rate_bps"]["measured"] == pytest.approx(1e6, rel=0.01)
    assert checks["traffic_3_congestion_control"]["measured"] == "cubic"
    queue, flows = rows(result.data.queue), result.data.flows
    assert [flow.get("traffic") for flow in flows] == [None, 1, 2, 3, 4]
    sent = queue["fate"] == 0
    carried_bps = [
        float(queue["size"][sent & (queue["flow"] == flow)].sum()) * 8 / 20 for flow in range(5)
    ]
    viewer, steady, on_off, bulk, acks = carried_bps
    assert viewer + steady == pytest.approx(4e6, rel=0.05)
    assert steady <= 1.02e6
    assert 0.1e6 < on_off < 0.9e6
    assert on_off + bulk + acks == pytest.approx(4e6, rel=0.06)
    assert set(queue["path"][queue["flow"] == 3]) == {1}


@pytest.mark.parametrize(
    ("seeds", "duration"), [(2, "60s"), pytest.param(20, "300s", marks=pytest.mark.long)]
)
def test_lia_leaves_a_single_tcp_its_half(run: Runner, seeds: int, duration: str) -> None:
    """Two subflows and one Reno share 8 Mbit/s (RFC 6356's second goal): uncoupled ones take more
    than half, with every seed more than lia's.
    """
    link = {"rate": "8Mbit/s", "queue": {"discipline": "drop-tail", "limit": "1bdp"}}
    shares: dict[str, list[float]] = {"lia": [], "reno": []}
    for control, found in shares.items():
        asked = resolved(
            duration=duration,
            content={"ladder": ["20Mbit/s"], "segment": "1000s"},
            server={"congestion_control": control},
            gateway={
                "paths": {"shared": {"downlink": link, "rtt": {"mean": "40ms", "stddev": "1ms"}}}
            },
            clients=[
                {"player": "fixed", "options": {"level": 0}, "buffer": "1000s",
                 "transport": "mptcp", "paths": ["shared", "shared"]}
            ],
            traffic=[{"kind": "tcp", "congestion_control": "reno", "path": "shared"}],
        )  # fmt: skip
        for seed in range(seeds):
            result = run(asked, seed)
            assert not broken(result)
            queue = rows(result.data.queue)
            sent = queue["fate"] == 0
            other = [flow["flow"] for flow in result.data.flows if "traffic" in flow]
            theirs = int(queue["size"][sent & np.isin(queue["flow"], other)].sum())
            found.append(1 - theirs / int(queue["size"][sent].sum()))
    assert max(shares["lia"]) <= 0.55
    differences = np.subtract(shares["reno"], shares["lia"])
    assert differences.min() > 0
