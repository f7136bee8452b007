"""Other traffic shares the paths with the players."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir_gateway.shaper import burst_bytes
from weir_testing.cells import DROPPED, Runner, broken, checks_of, rows
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


def test_one_end_may_be_farther_than_the_path(run: Runner) -> None:
    """Two equal flows of New Reno through one queue: the near one grows more often."""
    asked = resolved(
        duration="30s",
        server={"congestion_control": "reno"},
        gateway={
            "downlink": {
                "rate": "5Mbit/s",
                "queue": {"discipline": "codel", "ecn": True, "limit": "300packets"},
            },
            "path": {"rtt": {"mean": "20ms"}},
        },
        clients=[{"player": "fixed", "options": {"level": 0}, "stop": "500ms"}],
        traffic=[
            {"kind": "tcp", "congestion_control": "reno"},
            {"kind": "tcp", "congestion_control": "reno", "added_rtt": "180ms"},
        ],
    )
    result = run(asked)
    assert not broken(result)
    checks = checks_of(result)
    assert checks["idle_rtt_s"]["measured"] == pytest.approx(0.02, abs=1e-4)
    longer = checks["idle_rtt_s_traffic_2"]
    assert longer["measured"] == pytest.approx(0.2, abs=1e-4)
    assert any("home3" in line for line in longer["applied"])
    near, far = compute(result.data)["traffic"]
    assert near["throughput_bps"] > 2 * far["throughput_bps"]
    assert near["loss_rate_percent"] < 0.1  # marked, as its end asks for ECN


def test_no_window_of_the_guest_s_small_memory_bounds_a_flow(run: Runner) -> None:
    """40 Mbit/s over 250 ms and a queue of 250: 2.5 MB on their way."""
    asked = resolved(
        duration="30s",
        server={"sysctls": {"net.ipv4.tcp_wmem": "4096 16384 6291456"}},
        gateway={
            "downlink": {
                "rate": "40Mbit/s",
                "queue": {"discipline": "drop-tail", "limit": "800packets"},
            },
            "path": {"rtt": {"mean": "250ms"}},
        },
        clients=[{"player": "fixed", "options": {"level": 0}, "stop": "500ms"}],
        traffic=[{"kind": "tcp", "congestion_control": "cubic"}],
    )
    result = run(asked)
    assert not broken(result)
    queue = rows(result.data.queue)
    assert (queue["fate"] == DROPPED).any(), "what bounds it is the queue"


def test_responses_take_what_an_idle_path_asks_of_them(run: Runner) -> None:
    """Nobody else is there. 10 kB, 7 segments, fit into the first window: they take one round trip
    and their time on the link, be the connection's window grown or not.
    """
    link = {"rate": "8Mbit/s", "queue": {"discipline": "drop-tail", "limit": "100packets"}}
    drawn = {
        "size": {"distribution": "log-normal", "median": "20kB", "sigma": 1, "at_most": "200kB"},
        "think": {"distribution": "exponential", "mean": "300ms", "at_most": "3s"},
    }
    asked = resolved(
        duration="30s",
        gateway={
            "downlink": link,
            "uplink": {"rate": "8Mbit/s"},
            "path": {"rtt": {"mean": "100ms"}},
        },
        clients=[{"player": "fixed", "options": {"level": 0}, "stop": "500ms"}],
        traffic=[
            {
                "kind": "request-response",
                "size": "10kB",
                "think": "1s",
                "start": "5s",
                "stop": "15s",
            },
            {"kind": "request-response", "direction": "uplink", "start": "15s", **drawn},
        ],
    )
    results = [run(asked, seed) for seed in (1, 2)]
    for result in results:
        assert not broken(result)
        checks = checks_of(result)
        assert checks["traffic_1_congestion_control"]["measured"] == "cubic"
        assert checks["traffic_2_congestion_control"]["measured"] == "cubic"
        assert checks["traffic_1_response_bytes"]["measured"] % 10_000 == 0
        assert checks["traffic_1_think_s"]["measured"] == pytest.approx(1, abs=1e-3)
        assert "traffic_2_think_s" in checks
    each = [
        [event for event in results[0].data.events if event.get("traffic") == number]
        for number in (1, 2)
    ]
    took_s = [event["t_s"] - event["requested_s"] for event in each[0]]
    assert len(took_s) in (9, 10)
    # Of 7 frames with 66 bytes of headers each, what an idle link lets through at once does not
    # wait, and nobody waits for the last one's own time on the link.
    waited_bytes = 10_000 + 7 * 66 - burst_bytes(8e6) - (10_000 - 6 * 1448 + 66)
    assert took_s == pytest.approx([0.1 + waited_bytes * 8 / 8e6] * len(took_s), abs=2e-4)
    metrics = compute(results[0].data)["traffic"]
    assert metrics[0]["response_time_mean_s"] == pytest.approx(np.mean(took_s))
    assert metrics[0]["throughput_bps"] > 8 * 10_000 * len(took_s) / 10
    assert metrics[1]["response_count"] == len(each[1]) > 10
    sizes = [
        [event["size_bytes"] for event in result.data.events if event.get("traffic") == 2]
        for result in results
    ]
    assert sizes[0] != sizes[1]
    assert len(set(sizes[0])) > 5


@pytest.mark.parametrize(
    ("seeds", "duration"), [(2, "60s"), pytest.param(20, "300s", marks=pytest.mark.long)]
)
def test_lia_leaves_a_single_tcp_its_half(run: Runner, seeds: int, duration: str) -> None:
    """Two subflows and one Reno share 8 Mbit/s (RFC 6356's second goal): uncoupled ones take more
    than half, with every seed more than lia's.
    """
    shares: dict[str, list[float]] = {"lia": [], "reno": []}
    for control, found in shares.items():
        asked = resolved(
            duration=duration,
            content={"ladder": ["20Mbit/s"], "segment": "1000s"},
            server={"congestion_control": control},
            gateway={"paths": {"shared": shared_path("8Mbit/s")}},
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


@pytest.mark.parametrize("seeds", [1, pytest.param(20, marks=pytest.mark.long)])
def test_lia_takes_what_a_tcp_would_on_its_best_path_and_no_more_than_one_on_each(
    run: Runner, seeds: int
) -> None:
    """Two bottlenecks, each with a Reno of its own (RFC 6356's first two goals). LIA is made to
    take just the best path's share, so that a run may miss it by a little.
    """

    def film_bps(used: list[str], seed: int) -> dict[str, float]:
        """The film's share of each path."""
        asked = resolved(
            duration="120s",
            content={"ladder": ["30Mbit/s"], "segment": "1000s"},
            server={"congestion_control": "lia"},
            gateway={"paths": {"wifi": shared_path("8Mbit/s"), "lte": shared_path("4Mbit/s")}},
            clients=[
                {"player": "fixed", "options": {"level": 0}, "buffer": "1000s", "paths": used,
                 "transport": "mptcp" if len(used) > 1 else "tcp"}
            ],
            traffic=[
                {"kind": "tcp", "congestion_control": "reno", "path": path}
                for path in ("wifi", "lte")
            ],
        )  # fmt: skip
        result = run(asked, seed)
        assert not broken(result)
        queue = rows(result.data.queue)
        own = [flow["flow"] for flow in result.data.flows if "traffic" not in flow]
        film = (queue["fate"] == 0) & np.isin(queue["flow"], own)
        return {
            path: int(queue["size"][film & (queue["path"] == number)].sum()) * 8 / 120
            for number, path in enumerate(("wifi", "lte"))
        }

    totals_bps, best_bps, each_bps = [], [], []
    for seed in range(seeds):
        alone = [film_bps([path], seed)[path] for path in ("wifi", "lte")]
        totals_bps.append(sum(film_bps(["wifi", "lte"], seed).values()))
        best_bps.append(max(alone))
        each_bps.append(sum(alone))
    assert np.mean(totals_bps) >= 0.95 * np.mean(best_bps)
    assert max(np.subtract(totals_bps, each_bps)) <= 0


def shared_path(rate: str) -> dict[str, Any]:
    queue = {"discipline": "drop-tail", "limit": "1bdp"}
    return {"downlink": {"rate": rate, "queue": queue}, "rtt": {"mean": "40ms", "stddev": "1ms"}}
